import { useState } from "react";

import { Panes } from "../../app/Panes";
import { useNav } from "../../app/nav";
import { EmptyState } from "../../components/States";
import { t } from "../../strings";
import type { Overview } from "../../types";
import { TaskDetailPane } from "./TaskDetailPane";
import { TaskList } from "./TaskList";

function hasTasks(overview: Overview | undefined): boolean {
  const { needsYou, working, ended } = overview?.tasks ?? { needsYou: 0, working: 0, ended: 0 };
  return needsYou + working + ended > 0;
}

/** Tasks: all calls in three groups, and all about one of them. */
export function TasksPlace({ overview }: { overview: Overview | undefined }) {
  const task = useNav((nav) => nav.task);
  const [detail, setDetail] = useState<HTMLElement | null>(null);
  return (
    <Panes
      favour="list"
      list={<TaskList overview={overview} onOpen={() => detail?.focus()} />}
      detail={
        task === null ? (
          <EmptyState title={t.tasks.noneChosen} hint={hasTasks(overview) ? t.tasks.pick : t.tasks.pickNone} />
        ) : (
          <TaskDetailPane key={task} call={task} bodyRef={setDetail} />
        )
      }
    />
  );
}
