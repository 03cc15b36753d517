import { useCallback, useState } from "react";

import { later } from "../../components/later";
import { EmptyState, LoadingState } from "../../components/States";
import { total } from "../../format/counts";
import { useNav } from "../../places/nav";
import { Panes } from "../../places/Panes";
import { t } from "../../strings";
import type { Overview } from "../../types";
import { Picking } from "./picking";
import { TaskList } from "./TaskList";

const TaskDetailPane = later(async () => (await import("./TaskDetailPane")).TaskDetailPane);

/** Tasks: a list of them, and all about one. */
export function TasksPlace({ overview }: { overview: Overview | undefined }) {
  const task = useNav((nav) => nav.task);
  const isAwaited = useNav((nav) => nav.awaited !== null);
  const [detail, setDetail] = useState<HTMLElement | null>(null);
  const [picking, setPicking] = useState(false);
  const open = useCallback(() => detail?.focus(), [detail]);
  return (
    <Picking value={picking}>
      <Panes
        favour="list"
        list={<TaskList overview={overview} onOpen={open} onPicking={setPicking} />}
        detail={
          isAwaited ? (
            <LoadingState />
          ) : task === null ? (
            <EmptyState title={t.tasks.noneChosen} hint={overview && total(overview.tasks) > 0 ? t.tasks.pick : t.tasks.pickNone} />
          ) : (
            <TaskDetailPane key={task} call={task} bodyRef={setDetail} />
          )
        }
      />
    </Picking>
  );
}
