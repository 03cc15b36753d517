import { Button } from "../../components/Button";
import { Section } from "../../components/Section";
import { ErrorNote } from "../../components/States";
import { oneLine, visible } from "../../format/text";
import { useAct } from "../../store/call";
import { t } from "../../strings";
import type { ServerId, Withheld } from "../../types";
import css from "./Servers.module.css";

const words = t.servers.withheld;

/** What a program got before an update and gets no longer: one press gives one back, another ends the note. */
export function WithheldNote({ server, withheld: { names, more } }: { server: ServerId; withheld: Withheld }) {
  const act = useAct();
  return (
    <Section title={words.title}>
      <p>{words.text}</p>
      <ul className={css.withheld}>
        {names.map((name) => (
          <li key={name}>
            <code>{visible(name)}</code>
            <Button disabled={act.busy} aria-label={words.giveBack(oneLine(name))} onClick={() => void act.run({ type: "pass_variables", server, names: [name] })}>
              {words.give}
            </Button>
          </li>
        ))}
      </ul>
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
