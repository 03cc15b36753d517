import { useCallback, useEffect, useMemo, useRef, useState } from "react";

import { ActionButton, Button } from "../../components/Button";
import { ServerWord } from "../../components/ServerText";
import { EmptyState, ErrorState, LoadingState } from "../../components/States";
import { VirtualList } from "../../components/VirtualList";
import { count } from "../../format/size";
import { openServers, openStart, select, useNav } from "../../places/nav";
import { useClock } from "../../store/clock";
import { useDelayed } from "../../store/useDelayed";
import { usePreference } from "../../store/usePreference";
import { useRows } from "../../store/useRows";
import { t } from "../../strings";
import type { Head, Overview } from "../../types";
import { useOnlyServer } from "../filter/onlyServer";
import { TYPING_MS, useFilter } from "../filter/useFilter";
import { StartDemo } from "../first/StartDemo";
import { FilterBar } from "./FilterBar";
import { keyOf as keyOfHead, titleOf } from "./heads";
import { layoutOf } from "./layout";
import { queryOf, readShown, sortedBy, USUAL, type Shown } from "./shown";
import css from "./TaskList.module.css";
import { TaskHead, TaskLine } from "./TaskLine";

const LINE = 32;
const HEAD = 32;
const sizeOf = () => LINE;

interface Props {
  overview: Overview | undefined;
  /** Goes on to the detail. */
  onOpen: () => void;
}

/** The middle pane: filter, columns, rows. What it shows is remembered. */
export function TaskList(props: Props) {
  const [remembered, remember] = usePreference("tasks.list", readShown);
  return remembered === undefined ? <LoadingState /> : <ShownList {...props} remembered={remembered} onRemember={remember} />;
}

interface ShownProps extends Props {
  /** What was shown when the list was left. */
  remembered: Shown;
  onRemember: (shown: Shown) => void;
}

function ShownList({ overview, onOpen, remembered, onRemember }: ShownProps) {
  const [what, onWhat] = useState(remembered);
  const { tokens, sort, group } = what;
  const text = useDelayed(what.text, TYPING_MS);
  const settled = useMemo<Shown>(() => ({ tokens, text, sort, group }), [tokens, text, sort, group]);
  const last = useRef(settled);
  useEffect(() => {
    if (settled !== last.current) onRemember(settled);
    last.current = settled;
  }, [settled, onRemember]);
  const only = useOnlyServer("tasks", overview);
  const { filter, fault } = useFilter("tasks", only, what);
  const query = useMemo(() => (filter === undefined ? undefined : queryOf(what, filter)), [what, filter]);
  const { viewed, shown, at: rowAt, indexOf: numberOf, onRange: onRows } = useRows((window) => query && { type: "tasks", query, ...window });
  const layout = useMemo(() => layoutOf(shown?.total ?? 0, shown?.heads ?? []), [shown]);

  const selectedNumber = numberOf(useNav((nav) => nav.task));
  const lineAt = layout.lineAt;
  const onRange = useCallback(
    (first: number) => {
      const line = lineAt(first);
      // A head stands before its first row.
      const below = line.kind === "row" ? line : lineAt(first + 1);
      onRows(below.kind === "row" ? below.row : 0);
    },
    [lineAt, onRows],
  );
  const selectLine = (index: number) => {
    const line = lineAt(index);
    const row = line.kind === "row" ? rowAt(line.row) : undefined;
    if (row) select({ task: row.id });
  };
  const keyOf = (index: number) => {
    const line = lineAt(index);
    return line.kind === "heading" ? keyOfHead(line.head) : (rowAt(line.row)?.id ?? `row-${line.row}`);
  };

  const narrowed = filter !== "";
  return (
    <>
      <FilterBar shown={what} onShown={onWhat} fault={fault} only={only}>
        {shown !== undefined && <span className={shown.complete ? css.total : css.looking}>{shown.complete ? t.tasks.shown(shown.total) : t.filter.looking}</span>}
        <ActionButton action="start.open" onRun={() => openStart()} className={css.start} bare />
      </FilterBar>
      {/* That a list was empty under another filter says nothing of this one. */}
      {layout.count === 0 && viewed.data === undefined ? (
        viewed.error ? (
          <ErrorState error={viewed.error} onRetry={viewed.retry} />
        ) : (
          <LoadingState />
        )
      ) : layout.count === 0 ? (
        shown?.complete === false ? (
          <EmptyState title={t.filter.looking} hint={t.filter.lookingHint} />
        ) : narrowed ? (
          <EmptyState title={t.tasks.noMatch} hint={t.filter.noMatch}>
            <Button
              onClick={() => {
                onWhat({ ...USUAL, sort: what.sort, group: what.group });
                only?.onDrop();
              }}
            >
              {t.filter.clear}
            </Button>
          </EmptyState>
        ) : (
          <NoTasks servers={overview?.servers.length ?? 0} />
        )
      ) : (
        <VirtualList
          role="grid"
          label={t.tasks.list}
          count={layout.count}
          sizeOf={sizeOf}
          keyOf={keyOf}
          selectable={(index) => lineAt(index).kind === "row"}
          selected={selectedNumber < 0 ? -1 : layout.indexOf(selectedNumber)}
          onSelect={selectLine}
          onOpen={onOpen}
          onRange={onRange}
          head={<TaskHead sort={what.sort} onSort={(key) => onWhat({ ...what, sort: sortedBy(what.sort, key) })} />}
          headSize={HEAD}
          headingOf={layout.headingOf}
        >
          {({ index, selected }) => {
            const line = lineAt(index);
            if (line.kind === "row") return <TaskLine row={rowAt(line.row)} selected={selected} />;
            return <GroupHead head={line.head} />;
          }}
        </VirtualList>
      )}
    </>
  );
}

/** What the rows below have in common, and how many they are. */
function GroupHead({ head }: { head: Head }) {
  const title = useClock(useCallback((now: number) => titleOf(head, now), [head]));
  return (
    <div role="rowheader" aria-colspan={7} className={css.heading}>
      <strong>
        <ServerWord text={title} />
      </strong>{" "}
      {count(head.count)}
    </div>
  );
}

function NoTasks({ servers }: { servers: number }) {
  return servers === 0 ? (
    <EmptyState title={t.tasks.empty} hint={t.tasks.emptyNoServers}>
      <StartDemo look="primary" />
      <Button onClick={() => openServers("add")}>{t.app.addServer}</Button>
    </EmptyState>
  ) : (
    <EmptyState title={t.tasks.empty} hint={t.tasks.emptyHint}>
      <Button look="primary" onClick={() => openStart()}>
        {t.tasks.start}
      </Button>
    </EmptyState>
  );
}
