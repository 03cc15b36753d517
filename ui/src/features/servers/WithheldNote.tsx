import { useState } from "react";

import { Button } from "../../components/Button";
import { Section } from "../../components/Section";
import { ErrorNote } from "../../components/States";
import { oneLine, visible } from "../../format/text";
import { useAct } from "../../store/call";
import { t } from "../../strings";
import type { ServerId, Withheld } from "../../types";
import css from "./Servers.module.css";

const words = t.servers.withheld;

/** How many are shown of a long list before somebody asks for all. */
const SHOWN = 20;

/** What a program got before an update and gets no longer, or not as it was: one press gives one back, another ends the note. */
export function WithheldNote({ server, withheld: { names, more, changed = [] } }: { server: ServerId; withheld: Withheld }) {
  const act = useAct();
  const [all, setAll] = useState(false);
  const give = (name: string) => () => void act.run({ type: "pass_variables", server, names: [name] });
  const shown = all ? names : names.slice(0, SHOWN);
  return (
    <Section title={words.title}>
      <p>{words.text}</p>
      <ul className={css.withheld}>
        {shown.map((name) => (
          <Variable key={name} name={name} busy={act.busy} onGive={give(name)} />
        ))}
        {changed.map((name) => (
          <Variable key={name} name={name} note={words.changed} busy={act.busy} onGive={give(name)} />
        ))}
      </ul>
      {names.length > SHOWN && <Button onClick={() => setAll(!all)}>{all ? t.app.showLess : words.showAll(names.length)}</Button>}
      {more > 0 && <p className={css.soft}>{words.more(more)}</p>}
      <p>
        <Button disabled={act.busy} onClick={() => void act.run({ type: "seen_withheld", server })}>
          {words.leave}
        </Button>
      </p>
      {act.error && <ErrorNote error={act.error} />}
    </Section>
  );
}

function Variable({ name, note, busy, onGive }: { name: string; note?: string; busy: boolean; onGive: () => void }) {
  return (
    <li>
      <span>
        <code>{visible(name)}</code>
        {note !== undefined && <span className={css.soft}> {note}</span>}
      </span>
      <Button disabled={busy} aria-label={words.giveBack(oneLine(name))} onClick={onGive}>
        {words.give}
      </Button>
    </li>
  );
}
