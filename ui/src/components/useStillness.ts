import { useLayoutEffect, useRef, type RefObject } from "react";

interface Item {
  index: number;
  start: number;
  end: number;
}

/**
 * Keeps a list still while it changes: the first item in sight stays where it is when what lies above grows or shrinks.
 * At the top, new items are let in, except under the pointer; the answer, called when it leaves, shows them then.
 */
export function useStillness(
  scroller: RefObject<HTMLElement | null>,
  items: readonly Item[],
  keyOf: (index: number) => string,
): () => void {
  const held = useRef<{ key: string; start: number } | undefined>(undefined);
  const pushed = useRef(false);

  useLayoutEffect(() => {
    const list = scroller.current;
    if (!list) return;
    const atTop = list.scrollTop <= 0;
    const anchor = held.current;
    const now = anchor && items.find((item) => keyOf(item.index) === anchor.key);
    const moved = anchor && now ? now.start - anchor.start : 0;
    if (moved !== 0 && (!atTop || list.matches(":hover"))) {
      pushed.current ||= atTop;
      list.scrollBy(0, moved);
    }
    const first = items.find((item) => item.end > list.scrollTop);
    held.current = first && { key: keyOf(first.index), start: first.start };
  });

  return () => {
    if (pushed.current) scroller.current?.scrollTo({ top: 0 });
    pushed.current = false;
  };
}
