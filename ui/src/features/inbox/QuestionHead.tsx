import { ArgumentRows } from "../../components/ArgumentRows";
import { JsonBlock } from "../../components/JsonBlock";
import { Place } from "../../components/Place";
import { RichText } from "../../components/RichText";
import { Facts } from "../../components/Section";
import { ServerWord } from "../../components/ServerText";
import { ClockTime, Left } from "../../components/Time";
import { protocolWord } from "../../format/place";
import { NEAR_MS, roughly } from "../../format/time";
import { openRequest, openTask } from "../../places/nav";
import { useClock } from "../../store/clock";
import { t } from "../../strings";
import type { RequestDetail, RequestRow } from "../../types";
import { RequestHint } from "../first/Hint";
import css from "./inbox.module.css";
import { Sentence } from "./Sentence";
import { Why } from "./Why";
import { SAMPLING, titleOf } from "./words";

interface Props {
  detail: RequestDetail;
  /** What the task says now and when it ends has nothing to do with the question any more. */
  over: boolean;
  /** How many questions stand on the sheet. */
  count: number;
}

/** Who asks for what, for which call, and until when. Several questions at once stand below it, each with its own words. */
export function QuestionHead({ detail, over, count }: Props) {
  const { row } = detail;
  // No arguments are known then, and a deadline only where the server has taken one on.
  const ofNone = row.call === undefined;
  const said = over ? undefined : detail.statusMessage;
  const status = said !== undefined && said.trim() !== row.message.trim() ? said : "";
  return (
    <>
      <div>
        <h1 className={css.title}>{count > 1 ? t.inbox.round.title(count) : <ServerWord text={titleOf(row).title} />}</h1>
        <Asker detail={detail} count={count} />
      </div>
      <RequestHint row={row} />
      <div className={css.identity}>
        <Facts
          facts={[
            [t.inbox.server, <ServerPlace key="place" detail={detail} />],
            [t.inbox.arguments, ofNone ? undefined : <ArgumentRows key="arguments" json={detail.arguments} />],
            [t.inbox.snooze.fact, row.snoozed && <Snoozed key="snoozed" row={row} />],
            [t.inbox.deadline, over || (ofNone && row.expiresAt === undefined) ? undefined : <Deadline key="deadline" detail={detail} />],
          ]}
        />
      </div>
      {count === 1 && <Message row={row} />}
      {status !== "" && <Quote title={t.inbox.saysOfTask} text={status} />}
      {detail.round === undefined && <Others siblings={detail.siblings} />}
    </>
  );
}

/** What the server says beyond the title; what it wants of a model stands in the request itself. */
export function Message({ row }: { row: RequestRow }) {
  return row.method !== SAMPLING && titleOf(row).more && <Quote title={t.inbox.says} text={row.message} />;
}

function Asker({ detail, count }: { detail: RequestDetail; count: number }) {
  const { row, callCreatedAt } = detail;
  const { call } = row;
  return (
    <p className={css.asker}>
      <strong>
        <ServerWord text={row.serverName} />
      </strong>{" "}
      {count > 1 ? t.inbox.round.asks(count) : t.inbox.asks},{" "}
      {askedFor(row)}{" "}
      {row.tool !== "" && (
        <strong>
          <ServerWord text={row.tool} />
        </strong>
      )}{" "}
      {callCreatedAt !== undefined && row.tool !== "" && <Sentence text={t.inbox.startedByYou} part={<ClockTime at={callCreatedAt} />} />}
      {count > 1 && `. ${t.inbox.round.together}`}{" "}
      {call !== undefined && (
        <>
          <span className={css.whole}>
            <button type="button" className={css.link} onClick={() => openTask(call)}>
              {t.inbox.showTask}
            </button>
            {" ·"}
          </span>{" "}
        </>
      )}
      <Why detail={detail} />
    </p>
  );
}

/** What it is for, as far as it is known: servers of the legacy wire may ask without saying so. */
function askedFor(row: RequestRow): string {
  if (row.call === undefined) return t.inbox.forUnknown;
  return row.tool === "" ? `${t.inbox.forTask} ${t.inbox.adoptedTool}` : t.inbox.forToolCall;
}

function ServerPlace({ detail }: { detail: RequestDetail }) {
  const protocol = protocolWord(detail.protocolVersion);
  return (
    <>
      <Place place={detail.place} />
      {protocol !== "" && " · "}
      <bdi className={css.protocol}>{protocol}</bdi>
    </>
  );
}

function Deadline({ detail: { row, ttlMs } }: { detail: RequestDetail }) {
  const at = row.expiresAt;
  const passed = useClock((now) => at !== undefined && Date.parse(at) <= now);
  const ttl = ttlMs !== undefined && ` (${t.inbox.ttl(roughly(ttlMs))})`;
  if (at === undefined) return <span className={css.quiet}>{t.inbox.noDeadline}</span>;
  return (
    <>
      <ClockTime at={at} />,{" "}
      {passed ? (
        t.inbox.deadlinePassed
      ) : (
        <>
          {t.inbox.deadlineIn} <Left at={at} warnMs={NEAR_MS} className={css.near} />
        </>
      )}
      <span className={css.quiet}>{ttl}</span>
    </>
  );
}

function Snoozed({ row: { snoozed, returnsAt } }: { row: RequestRow }) {
  const words = t.inbox.snooze;
  const change = snoozed?.until === "change";
  if (returnsAt === undefined) return change ? words.untilChange : words.untilExpiry;
  return (
    <>
      {change ? words.untilChangeOr : words.back} <ClockTime at={returnsAt} />
    </>
  );
}

function Quote({ title, text }: { title: string; text: string }) {
  return (
    <section className={css.quote} aria-label={title}>
      <div className={css.quoteHead}>{title}</div>
      <RichText text={text} />
    </section>
  );
}

function Others({ siblings: [first, ...rest] }: { siblings: readonly string[] }) {
  if (first === undefined) return null;
  return (
    <p className={css.quiet}>
      {t.inbox.others(rest.length + 1)}{" "}
      <button type="button" className={css.link} onClick={() => openRequest(first)}>
        {t.inbox.another}
      </button>
    </p>
  );
}

/** The request as it came, for who wants to see it. */
export function Raw({ detail, open = false }: { detail: RequestDetail; open?: boolean }) {
  return (
    <details className={css.raw} open={open}>
      <summary>{t.inbox.raw}</summary>
      {detail.raw === "null" ? <p>{t.inbox.rawGone}</p> : <JsonBlock json={detail.raw} label={t.inbox.raw} received />}
    </details>
  );
}
