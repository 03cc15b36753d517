import { useEffect, type ReactNode } from "react";

import { t } from "../../strings";
import { ColumnEdge } from "./ColumnEdge";
import { fitting, isSized, NO_WIDTHS, sortOf, trackOf, USUAL_COLUMNS, type Column, type Widths } from "./columns";
import { sortedOf, type Sorted } from "./shown";
import { CELL } from "./TaskLine";
import css from "./TaskList.module.css";

interface Props {
  sort: string;
  /** Sorts by a key alone; or with `also` by the others first. */
  onSort: (key: string, also: boolean) => void;
  columns?: readonly Column[];
  widths?: Widths;
  /** A column is so wide while its edge is dragged. */
  onDrag?: (column: Column, px: number) => void;
  /** The edge is let go; or without a width, the column shall be as it usually is. */
  onWidth?: (column: Column, px: number | undefined) => void;
  /** Told how much room there is, once that is another. */
  onRoom?: (width: number) => void;
  /** How much room there is, in px; 0 where that is not known. */
  width?: number;
}

/** The heads of the columns. A press sorts by one alone, the next press the other way round; with Shift the others stay. */
export function TaskHead({ sort, onSort, columns = USUAL_COLUMNS, widths = NO_WIDTHS, onDrag, onWidth, onRoom, width = 0 }: Props) {
  useEffect(() => onRoom?.(width), [onRoom, width]);
  const shown = fitting(columns, width, widths);
  const tool = shown.indexOf("tool");
  return (
    <div role="rowgroup" className={css.head}>
      <div role="row" aria-rowindex={1} className={css.line} style={{ gridTemplateColumns: trackOf(shown, widths) }}>
        <span aria-hidden="true" />
        {columns.includes("status") && !shown.includes("status") && (
          <span role="columnheader" className="unseen">
            {t.tasks.columns.status}
          </span>
        )}
        {shown.map((column, index) => (
          <ColumnHead key={column} column={column} sort={sort} onSort={onSort}>
            {/* The tool's room ends where the others begin: that edge is the one that moves. */}
            {onDrag && onWidth && isSized(column) && (
              <ColumnEdge side={index < tool ? "end" : "start"} onDrag={(px) => onDrag(column, px)} onWidth={(px) => onWidth(column, px)} />
            )}
          </ColumnHead>
        ))}
      </div>
    </div>
  );
}

function ColumnHead({ column, sort, onSort, children }: Pick<Props, "sort" | "onSort"> & { column: Column; children: ReactNode }) {
  const key = sortOf(column);
  const label = t.tasks.columns[column];
  if (key === undefined) {
    return (
      <span role="columnheader" className={`${css.column} ${CELL[column]}`} title={label}>
        <span className={css.name}>{label}</span>
        {children}
      </span>
    );
  }
  const sorted = sortedOf(sort, key);
  return (
    // ARIA has one sorted column: that of the first key.
    <span role="columnheader" aria-sort={sorted?.nth === 1 ? sorted.direction : undefined} className={`${css.column} ${CELL[column]}`}>
      <button
        type="button"
        className={css.sort}
        title={t.tasks.sortHint}
        data-sorted={sorted?.direction}
        onClick={(event) => onSort(key, event.shiftKey)}
        onKeyDown={(event) => {
          // WebKitGTK's own press by a key does not tell that Shift is held.
          if (!event.shiftKey || (event.key !== "Enter" && event.key !== " ")) return;
          event.preventDefault();
          if (!event.repeat) onSort(key, true);
        }}
      >
        {label}
        {sorted !== undefined && <Mark sorted={sorted} />}
      </button>
      {children}
    </span>
  );
}

/** Which way a column is sorted, and as which of several. */
function Mark({ sorted: { direction, nth, of } }: { sorted: Sorted }) {
  return (
    <>
      <span aria-hidden="true">
        {direction === "ascending" ? " ↑" : " ↓"}
        {of > 1 && <small className={css.nth}>{nth}</small>}
      </span>
      {of > 1 && <span className="unseen">, {t.tasks.sortedAs(nth, of, direction)}</span>}
    </>
  );
}
