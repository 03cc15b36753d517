import type { ReactNode } from "react";

import { Button } from "../../components/Button";
import { ErrorNote } from "../../components/States";
import { useReply } from "../../store/useReply";
import { t } from "../../strings";
import type { ListOf } from "../../types";
import css from "./FilterHelp.module.css";

/** What a length is compared with where somebody begins with it; the sign that most people look for. */
const LENGTH: Partial<Record<string, string>> = { age: ">1h", silent: ">10m", ended: "<1h", left: "<10m" };

interface Props {
  list: ListOf;
  onPut: (token: string) => void;
}

/** All tokens that a list knows, as the desk has them. Each is a press away. */
export function Language({ list, onPut }: Props) {
  const { reply, error, reload } = useReply({ type: "language", list });
  const { keys, keysHint, means, lengths, lengthsHint, lengthMeans, days, daysHint, dayMeans } = t.filter.help;
  if (error !== undefined) {
    return (
      <>
        <ErrorNote error={error} />
        {error.retry !== "never" && <Button onClick={reload}>{t.app.retry}</Button>}
      </>
    );
  }
  if (reply === undefined) return <p role="status">{t.app.loading}…</p>;
  const [someDay = ""] = reply.days;
  return (
    <>
      <Part title={keys} hint={keysHint}>
        {reply.keys.map(({ name, words }) => (
          <Line key={name} name={name} means={means[name]}>
            {words.length === 0 && <Token text={`${name}:`} token={`${name}:`} onPut={onPut} />}
            {words.map((word) => (
              <Token key={word} text={word} token={`${name}:${word}`} onPut={onPut} />
            ))}
          </Line>
        ))}
      </Part>
      <Part title={lengths} hint={lengthsHint}>
        {reply.lengths.map((name) => (
          <Line key={name} name={name} means={lengthMeans[name]}>
            <Token text={`${name}${LENGTH[name] ?? ">1h"}`} token={`${name}${LENGTH[name] ?? ">1h"}`} onPut={onPut} />
          </Line>
        ))}
      </Part>
      <Part title={days} hint={daysHint(`${someDay}:2026-11-26`)}>
        {reply.days.map((name) => (
          <Line key={name} name={name} means={dayMeans[name]}>
            {["today", "yesterday"].map((day) => (
              <Token key={day} text={day} token={`${name}:${day}`} onPut={onPut} />
            ))}
          </Line>
        ))}
      </Part>
    </>
  );
}

function Part({ title, hint, children }: { title: string; hint: string; children: ReactNode }) {
  return (
    <section className={css.part}>
      <h3>{title}</h3>
      <p>{hint}</p>
      <dl>{children}</dl>
    </section>
  );
}

function Line({ name, means, children }: { name: string; means: string | undefined; children: ReactNode }) {
  return (
    <div className={css.line}>
      <dt>
        <code>{name}</code>
      </dt>
      <dd>
        {means}
        <span className={css.tokens}>{children}</span>
      </dd>
    </div>
  );
}

/** A word that stands for a token. One that ends with its colon has still to be written to its end. */
function Token({ text, token, onPut }: { text: string; token: string; onPut: (token: string) => void }) {
  const label = token.endsWith(":") ? t.filter.help.write(token) : t.filter.help.put(token);
  return (
    <button type="button" className={css.token} aria-label={label} title={label} onClick={() => onPut(token)}>
      {text}
    </button>
  );
}
