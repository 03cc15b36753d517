import { memo, type MouseEvent, type ReactNode } from "react";

import css from "./VirtualList.module.css";

/** What a rendered item must know of its place. */
export interface ItemPlace {
  index: number;
  selected: boolean;
  /** How wide it is, in px. */
  width: number;
}

interface Props {
  id: string;
  /** Of the list. */
  role: "listbox" | "grid";
  index: number;
  /** How many items there are. */
  count: number;
  /** Whether it can be selected. */
  able: boolean;
  /** Whether it is. */
  chosen: boolean;
  /** Whether it is picked, while any is. */
  picked: boolean | undefined;
  /** Its height in px. */
  size: number;
  /** Its width in px. */
  width: number;
  onSelect: (index: number, by: "pointer") => void;
  /** Where several can be picked: this one, or all up to it. */
  onPick: ((index: number, how: "one" | "range") => void) | undefined;
  onOpen: ((index: number) => void) | undefined;
  children: (place: ItemPlace) => ReactNode;
}

/** An item of a list. While the list scrolls, those that stay in sight are not drawn anew. */
export const ListItem = memo(function ListItem({ id, role, index, count, able, chosen, picked, size, width, onSelect, onPick, onOpen, children }: Props) {
  const isOption = role === "listbox" && able;
  const press = (event: MouseEvent) => {
    if (onPick && (event.ctrlKey || event.metaKey)) onPick(index, "one");
    else if (onPick && event.shiftKey) onPick(index, "range");
    else onSelect(index, "pointer");
  };
  return (
    // The keyboard goes through the list itself, which names this item as its active descendant.
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <div
      id={id}
      className={css.item}
      role={role === "grid" ? "row" : able ? "option" : "presentation"}
      aria-rowindex={role === "grid" ? index + 2 : undefined}
      aria-selected={able ? (picked ?? chosen) : undefined}
      data-current={chosen || undefined}
      data-picked={picked || undefined}
      aria-setsize={isOption ? count : undefined}
      aria-posinset={isOption ? index + 1 : undefined}
      style={{ height: size }}
      onClick={able ? press : undefined}
      onDoubleClick={able ? () => onOpen?.(index) : undefined}
    >
      {children({ index, selected: chosen, width })}
    </div>
  );
});
