import { memo, useCallback, useMemo, useState } from "react";

import { ServerWord } from "../../components/ServerText";
import { VirtualList, type ListPicks } from "../../components/VirtualList";
import { count } from "../../format/size";
import { useClock } from "../../store/clock";
import { t } from "../../strings";
import type { Head, TaskRow } from "../../types";
import { widened, type Column, type Widths } from "./columns";
import { keyOf as keyOfHead, titleOf } from "./heads";
import type { Layout } from "./layout";
import css from "./TaskList.module.css";
import { TaskHead } from "./TaskHead";
import { TaskLine } from "./TaskLine";
import type { Picks } from "./usePicks";

const HEAD = 32;
const roomy = () => 32;
const compact = () => 24;

interface Props {
  layout: Layout;
  /** A row by its number; undefined while it is on its way. */
  rowAt: (row: number) => TaskRow | undefined;
  /** The number of the selected row; -1 for none. */
  selected: number;
  columns: readonly Column[];
  widths: Widths;
  onWidth: (column: Column, px: number | undefined) => void;
  /** Told how wide the list is, in px. */
  onRoom: (width: number) => void;
  /** Whether rows are low. */
  isCompact: boolean;
  sort: string;
  onSort: (key: string, also: boolean) => void;
  onRange: (first: number) => void;
  /** Takes the number of the row that is selected. */
  onChoose: (row: number) => void;
  onOpen: () => void;
  picks: Picks;
}

/** The rows under their heads. Apart from the rest, since none of it is drawn anew while somebody types. */
export const TaskLines = memo(function TaskLines({ layout, rowAt, selected, columns, widths, onWidth, onRoom, isCompact, sort, onSort, onRange, onChoose, onOpen, picks }: Props) {
  const { lineAt } = layout;
  const [dragged, setDragged] = useState<{ column: Column; px: number }>();
  const shown = useMemo(() => (dragged ? widened(widths, dragged.column, dragged.px) : widths), [widths, dragged]);
  const drop = (column: Column, px: number | undefined) => {
    setDragged(undefined);
    onWidth(column, px);
  };
  const selectLine = (index: number) => {
    const line = lineAt(index);
    if (line.kind === "row") onChoose(line.row);
  };
  const keyOf = (index: number) => {
    const line = lineAt(index);
    return line.kind === "heading" ? keyOfHead(line.head) : (rowAt(line.row)?.id ?? `row-${line.row}`);
  };
  const rowOf = (index: number) => {
    const line = lineAt(index);
    return line.kind === "row" ? line.row : undefined;
  };
  const listPicks: ListPicks = {
    any: picks.ids.size > 0,
    has: (index) => {
      const row = rowOf(index);
      const id = row === undefined ? undefined : rowAt(row)?.id;
      return id !== undefined && picks.ids.has(id);
    },
    onPick: (index, how, start) => {
      const row = rowOf(index);
      if (row === undefined) return;
      if (how === "one") picks.toggle(row);
      else picks.extend(row, (start < 0 ? undefined : rowOf(start)) ?? row);
    },
    onAll: picks.all,
    onClear: picks.clear,
  };
  return (
    <VirtualList
      role="grid"
      label={t.tasks.list}
      count={layout.count}
      sizeOf={isCompact ? compact : roomy}
      keyOf={keyOf}
      selectable={(index) => lineAt(index).kind === "row"}
      selected={selected < 0 ? -1 : layout.indexOf(selected)}
      onSelect={selectLine}
      onOpen={onOpen}
      picks={listPicks}
      onRange={onRange}
      head={(width) => <TaskHead sort={sort} onSort={onSort} columns={columns} widths={shown} onDrag={(column, px) => setDragged({ column, px })} onWidth={drop} onRoom={onRoom} width={width} />}
      headSize={HEAD}
      headingOf={layout.headingOf}
    >
      {({ index, selected, width }) => {
        const line = lineAt(index);
        if (line.kind === "row") return <TaskLine row={rowAt(line.row)} selected={selected} columns={columns} widths={shown} width={width} />;
        return <GroupHead head={line.head} span={columns.length} />;
      }}
    </VirtualList>
  );
});

/** What the rows below have in common, and how many they are. */
function GroupHead({ head, span }: { head: Head; span: number }) {
  const title = useClock(useCallback((now: number) => titleOf(head, now), [head]));
  return (
    <div role="rowheader" aria-colspan={span} className={css.heading}>
      <strong>
        <ServerWord text={title} />
      </strong>{" "}
      {count(head.count)}
    </div>
  );
}
