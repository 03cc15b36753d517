import { JsonBlock } from "../../components/JsonBlock";
import { Facts, Section } from "../../components/Section";
import { ServerText } from "../../components/ServerText";
import { ClockTime } from "../../components/Time";
import { ACTION, t } from "../../strings";
import type { RequestRow } from "../../types";
import css from "./inbox.module.css";

/** What was answered, when, and how far it got. Read-only. */
export function Receipt({ row: { state, reason, closedAt, answer } }: { row: RequestRow }) {
  const words = t.inbox.receipt;
  return (
    <Section title={words.title}>
      {state === "closed" && (
        <p>
          {reason && words.reason[reason]} {closedAt !== undefined && <ClockTime at={closedAt} seconds />}
        </p>
      )}
      {answer && (
        <Facts
          facts={[
            [words.decision, <strong key="by">{words.by(ACTION[answer.action])}</strong>],
            [words.decided, <ClockTime key="decided" at={answer.decidedAt} seconds />],
            [words.sent, <Stage key="sent" at={answer.sentAt} otherwise={words.notSent} />],
            [words.acknowledged, <Stage key="acknowledged" at={answer.acknowledgedAt} otherwise={words.notAcknowledged} />],
            [words.taken, state === "answered" ? <Stage key="taken" at={answer.takenAt} otherwise={words.notTakenYet} /> : undefined],
            [t.inbox.refusal, answer.refusal === undefined ? undefined : <ServerText key="refusal" text={answer.refusal} limit={600} />],
          ]}
        />
      )}
      {answer?.content !== undefined && <JsonBlock json={answer.content} label={t.inbox.content} />}
      {answer?.content === undefined && answer && <p className={css.quiet}>{words.noContent}</p>}
    </Section>
  );
}

function Stage({ at, otherwise }: { at: string | undefined; otherwise: string }) {
  return at === undefined ? <span className={css.quiet}>{otherwise}</span> : <ClockTime at={at} seconds />;
}
