import { signalOfTask } from "../../components/lamp";
import { Button } from "../../components/Button";
import { Section } from "../../components/Section";
import { ServerText } from "../../components/ServerText";
import { StatusLamp } from "../../components/StatusLamp";
import { ErrorNote } from "../../components/States";
import { ClockTime, Elapsed } from "../../components/Time";
import { DeskError } from "../../host/error";
import { openServer } from "../../places/nav";
import { OUTCOME_ADVICE, OUTCOME_MEANS, t } from "../../strings";
import type { Outcome, TaskDetail } from "../../types";
import { ResultParts } from "../result/ResultParts";
import { NoteBlock } from "./NoteBlock";
import { endingOf, isSaid, whyOf } from "./said";
import css from "./TaskDetail.module.css";

interface Props {
  task: TaskDetail;
  outcome: Outcome;
  /** Shows what was received. */
  onRaw: () => void;
}

/** How a task ended, said once, with what can be done about it; and what came of it. */
export function Ending({ task, outcome, onRaw }: Props) {
  const { row } = task;
  const signal = signalOfTask(row);
  const fault = task.payloads.find((payload) => payload.kind === "result")?.fault;
  // What is known of this very task says more than its outcome in general, and that is said where it says more than its name.
  const why = whyOf(row);
  const means = OUTCOME_MEANS[outcome];
  return (
    <>
      <Section title={t.tasks.ending}>
        <div className={css.now} data-lamp={signal.lamp}>
          <StatusLamp lamp={signal.lamp} />
          <div className={css.said}>
            <p className={css.outcome}>{signal.word}</p>
            {why !== undefined && <ServerText text={why} limit={600} />}
            {why === undefined && !isSaid(signal.word, [means]) && <p>{means}</p>}
            {row.statusMessage && !isRepeated(row.statusMessage, task) && <ServerText text={row.statusMessage} limit={600} />}
            {OUTCOME_ADVICE[outcome] !== "" && <Advice task={task} outcome={outcome} onRaw={onRaw} />}
            {row.endedAt !== undefined && (
              <p className={css.news}>
                {t.tasks.ended} <ClockTime at={row.endedAt} />, {t.tasks.after} <Elapsed at={row.createdAt} until={row.endedAt} />.
              </p>
            )}
          </div>
        </div>
        {outcome === "ok" && row.note && <NoteBlock note={row.note} />}
      </Section>
      {task.result && (
        <Section title={t.tasks.result}>
          <ResultParts call={row.id} server={row.server} result={task.result} json={task.payloads.find((payload) => payload.kind === "result")?.json} />
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

/** What can be done, and the ways there. Running it again stands below the pane. */
function Advice({ task, outcome, onRaw }: Props) {
  const saysNothing = outcome === "tool_error" && isEmpty(task);
  return (
    <>
      <p className={css.advice}>{saysNothing ? t.tasks.toolSaysNothing : OUTCOME_ADVICE[outcome]}</p>
      <p className={css.ways}>
        <Button look="quiet" onClick={() => openServer(task.row.server)}>
          {t.tasks.checkServer}
        </Button>
        {task.payloads.length > 0 && (
          <Button look="quiet" onClick={onRaw}>
            {t.tasks.showRaw}
          </Button>
        )}
      </p>
    </>
  );
}

/** Whether the server's last message stands in what is shown anyway. */
function isRepeated(message: string, { row, result }: TaskDetail): boolean {
  return isSaid(message, endingOf(row)) || (result?.content ?? []).some((part) => part.kind === "text" && part.text.includes(message));
}

/** Whether nothing stands below that the tool says. */
function isEmpty({ result }: TaskDetail): boolean {
  return result === undefined || (result.content.length === 0 && result.structuredBytes === undefined);
}
