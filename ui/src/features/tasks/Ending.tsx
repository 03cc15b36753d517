import { signalOfTask } from "../../components/lamp";
import { JsonBlock } from "../../components/JsonBlock";
import { Section } from "../../components/Section";
import { ServerText } from "../../components/ServerText";
import { StatusLamp } from "../../components/StatusLamp";
import { ErrorNote } from "../../components/States";
import { ClockTime, Elapsed } from "../../components/Time";
import { DeskError } from "../../host/error";
import { OUTCOME_MEANS, t } from "../../strings";
import type { Outcome, TaskDetail } from "../../types";
import { NoteBlock } from "./NoteBlock";
import { ResultParts } from "./ResultParts";
import css from "./TaskDetail.module.css";

/** How a task ended, and what came of it. */
export function Ending({ task, outcome }: { task: TaskDetail; outcome: Outcome }) {
  const { row } = task;
  const signal = signalOfTask(row);
  const fault = task.payloads.find((payload) => payload.kind === "result")?.fault;
  return (
    <>
      <Section title={t.tasks.ending}>
        <div className={css.now} data-lamp={signal.lamp}>
          <StatusLamp lamp={signal.lamp} />
          <div className={css.said}>
            <p className={css.outcome}>{signal.word}</p>
            <p className={css.news}>
              {OUTCOME_MEANS[outcome]}
              {row.endedAt !== undefined && (
                <>
                  {" "}
                  {t.tasks.ended} <ClockTime at={row.endedAt} />, {t.tasks.after} <Elapsed at={row.createdAt} until={row.endedAt} />.
                </>
              )}
            </p>
            {row.statusMessage && <ServerText text={row.statusMessage} limit={600} />}
          </div>
        </div>
        {row.note && <NoteBlock note={row.note} />}
      </Section>
      {task.error !== undefined && (
        <Section title={t.tasks.error}>
          <JsonBlock json={task.error} label={t.tasks.error} />
        </Section>
      )}
      {task.result && (
        <Section title={t.tasks.result}>
          <ResultParts result={task.result} />
        </Section>
      )}
      {fault && (
        <Section title={t.tasks.result}>
          <ErrorNote error={new DeskError(fault)} />
        </Section>
      )}
    </>
  );
}
