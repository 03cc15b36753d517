import { memo, useCallback } from "react";

import { ServerWord } from "../../components/ServerText";
import { VirtualList } from "../../components/VirtualList";
import { count } from "../../format/size";
import { useClock } from "../../store/clock";
import { t } from "../../strings";
import type { Head, TaskRow } from "../../types";
import { keyOf as keyOfHead, titleOf } from "./heads";
import type { Layout } from "./layout";
import css from "./TaskList.module.css";
import { TaskHead } from "./TaskHead";
import { TaskLine } from "./TaskLine";

const LINE = 32;
const HEAD = 32;
const sizeOf = () => LINE;

interface Props {
  layout: Layout;
  /** A row by its number; undefined while it is on its way. */
  rowAt: (row: number) => TaskRow | undefined;
  /** The number of the selected row; -1 for none. */
  selected: number;
  sort: string;
  onSort: (key: string, also: boolean) => void;
  onRange: (first: number) => void;
  /** Takes the number of the row that is selected. */
  onChoose: (row: number) => void;
  onOpen: () => void;
}

/** The rows under their heads. Apart from the rest, since none of it is drawn anew while somebody types. */
export const TaskLines = memo(function TaskLines({ layout, rowAt, selected, sort, onSort, onRange, onChoose, onOpen }: Props) {
  const { lineAt } = layout;
  const selectLine = (index: number) => {
    const line = lineAt(index);
    if (line.kind === "row") onChoose(line.row);
  };
  const keyOf = (index: number) => {
    const line = lineAt(index);
    return line.kind === "heading" ? keyOfHead(line.head) : (rowAt(line.row)?.id ?? `row-${line.row}`);
  };
  return (
    <VirtualList
      role="grid"
      label={t.tasks.list}
      count={layout.count}
      sizeOf={sizeOf}
      keyOf={keyOf}
      selectable={(index) => lineAt(index).kind === "row"}
      selected={selected < 0 ? -1 : layout.indexOf(selected)}
      onSelect={selectLine}
      onOpen={onOpen}
      onRange={onRange}
      head={<TaskHead sort={sort} onSort={onSort} />}
      headSize={HEAD}
      headingOf={layout.headingOf}
    >
      {({ index, selected }) => {
        const line = lineAt(index);
        if (line.kind === "row") return <TaskLine row={rowAt(line.row)} selected={selected} />;
        return <GroupHead head={line.head} />;
      }}
    </VirtualList>
  );
});

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
