import { useRef, type PointerEvent } from "react";

import css from "./TaskList.module.css";

interface Props {
  /** On which side of its column it stands. */
  side: "start" | "end";
  /** The column is so wide while it is dragged, in px. */
  onDrag: (px: number) => void;
  /** It stays so wide; as it usually is without. */
  onWidth: (px: number | undefined) => void;
}

/** The edge of a column, to be dragged; a double press gives the column its usual width. With keys the columns dialog does the same. */
export function ColumnEdge({ side, onDrag, onWidth }: Props) {
  const from = useRef<{ x: number; width: number; now?: number }>(undefined);
  const move = (event: PointerEvent) => {
    if (from.current === undefined) return;
    const by = event.clientX - from.current.x;
    from.current.now = from.current.width + (side === "end" ? by : -by);
    onDrag(from.current.now);
  };
  const drop = () => {
    if (from.current?.now !== undefined) onWidth(from.current.now);
    from.current = undefined;
  };
  return (
    <span
      aria-hidden="true"
      className={css.edge}
      data-side={side}
      onPointerDown={(event) => {
        const column = event.currentTarget.parentElement;
        if (event.button !== 0 || column === null) return;
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        from.current = { x: event.clientX, width: column.getBoundingClientRect().width };
      }}
      onPointerMove={move}
      onPointerUp={drop}
      onPointerCancel={drop}
      onDoubleClick={() => onWidth(undefined)}
    />
  );
}
