import { useCallback, useMemo, useState } from "react";

import { ActionButton, Button } from "../../components/Button";
import { EmptyState, ErrorState, LoadingState } from "../../components/States";
import { VirtualList } from "../../components/VirtualList";
import { count } from "../../format/size";
import { openServers, openStart, select, useNav } from "../../places/nav";
import { useDelayed } from "../../store/useDelayed";
import { useRows } from "../../store/useRows";
import { TASK_GROUP, t } from "../../strings";
import type { Overview, TaskFilter, TaskGroup } from "../../types";
import { StartDemo } from "../first/StartDemo";
import { FilterBar } from "./FilterBar";
import { layoutOf } from "./layout";
import css from "./TaskList.module.css";
import { TaskHead, TaskLine } from "./TaskLine";

const LINE = 32;
const HEAD = 32;
const sizeOf = () => LINE;
const TYPING_MS = 150;

interface Props {
  overview: Overview | undefined;
  /** Goes on to the detail. */
  onOpen: () => void;
}

/** The middle pane: search, columns, rows. */
export function TaskList({ overview, onOpen }: Props) {
  const [text, setText] = useState("");
  const [group, setGroup] = useState<TaskGroup>();
  const server = useNav((nav) => nav.taskServer);
  const serverName = server === null ? undefined : (overview?.servers.find((other) => other.id === server)?.name ?? server);
  const allServers = () => select({ taskServer: null });
  const settled = useDelayed(text.trim(), TYPING_MS);
  const filter = useMemo<TaskFilter>(
    () => ({ servers: server === null ? [] : [server], ...(group && { group }), ...(settled !== "" && { text: settled }) }),
    [server, group, settled],
  );
  const { viewed, shown, at: rowAt, indexOf: numberOf, onRange: onRows } = useRows((window) => ({ type: "tasks", filter, ...window }));
  const layout = useMemo(() => layoutOf(shown?.total ?? 0, shown?.groups, filter.group), [shown, filter.group]);

  const selectedNumber = numberOf(useNav((nav) => nav.task));
  const lineAt = layout.lineAt;
  const onRange = useCallback(
    (first: number) => {
      const line = lineAt(first);
      onRows(line.kind === "row" ? line.row : Math.max(0, first - 3));
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
    return line.kind === "heading" ? line.group : (rowAt(line.row)?.id ?? `row-${line.row}`);
  };

  const narrowed = settled !== "" || group !== undefined || server !== null;
  return (
    <>
      <FilterBar text={text} onText={setText} group={group} onGroup={setGroup} server={serverName} onAllServers={allServers}>
        {shown !== undefined && <span className={css.total}>{t.tasks.shown(shown.total)}</span>}
        <ActionButton action="start.open" onRun={() => openStart()} className={css.start} bare />
      </FilterBar>
      {shown === undefined ? (
        viewed.error ? (
          <ErrorState error={viewed.error} onRetry={viewed.retry} />
        ) : (
          <LoadingState />
        )
      ) : layout.count === 0 ? (
        narrowed ? (
          <EmptyState title={t.tasks.noMatch} hint={t.tasks.noMatchHint}>
            <Button
              onClick={() => {
                setText("");
                setGroup(undefined);
                allServers();
              }}
            >
              {t.tasks.clear}
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
          head={<TaskHead />}
          headSize={HEAD}
          headingOf={layout.headingOf}
        >
          {({ index, selected }) => {
            const line = lineAt(index);
            if (line.kind === "row") return <TaskLine row={rowAt(line.row)} selected={selected} />;
            return (
              <div role="rowheader" aria-colspan={6} className={css.heading}>
                <strong>{TASK_GROUP[line.group]}</strong> {count(line.count)}
              </div>
            );
          }}
        </VirtualList>
      )}
    </>
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
