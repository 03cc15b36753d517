import { t } from "../../strings";
import { sortedOf, type Sorted, type SortKey } from "./shown";
import css from "./TaskList.module.css";

interface Props {
  sort: string;
  /** Sorts by a key alone; or with `also` by the others first. */
  onSort: (key: string, also: boolean) => void;
}

/** The heads of the columns. A press sorts by one alone, the next press the other way round; with Shift the others stay. */
export function TaskHead({ sort, onSort }: Props) {
  const { status, tool, server, elapsed, silent, ended, ttl } = t.tasks.columns;
  const column = (key: SortKey, label: string, className: string | undefined) => {
    const sorted = sortedOf(sort, key);
    return (
      // ARIA has one sorted column: that of the first key.
      <span role="columnheader" aria-sort={sorted?.nth === 1 ? sorted.direction : undefined} className={className}>
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
      </span>
    );
  };
  return (
    <div role="rowgroup" className={css.head}>
      <div role="row" aria-rowindex={1} className={css.line}>
        <span aria-hidden="true" />
        {column("status", status, css.status)}
        {column("tool", tool, css.cut)}
        {column("server", server, `${css.cut} ${css.server}`)}
        {column("started", elapsed, `${css.number} ${css.elapsed}`)}
        {column("changed", silent, `${css.number} ${css.silent}`)}
        {column("ended", ended, `${css.number} ${css.ended}`)}
        {column("expires", ttl, `${css.number} ${css.ttl}`)}
      </div>
    </div>
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
