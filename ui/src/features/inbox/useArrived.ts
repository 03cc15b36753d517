import { useEffect, useEffectEvent, useLayoutEffect, useRef } from "react";

import { whenFree } from "../../actions/registry";
import { entered, useNav, type Entry } from "../../places/nav";
import type { RequestDetail, RequestId } from "../../types";

/** A press so soon after a question was shown by itself, or changed, in ms, was meant for what stood there before. */
const TOO_SOON_MS = 500;

/** Whether a question was shown by itself, and whether a press comes too soon to be meant for it as it asks now. */
export function useSlid({ row: { id }, asks }: RequestDetail): { slid: boolean; isTooSoon: () => boolean } {
  const slid = useNav((nav) => nav.slid === id);
  const at = useRef(-TOO_SOON_MS);
  useEffect(() => {
    if (slid) at.current = performance.now();
  }, [slid]);
  const last = useRef({ id, asks });
  useLayoutEffect(() => {
    if (last.current.id === id && last.current.asks !== asks) at.current = performance.now();
    last.current = { id, asks };
  }, [id, asks]);
  return { slid, isTooSoon: () => performance.now() - at.current < TOO_SOON_MS };
}

/** Goes into the question that somebody went to, for what they went there. */
export function useEntered(id: RequestId, enter: (to: Entry["to"]) => void): void {
  const to = useNav((nav) => (nav.enter?.request === id ? nav.enter.to : undefined));
  const go = useEffectEvent(enter);
  useEffect(() => {
    if (to === undefined) return;
    entered();
    whenFree(() => go(to));
  }, [to]);
}
