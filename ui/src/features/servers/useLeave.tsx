import { useState, type ReactNode } from "react";

import { useAction } from "../../actions/registry";
import type { Leavable } from "./leavable";
import { LeaveDialog } from "./LeaveDialog";

/** The way out of a form that was opened over something else. */
export interface Leave {
  /** Goes, or asks first where something would be thrown away. */
  leave: () => void;
  /** What asks. */
  dialog: ReactNode;
}

/**
 * Leaves a form by its Cancel or by Escape; undefined where there is nothing to go back to. What was typed is thrown away only when
 * the person says so.
 */
export function useLeave<T>(form: Leavable<T>, isTyped: () => boolean, onCancel: (() => void) | undefined, covered = false): Leave {
  const [asking, setAsking] = useState(false);
  const leave = () => {
    if (isTyped()) setAsking(true);
    else onCancel?.();
  };
  useAction("back", leave, onCancel !== undefined && !asking && !covered);
  const throwAway = () => {
    form.drop();
    onCancel?.();
  };
  return { leave, dialog: asking && <LeaveDialog onLeave={throwAway} onStay={() => setAsking(false)} /> };
}
