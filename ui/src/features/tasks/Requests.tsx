import { JsonBlock } from "../../components/JsonBlock";
import { Section } from "../../components/Section";
import { ErrorState, LoadingState } from "../../components/States";
import { ClockTime } from "../../components/Time";
import { bytes, count } from "../../format/size";
import { absolute, latency, ms } from "../../format/time";
import { useView } from "../../store/useView";
import { headline, t } from "../../strings";
import type { Brought, CallId, Exchange, TaskMethod } from "../../types";
import css from "./Requests.module.css";

const WORDS = t.tasks.exchange;
/** What tells the state of a task. */
const STATES: readonly TaskMethod[] = ["tasks/get", "notifications/tasks"];

/** What went between us and the server about a task, as far as the owner remembers it. */
export function Requests({ call }: { call: CallId }) {
  const { data, error, retry } = useView({ type: "request_log", call });
  if (data === undefined) return error ? <ErrorState error={error} onRetry={retry} /> : <LoadingState />;
  const since = absolute(ms(data.since));
  if (data.exchanges.length === 0) return <p className={css.hint}>{t.tasks.requestsNone(since)}</p>;
  return (
    <>
      <Section title={t.tasks.requests}>
        <p className={css.hint}>
          {t.tasks.requestsSince(since)}. {t.tasks.requestsHint}
          {data.leftOut > 0 && ` ${t.tasks.requestsLeftOut(data.leftOut)}`}
        </p>
        <table className={css.table}>
          <thead>
            <tr>
              {[WORDS.last, WORDS.method, WORDS.times, WORDS.took, WORDS.size, WORDS.brought].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {[...data.exchanges].reverse().map((exchange, index) => (
              <Line key={data.exchanges.length - index} exchange={exchange} />
            ))}
          </tbody>
        </table>
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

function Line({ exchange: { method, times, at, tookMs, bytes: size, brought } }: { exchange: Exchange }) {
  return (
    <tr data-as={brought.as}>
      <td>
        <ClockTime at={at} seconds />
      </td>
      <td className={css.method}>{method}</td>
      <td className={css.number}>{count(times)}</td>
      <td className={css.number}>{tookMs !== undefined && latency(tookMs)}</td>
      <td className={css.number}>{size !== undefined && bytes(size)}</td>
      <td>{said(brought, method)}</td>
    </tr>
  );
}

function said(brought: Brought, method: TaskMethod): string {
  if (brought.as === "same") return t.tasks.brought.same;
  if (brought.as === "news") return STATES.includes(method) ? t.tasks.brought.state : t.tasks.brought.answer;
  const words = headline(brought.code) ?? brought.code;
  return brought.number === undefined ? words : `${words} (${brought.number})`;
}
