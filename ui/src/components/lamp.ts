import { OUTCOME, STATUS, TRACKING } from "../strings/words";
import type { Health, RequestState, TaskRow } from "../types";

/** The shapes that status has, everywhere in the window. */
export type Lamp =
  | "working"
  | "needs_you"
  | "done"
  | "tool_error"
  | "failed"
  | "cancelled"
  | "expired"
  | "lost"
  | "unknown"
  | "unreachable"
  | "idle";

/** A shape with its word. */
export interface Signal {
  lamp: Lamp;
  word: string;
}

type TaskState = Pick<TaskRow, "status" | "statusText" | "outcome" | "tracking" | "group" | "cancel">;

const ENDED: Record<NonNullable<TaskRow["outcome"]>, Lamp> = {
  ok: "done",
  tool_error: "tool_error",
  protocol_error: "failed",
  cancelled: "cancelled",
  expired: "expired",
  lost: "lost",
  unknown: "unknown",
};

/** How a task shows: how it ended, else who is waited for, else whether it can be followed, else its status. */
export function signalOfTask(task: TaskState): Signal {
  if (task.outcome) return { lamp: ENDED[task.outcome], word: OUTCOME[task.outcome] };
  if (task.group === "needs_you") return { lamp: "needs_you", word: STATUS.input_required };
  switch (task.tracking) {
    case "sign_in_needed":
      return { lamp: "needs_you", word: TRACKING.sign_in_needed };
    case "unreachable":
    case "stalled":
      return { lamp: "unreachable", word: TRACKING[task.tracking] };
    case "expired":
      return { lamp: "expired", word: TRACKING.expired };
    case "not_found":
      return { lamp: "lost", word: TRACKING.not_found };
    case "live":
    case "done":
      break;
  }
  if (task.cancel) return { lamp: "working", word: "cancelling" };
  if (task.status === "unknown") return { lamp: "unknown", word: task.statusText ?? STATUS.unknown };
  return { lamp: "working", word: STATUS[task.status] };
}

/** The shape for each state of a question. */
export const REQUEST_LAMP: Record<RequestState, Lamp> = {
  open: "needs_you",
  held: "working",
  sending: "working",
  answered: "done",
  not_taken: "needs_you",
  refused: "needs_you",
  closed: "cancelled",
  orphaned: "lost",
  unknown: "unknown",
};

/** The shape for each health of a server. */
export const HEALTH_LAMP: Record<Health["state"], Lamp> = {
  unknown: "idle",
  ok: "done",
  unreachable: "unreachable",
  sign_in_needed: "needs_you",
  unusable: "failed",
};
