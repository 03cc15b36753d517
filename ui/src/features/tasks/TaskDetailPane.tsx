import { useState, type Ref } from "react";

import { EmptyState, ErrorState, LoadingState } from "../../components/States";
import { Tabs } from "../../components/Tabs";
import { PaneBar, PaneBody, Spring } from "../../places/Panes";
import { useView } from "../../store/useView";
import { t } from "../../strings";
import type { CallId, TaskDetail } from "../../types";
import { TaskHint } from "../first/Hint";
import { Compare } from "./Compare";
import { CopyCommand } from "./CopyCommand";
import { Ending } from "./Ending";
import { Now } from "./Now";
import { Own } from "./Own";
import { Questions } from "./Questions";
import { RawPayloads } from "./RawPayloads";
import { Requests } from "./Requests";
import { TaskFoot } from "./TaskFoot";
import { TaskTitle } from "./TaskTitle";
import { Timeline } from "./Timeline";
import { ArgumentRows } from "../../components/ArgumentRows";
import { Section } from "../../components/Section";
import css from "./TaskDetail.module.css";

type Tab = "overview" | "requests" | "raw";

const TABS = [
  { value: "overview", label: t.tasks.overview },
  { value: "requests", label: t.tasks.requests },
  { value: "raw", label: t.tasks.raw },
] as const;

interface Props {
  call: CallId;
  /** Gets the focus when the task is opened. */
  bodyRef: Ref<HTMLDivElement>;
}

/** The right pane: all about one task. */
export function TaskDetailPane({ call, bodyRef }: Props) {
  const [tab, setTab] = useState<Tab>("overview");
  const { data, error, retry } = useView({ type: "task", call });
  if (data === undefined) return error ? <ErrorState error={error} onRetry={retry} /> : <LoadingState />;
  if (data === null) return <EmptyState title={t.tasks.gone} hint={t.tasks.goneHint} />;
  return (
    <>
      <PaneBar>
        <Tabs label={t.tasks.detail} value={tab} onChange={setTab} tabs={TABS} />
        <Spring />
        <span className={css.id}>{data.row.id}</span>
      </PaneBar>
      <PaneBody label={t.tasks.detail} ref={bodyRef}>
        <TaskTitle task={data} />
        <TaskHint row={data.row} />
        {tab === "overview" && <Story task={data} onRaw={() => setTab("raw")} />}
        {tab === "requests" && <Requests call={call} />}
        {tab === "raw" && <RawPayloads task={data} />}
      </PaneBody>
      <TaskFoot task={data} />
    </>
  );
}

function Story({ task, onRaw }: { task: TaskDetail; onRaw: () => void }) {
  return (
    <>
      {task.row.outcome ? <Ending task={task} outcome={task.row.outcome} onRaw={onRaw} /> : <Now task={task} />}
      {task.runBefore !== undefined && <Compare key={task.row.id} call={task.row.id} />}
      {task.requests.length > 0 && <Questions task={task} />}
      <Own task={task} />
      <Timeline task={task} below />
      {task.arguments !== undefined && (
        <Section title={t.tasks.arguments}>
          <ArgumentRows json={task.arguments} />
          <CopyCommand task={task} />
        </Section>
      )}
    </>
  );
}
