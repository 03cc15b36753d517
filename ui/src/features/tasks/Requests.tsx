import { JsonBlock } from "../../components/JsonBlock";
import { Section } from "../../components/Section";
import { ErrorState, LoadingState } from "../../components/States";
import { ClockTime } from "../../components/Time";
import { bytes } from "../../format/size";
import { absolute, latency, ms } from "../../format/time";
import { useView } from "../../store/useView";
import { headline, t } from "../../strings";
import type { Brought, CallId, Exchange, TaskMethod } from "../../types";
import css from "./Requests.module.css";

/** What tells the state of a task. */
const STATES: readonly TaskMethod[] = ["tasks/get", "notifications/tasks"];

/** What went between us and the server about a task, as far as the owner remembers it. */
export function Requests({ call }: { call: CallId }) {
  const { data, error, retry } = useView({ type: "request_log", call });
  if (data === undefined) return error ? <ErrorState error={error} onRetry={retry} /> : <LoadingState />;
  const since = <ClockTime at={data.since} />;
  if (data.exchanges.length === 0) {
    return (
      <p className={css.hint}>
        {t.tasks.requestsNone} {since}. {t.tasks.requestsBefore}
      </p>
    );
  }
  return (
    <>
      <Section title={t.tasks.requests}>
        <p className={css.hint}>
          {t.tasks.requestsSince} {since}. {t.tasks.requestsHint}
          {data.leftOut > 0 && ` ${t.tasks.requestsLeftOut(data.leftOut)}`}
        </p>
        <ol className={css.lines}>
          {[...data.exchanges].reverse().map((exchange, index) => (
            <Line key={data.exchanges.length - index} exchange={exchange} />
          ))}
        </ol>
      </Section>
      {data.states.length > 0 && (
        <Section title={t.tasks.states}>
          {[...data.states].reverse().map(({ at, json }, index) => (
            <details key={data.states.length - index} className={css.state}>
              <summary>
                <ClockTime at={at} seconds /> · {bytes(json.length)}
              </summary>
              <JsonBlock json={json} label={t.tasks.stateAt(absolute(ms(at)))} received />
            </details>
          ))}
        </Section>
      )}
    </>
  );
}

function Line({ exchange: { method, times, firstAt, at, tookMs, bytes: size, brought } }: { exchange: Exchange }) {
  const facts = [said(brought, method), tookMs !== undefined && latency(tookMs), size !== undefined && bytes(size)].filter(Boolean);
  return (
    <li className={css.line} data-as={brought.as}>
      <span className={css.time}>
        <ClockTime at={at} seconds />
      </span>
      <span>
        <code>{method}</code>
        {times > 1 && (
          <span className={css.times}>
            {" "}
            {t.tasks.requestTimes(times)} <ClockTime at={firstAt} seconds />
          </span>
        )}
      </span>
      <span className={css.facts}>{facts.join(" · ")}</span>
    </li>
  );
}

function said(brought: Brought, method: TaskMethod): string {
  if (brought.as === "same") return t.tasks.brought.same;
  if (brought.as === "news") return STATES.includes(method) ? t.tasks.brought.state : t.tasks.brought.answer;
  const words = headline(brought.code) ?? brought.code;
  return brought.number === undefined ? words : `${words} (${brought.number})`;
}
