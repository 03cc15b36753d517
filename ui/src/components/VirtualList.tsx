import { useVirtualizer } from "@tanstack/react-virtual";
import { useCallback, useEffect, useId, useLayoutEffect, useRef, useState, useSyncExternalStore, type KeyboardEvent, type ReactNode, type RefObject } from "react";

import { useAction } from "../actions/registry";
import { isNowhere } from "./focus";
import { ListItem, type ItemPlace } from "./ListItem";
import { useStillness } from "./useStillness";
import css from "./VirtualList.module.css";

/** Which items of a list are picked, beside the one that is selected. */
export interface ListPicks {
  /** Whether any is. */
  any: boolean;
  has: (index: number) => boolean;
  /** Picks one, or no longer; or all between where the range began, which may be `start`, and this one. */
  onPick: (index: number, how: "one" | "range", start: number) => void;
  onAll: () => void;
  onClear: () => void;
}

interface Props {
  label: string;
  /** `listbox` for cards; `grid` for rows of cells, with `head` above them. */
  role: "listbox" | "grid";
  /** How many items, headings included. */
  count: number;
  /** Height of an item in px, whether it is here yet or not. Must keep its identity while no height changes. */
  sizeOf: (index: number) => number;
  /** Stable over moves. */
  keyOf: (index: number) => string;
  /** False for headings. */
  selectable?: (index: number) => boolean;
  /** The selected item; -1 for none or one out of sight. */
  selected: number;
  /** Also of an item that is not here yet. */
  onSelect: (index: number, by: "keys" | "pointer") => void;
  onOpen?: (index: number) => void;
  /** Where several items can be picked. */
  picks?: ListPicks;
  /** Called with the first and last item in sight. */
  onRange?: (first: number, last: number) => void;
  /** Column heads of a grid, for so much room in px: a row with role `row`. */
  head?: (width: number) => ReactNode;
  /** Height of the head in px; it stays in sight. */
  headSize?: number;
  /** The heading that an item stands under; -1 for none. It stays in sight while the items below it do. */
  headingOf?: (index: number) => number;
  children: (place: ItemPlace) => ReactNode;
}

const all = () => true;
const none = () => -1;

/**
 * A long list of which only what is in sight exists. One item is selected; j, k, arrows, Home and End move it.
 *
 * The list has the focus as a whole and shows it at the selected item, so that Enter opens what can be seen to be meant. A list that
 * appears takes the focus from its pane, and one that goes leaves it there.
 */
export function VirtualList(props: Props) {
  const { count, sizeOf, keyOf, selectable = all, selected, onSelect, onOpen, picks, onRange, role, headSize = 0, headingOf = none } = props;
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const width = useInnerWidth(scroller);
  // eslint-disable-next-line react-hooks/incompatible-library -- this component is not compiled, and nothing memoised gets its functions
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: sizeOf,
    // Items are told apart by number here: keys that are functions of the data would make it measure 100,000 items anew
    // at every change.
    overscan: 8,
    scrollMargin: headSize,
    // An item must not come to lie under its heading.
    scrollPaddingStart: headSize + (headingOf(0) < 0 ? 0 : sizeOf(headingOf(0))),
  });
  useEffect(() => virtual.measure(), [virtual, sizeOf]);

  const items = virtual.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => onRange?.(first, last), [onRange, first, last]);

  // What was selected elsewhere is brought into sight, once: a list that moves must not follow it.
  const selectedKey = selected < 0 ? undefined : keyOf(selected);
  const brought = useRef<string>(undefined);
  useEffect(() => {
    if (selectedKey === undefined || selectedKey === brought.current) return;
    brought.current = selectedKey;
    virtual.scrollToIndex(selected, { align: "auto" });
  }, [virtual, selectedKey, selected]);

  const backToTop = useStillness(scroller, items, keyOf);

  const move = (from: number, step: 1 | -1) => {
    let next = from;
    while (next >= 0 && next < count && !selectable(next)) next += step;
    if (next < 0 || next >= count) return;
    onSelect(next, "keys");
    virtual.scrollToIndex(next, { align: "auto" });
    return next;
  };
  const pick = () => selected >= 0 && picks?.onPick(selected, "one", selected);
  const extend = (step: 1 | -1) => {
    const next = selected < 0 ? undefined : move(selected + step, step);
    if (next !== undefined) picks?.onPick(next, "range", selected);
  };
  // The plain keys work from everywhere in the place, and bring the focus along.
  const here = (run: () => void) => () => {
    scroller.current?.focus({ preventScroll: true });
    run();
  };
  useLayoutEffect(() => {
    const list = scroller.current;
    const pane = list?.closest<HTMLElement>("[data-pane]");
    if (isNowhere() || document.activeElement === pane) list?.focus({ preventScroll: true });
    return () => {
      if (document.activeElement === list) pane?.focus({ preventScroll: true });
    };
  }, []);

  // Where the selection was, told by the item before it: when the selected one leaves the list, the keys go on from there.
  const place = useRef({ index: 0, before: "" });
  useEffect(() => {
    if (selected >= 0) place.current = { index: selected, before: selected > 0 ? keyOf(selected - 1) : "" };
  });
  const lost = () => {
    const { index, before } = place.current;
    return index > 0 && index <= count && keyOf(index - 1) === before ? index : undefined;
  };
  // Where that is not known, they go on from what the person sees.
  const moveInSight = () => {
    const { scrollOffset, options } = virtual;
    move(virtual.getVirtualItemForOffset((scrollOffset ?? 0) + options.scrollPaddingStart)?.index ?? 0, 1);
  };

  const down = () => {
    const next = selected < 0 ? lost() : selected + 1;
    if (next === undefined) moveInSight();
    else move(selected < 0 ? Math.min(next, count - 1) : next, 1);
  };
  const up = () => {
    const from = selected < 0 ? lost() : selected;
    if (from === undefined) moveInSight();
    else move(from - 1, -1);
  };
  const open = () => selected >= 0 && onOpen?.(selected);
  useAction("list.next", here(down), count > 0);
  useAction("list.previous", here(up), count > 0);
  useAction("list.enter", here(() => selected < 0 && down()), count > 0);
  useAction("list.open", open, selected >= 0 && onOpen !== undefined);
  useAction("list.pick", here(pick), picks !== undefined && selected >= 0);
  useAction("list.all", here(() => picks?.onAll()), picks !== undefined && count > 0);
  useAction("back", here(() => picks?.onClear()), picks?.any === true);

  const onKeyDown = (event: KeyboardEvent) => {
    const picking: Partial<Record<string, () => void>> = picks === undefined ? {} : event.shiftKey ? { ArrowDown: () => extend(1), ArrowUp: () => extend(-1) } : { " ": pick };
    const moves: Partial<Record<string, () => void>> = {
      ArrowDown: down,
      ArrowUp: up,
      Home: () => move(0, 1),
      End: () => move(count - 1, -1),
    };
    const run = event.target === event.currentTarget ? (picking[event.key] ?? moves[event.key]) : undefined;
    if (!run) return;
    event.preventDefault();
    run();
  };

  // Keeps its identity: items that stay in sight are not drawn anew.
  const latest = useRef({ picks, selected });
  useLayoutEffect(() => {
    latest.current = { picks, selected };
  });
  const pickItem = useCallback((index: number, how: "one" | "range") => latest.current.picks?.onPick(index, how, latest.current.selected), []);
  const onPick = picks === undefined ? undefined : pickItem;

  // Which heading holds at the upper edge. Scrolling within a group draws nothing anew for it.
  const pinned = useSyncExternalStore(
    useCallback((changed: () => void) => {
      const list = scroller.current;
      list?.addEventListener("scroll", changed, { passive: true });
      return () => list?.removeEventListener("scroll", changed);
    }, []),
    () => {
      const top = scroller.current?.scrollTop ?? 0;
      return top > 0 && count > 0 ? headingOf(virtual.getVirtualItemForOffset(top + headSize)?.index ?? 0) : -1;
    },
  );

  const itemId = (index: number) => `${id}-${keyOf(index)}`;
  const isHere = selected >= first && selected <= last && items.length > 0;
  const { startIndex, endIndex } = virtual.range ?? { startIndex: first, endIndex: last };
  const inSight = isHere && selected >= startIndex && selected <= endIndex;
  return (
    <div className={css.frame}>
      {/* Its role is `listbox` or `grid`, which the rule cannot see. */}
      {/* eslint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div
        ref={scroller}
        className={css.scroller}
        data-pane-body=""
        data-ring={inSight ? "item" : "list"}
        role={role}
        aria-label={props.label}
        aria-rowcount={role === "grid" ? count + 1 : undefined}
        aria-multiselectable={picks !== undefined || undefined}
        data-picks={picks !== undefined || undefined}
        aria-activedescendant={isHere ? itemId(selected) : undefined}
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- as above
        tabIndex={0}
        onKeyDown={onKeyDown}
        onPointerLeave={backToTop}
      >
        {props.head?.(width)}
        {pinned >= 0 && (
          <div className={css.pin} style={{ top: headSize }} aria-hidden="true">
            <div className={css.pinned} style={{ height: sizeOf(pinned) }}>
              {props.children({ index: pinned, selected: false, width })}
            </div>
          </div>
        )}
        <div className={css.space} role={role === "grid" ? "rowgroup" : "presentation"} style={{ height: virtual.getTotalSize(), paddingTop: (items[0]?.start ?? headSize) - headSize }}>
          {items.map((item) => {
            const able = selectable(item.index);
            return (
              <ListItem
                key={keyOf(item.index)}
                id={itemId(item.index)}
                role={role}
                index={item.index}
                count={count}
                able={able}
                chosen={able && item.index === selected}
                picked={able && picks?.any ? picks.has(item.index) : undefined}
                size={item.size}
                width={width}
                onSelect={onSelect}
                onPick={onPick}
                onOpen={onOpen}
              >
                {props.children}
              </ListItem>
            );
          })}
        </div>
      </div>
    </div>
  );
}

/** How much room an element has between its edges, beside its scrollbar. */
function useInnerWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return;
    const read = () => setWidth(current.clientWidth);
    read();
    const observer = new ResizeObserver(read);
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
