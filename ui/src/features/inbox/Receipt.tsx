import { useCallback } from "react";

import { JsonBlock } from "../../components/JsonBlock";
import { Facts, Section } from "../../components/Section";
import { ServerText } from "../../components/ServerText";
import { absolute, clock, clockSeconds, ms } from "../../format/time";
import { useClock } from "../../store/clock";
import { ACTION, t } from "../../strings";
import type { RequestRow } from "../../types";
import css from "./inbox.module.css";

/** What was answered, when, and how far it got. Read-only. */
export function Receipt({ row: { state, reason, closedAt, answer } }: { row: RequestRow }) {
  const words = t.inbox.receipt;
  return (
    <Section title={state === "held" || state === "sending" ? words.answer : words.title}>
      {state === "closed" && (
        <>
          {reason && <p>{words.reason[reason]}</p>}
          {closedAt !== undefined && <Facts facts={[[words.closed, <At key="closed" at={closedAt} />]]} />}
        </>
      )}
      {answer && (
        <Facts
          facts={[
            [words.decision, <strong key="by">{words.by(ACTION[answer.action])}</strong>],
            [words.decided, <At key="decided" at={answer.decidedAt} />],
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
  return at === undefined ? <span className={css.quiet}>{otherwise}</span> : <At at={at} />;
}

/** To the second today, else with the day. */
function At({ at }: { at: string }) {
  const read = useCallback((now: number) => (now - ms(at) < 12 * 3_600_000 ? clockSeconds(ms(at)) : clock(ms(at), now)), [at]);
  const text = useClock(read);
  return (
    <time dateTime={at} title={absolute(ms(at))}>
      {text}
    </time>
  );
}
