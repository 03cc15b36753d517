import { useState } from "react";

import { openRequest, openTask } from "../../app/nav";
import { JsonBlock } from "../../components/JsonBlock";
import { Place } from "../../components/Place";
import { Facts } from "../../components/Section";
import { ServerText, ServerWord } from "../../components/ServerText";
import { ClockTime, Left } from "../../components/Time";
import { protocolWord } from "../../format/place";
import { roughly } from "../../format/time";
import { useClock } from "../../store/clock";
import { t } from "../../strings";
import type { RequestDetail } from "../../types";
import { RequestHint } from "../first/Hint";
import css from "./inbox.module.css";
import { NEAR_MS } from "./time";
import { argumentLine, titleOf } from "./words";

/** Who asks for what, for which call, and until when. */
export function QuestionHead({ detail }: { detail: RequestDetail }) {
  const { row } = detail;
  const { title, more } = titleOf(row.message);
  // Once it is over, what the task says now and when it ends has nothing to do with the question any more.
  const over = row.state === "answered" || row.state === "closed";
  const said = over ? undefined : detail.statusMessage;
  const status = said !== undefined && said.trim() !== row.message.trim() ? said : "";
  return (
    <>
      <div>
        <h1 className={css.title}>
          <ServerWord text={title} />
        </h1>
        <Asker detail={detail} />
      </div>
      <RequestHint row={row} />
      <div className={css.identity}>
        <Facts
          facts={[
            [t.inbox.server, <ServerPlace key="place" detail={detail} />],
            [t.inbox.arguments, <Arguments key="arguments" json={detail.arguments} />],
            [t.inbox.deadline, over ? undefined : <Deadline key="deadline" detail={detail} />],
          ]}
        />
      </div>
      {more && <Quote title={t.inbox.says} text={row.message} />}
      {status !== "" && <Quote title={more ? t.inbox.saysOfTask : t.inbox.says} text={status} />}
      <Others siblings={detail.siblings} />
    </>
  );
}

function Asker({ detail: { row, callCreatedAt } }: { detail: RequestDetail }) {
  const { call } = row;
  return (
    <p className={css.asker}>
      <strong>
        <ServerWord text={row.serverName} />
      </strong>{" "}
      {t.inbox.asks}, {row.tool === "" ? `${t.inbox.forTask} ${t.inbox.adoptedTool}` : t.inbox.forToolCall}{" "}
      {row.tool !== "" && (
        <strong>
          <ServerWord text={row.tool} />
        </strong>
      )}{" "}
      {callCreatedAt !== undefined && row.tool !== "" && <Started at={callCreatedAt} />}
      {call !== undefined && (
        <button type="button" className={css.link} onClick={() => openTask(call)}>
          {t.inbox.showTask}
        </button>
      )}
    </p>
  );
}

function Started({ at }: { at: string }) {
  const [before, after] = t.inbox.startedByYou("\u0000").split("\u0000");
  return (
    <>
      {before}
      <ClockTime at={at} />
      {after}
    </>
  );
}

function ServerPlace({ detail }: { detail: RequestDetail }) {
  const protocol = protocolWord(detail.protocolVersion);
  return (
    <>
      <Place place={detail.place} />
      {protocol !== "" && ` · ${protocol}`}
    </>
  );
}

function Arguments({ json }: { json: string | undefined }) {
  const [whole, setWhole] = useState(false);
  const line = argumentLine(json);
  if (json === undefined || line === "") return <span className={css.quiet}>{t.inbox.noArguments}</span>;
  return (
    <div className={css.arguments}>
      {whole ? <JsonBlock json={json} label={t.inbox.arguments} limit={2_000} /> : <code className={css.argumentLine}>{line}</code>}
      <button type="button" className={css.link} aria-expanded={whole} onClick={() => setWhole(!whole)}>
        {whole ? t.app.showLess : t.inbox.showJson}
      </button>
    </div>
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

function Quote({ title, text }: { title: string; text: string }) {
  return (
    <section className={css.quote} aria-label={title}>
      <div className={css.quoteHead}>{title}</div>
      <ServerText text={text} />
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
      <JsonBlock json={detail.raw} label={t.inbox.raw} />
    </details>
  );
}
