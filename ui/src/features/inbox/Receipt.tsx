import { useCallback } from "react";

import { JsonBlock } from "../../components/JsonBlock";
import { ACTION_LAMP } from "../../components/lamp";
import { Facts, Section } from "../../components/Section";
import { ServerText } from "../../components/ServerText";
import { StatusLamp } from "../../components/StatusLamp";
import { visible } from "../../format/text";
import { absolute, clock, clockSeconds, ms } from "../../format/time";
import { useClock } from "../../store/clock";
import { ACTION, noteWords, t } from "../../strings";
import type { Action, CloseReason, RequestDetail, RequestRow, UrlView } from "../../types";
import css from "./inbox.module.css";
import { Address } from "./PagePanel";
import { Sentence } from "./Sentence";
import type { Stage } from "./stage";
import { useBy } from "./useBy";
import { asksSecret, noOf, shownContent } from "./words";

/** What was answered and by whom, when, and how far it got. Read-only. */
export function Receipt({ detail, stage }: { detail: RequestDetail; stage: Stage }) {
  const { row, url, identity } = detail;
  const { state, reason, closedAt, answer } = row;
  const words = t.inbox.receipt;
  const over = stage === "over";
  const agreed = answer?.action === "accept";
  // Of an opening of which nobody saw the end, its own fact says what is known.
  const isKnown = row.visitedAt !== undefined || (agreed && row.visitingAt === undefined);
  const content = shownContent(answer, over ? (detail.keepsSecrets ? words.secretKept : words.secret) : undefined);
  const no = noOf(detail);
  // A no that is no answer on its wire: what goes out for it, if anything, is said in its place.
  const shapeless = answer !== undefined && answer.action !== "accept" && no !== "told";
  // A reply on the connection itself gets none, and its question is not asked again.
  const replies = identity.kind === "wire";
  return (
    <Section title={over ? words.title : words.answer}>
      {state === "closed" && (
        <>
          {reason && <p>{whyClosed(detail, reason)}</p>}
          {closedAt !== undefined && <Facts facts={[[words.closed, <At key="closed" at={closedAt} />]]} />}
        </>
      )}
      {answer && (
        <Facts
          facts={[
            [words.decision, <Decision key="by" row={row} action={answer.action} />],
            [words.decided, <At key="decided" at={answer.decidedAt} />],
            [words.address, over && url ? <Address key="address" url={url} /> : undefined],
            [words.host, over && agreed && url && url.host !== "" ? <Host key="host" url={url} /> : undefined],
            [words.openedAt, over && url && isKnown ? <Stamp key="opened" at={row.visitedAt} otherwise={words.notOpened} /> : undefined],
            [words.openingAt, over && url && row.visitingAt !== undefined ? <Began key="began" at={row.visitingAt} /> : undefined],
            [words.sent, <Stamp key="sent" at={answer.sentAt} otherwise={words.notSent} />],
            [words.acknowledged, replies || shapeless ? undefined : <Stamp key="acknowledged" at={answer.acknowledgedAt} otherwise={words.notAcknowledged} />],
            [words.taken, state === "answered" && !replies ? <Stamp key="taken" at={answer.takenAt} otherwise={words.notTakenYet} /> : undefined],
            [words.remark, answer.remark === undefined ? undefined : <ServerText key="remark" text={answer.remark} limit={600} />],
            [t.inbox.refusal, answer.refusal === undefined ? undefined : <ServerText key="refusal" text={noteWords(answer.refusal)} limit={600} />],
          ]}
        />
      )}
      {content !== undefined && <JsonBlock json={content} label={t.inbox.content} />}
      {answer && answer.content === undefined && !shapeless && <p className={css.quiet}>{words.noContent}</p>}
      {shapeless && state !== "closed" && <p className={css.quiet}>{t.inbox.no.decline[no]}</p>}
    </Section>
  );
}

function whyClosed(detail: RequestDetail, reason: CloseReason): string {
  const words = t.inbox.receipt;
  if (reason === "declined_by_us") return words.declined[noOf(detail)];
  if (reason === "lapsed") return words.lapsed(asksSecret(detail));
  return words.reason[reason === "task_ended" ? endOf(detail) : reason];
}

/** What came to its end with the question: its task, or the call that no task was made of. */
function endOf({ row, round, identity }: RequestDetail): "task_ended" | "call_ended" | "not_made_again" {
  if (identity.kind !== "round") return "task_ended";
  return round?.paged && row.answer === undefined ? "not_made_again" : "call_ended";
}

/** What was decided, by whom. Only a yes is a tick. */
function Decision({ row, action }: { row: RequestRow; action: Action }) {
  const by = useBy(row);
  return (
    <span className={css.decision}>
      <StatusLamp lamp={ACTION_LAMP[action]} />
      <strong>{by(ACTION[action])}</strong>
    </span>
  );
}

function Stamp({ at, otherwise }: { at: string | undefined; otherwise: string }) {
  return at === undefined ? <span className={css.quiet}>{otherwise}</span> : <At at={at} />;
}

/** The host of a page, as it is sent and as it reads. */
function Host({ url: { host, reads } }: { url: UrlView }) {
  return (
    <>
      <bdi translate="no">{visible(host)}</bdi>
      {reads !== undefined && <Sentence text={t.inbox.receipt.hostReads} part={<bdi translate="no">{visible(reads)}</bdi>} />}
    </>
  );
}

/** An opening of which nobody saw the end. */
function Began({ at }: { at: string }) {
  return (
    <>
      <At at={at} />, {t.inbox.receipt.unseen}
    </>
  );
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
