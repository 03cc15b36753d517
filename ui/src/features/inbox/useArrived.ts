import { useEffect, useEffectEvent, useRef } from "react";

import { entered, useNav } from "../../places/nav";
import type { RequestId } from "../../types";

/** A press so soon after a question was shown by itself, in ms, was meant for the one before it. */
const TOO_SOON_MS = 500;

/** Whether a question was shown by itself, and whether a press comes too soon to be meant for it. */
export function useSlid(id: RequestId): { slid: boolean; isTooSoon: () => boolean } {
  const slid = useNav((nav) => nav.slid === id);
  const at = useRef(-TOO_SOON_MS);
  useEffect(() => {
    if (slid) at.current = performance.now();
  }, [slid]);
  return { slid, isTooSoon: () => performance.now() - at.current < TOO_SOON_MS };
}

/** Goes into the question that somebody went to in order to answer it. */
export function useEntered(id: RequestId, enter: () => void): void {
  const isWanted = useNav((nav) => nav.enter === id);
  const go = useEffectEvent(enter);
  useEffect(() => {
    if (!isWanted) return;
    entered();
    go();
  }, [isWanted]);
}
