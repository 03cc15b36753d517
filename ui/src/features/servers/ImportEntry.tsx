import { Button } from "../../components/Button";
import field from "../../components/Field.module.css";
import { ServerText, ServerWord } from "../../components/ServerText";
import { oneLine, visible } from "../../format/text";
import { t } from "../../strings";
import { changesWhatRuns, soundsSecret } from "./draft";
import { choiceOf, clear, valueOf, type ValueChoice, type Entry } from "./imports";
import css from "./ServerForm.module.css";
import { isUnkept } from "./unkept";

const KINDS = ["secret", "env", "plain", "nothing"] as const;

interface Props {
  entry: Entry;
  onChange: (part: Partial<Entry>) => void;
  /** Another place for secrets. */
  onPlace: () => void;
}

/** A server that can be imported: what it is, what it is given, and why it was not imported when that was tried. */
export function ImportEntry({ entry, onChange, onPlace }: Props) {
  const { server, wanted, error } = entry;
  const choose = (name: string, part: Partial<ValueChoice>) =>
    onChange({ choices: new Map(entry.choices).set(name, { ...choiceOf(entry, name), ...part }) });
  const loaders = server.isProgram ? server.given.map(({ name }) => name).filter(changesWhatRuns) : [];
  const variables = server.given.flatMap(({ name, var: variable }) => (variable === undefined ? [] : [`${name} = $${variable}`]));
  return (
    <div className={css.entry}>
      <label className={css.check}>
        <input type="checkbox" checked={wanted} onChange={() => onChange({ wanted: !wanted })} />
        <span className={css.importable}>
          <strong>
            <ServerWord text={server.name} />
          </strong>
          <ServerText text={server.place} limit={400} />
          {server.cwd !== undefined && <span className={css.soft}>{t.servers.import.in(visible(server.cwd))}</span>}
          {variables.length > 0 && <span className={css.soft}>{t.servers.import.given(variables.map(oneLine).join(", "))}</span>}
          {loaders.length > 0 && <strong className={css.caution}>{t.servers.import.loaders(loaders.map(oneLine).join(", "))}</strong>}
          <span className={css.soft}>
            {server.isProgram && t.servers.import.waits}
            {server.isProgram && server.from !== undefined && " · "}
            {server.from !== undefined && <ServerWord text={server.from} />}
          </span>
        </span>
      </label>
      {clear(entry).map((name) => (
        <Value key={name} name={name} value={valueOf(entry, name)} choice={choiceOf(entry, name)} onChange={(part) => choose(name, part)} />
      ))}
      {error && (
        <div className={`${field.error} ${css.under}`} role="alert">
          <ServerText text={error.message} limit={600} />
          {isUnkept(error.code) && <p>{t.servers.import.advice}</p>}
        </div>
      )}
      {error && isUnkept(error.code) && (
        <div className={css.under}>
          <Button onClick={onPlace}>{t.servers.ways.place}</Button>
        </div>
      )}
    </div>
  );
}

interface ValueProps {
  name: string;
  /** As it stands there, where that has to be seen. */
  value: string | undefined;
  choice: ValueChoice;
  onChange: (part: Partial<ValueChoice>) => void;
}

/** What becomes of a value that stands in a configuration in the clear. */
function Value({ name, value, choice, onChange }: ValueProps) {
  const shown = oneLine(name);
  const kinds = KINDS.filter((kind) => value === undefined || kind !== "secret");
  return (
    <div className={css.under}>
      <div className={css.given}>
        <code>{value === undefined ? visible(name) : `${visible(name)} = ${visible(value)}`}</code>
        <select
          className={field.input}
          aria-label={t.servers.import.value(shown)}
          value={choice.kind}
          onChange={(event) => onChange({ kind: KINDS.find((kind) => kind === event.target.value) ?? choice.kind, sure: false })}
        >
          {kinds.map((kind) => (
            <option key={kind} value={kind}>
              {t.servers.import.values[kind]}
            </option>
          ))}
        </select>
        {choice.kind === "env" && (
          <input
            className={`${field.input} ${field.mono}`}
            aria-label={t.servers.import.variable(shown)}
            autoComplete="off"
            spellCheck={false}
            value={choice.var}
            onChange={(event) => onChange({ var: event.target.value })}
          />
        )}
      </div>
      {choice.kind === "plain" && soundsSecret(name) && (
        <label className={css.check}>
          <input type="checkbox" checked={choice.sure} onChange={(event) => onChange({ sure: event.target.checked })} />
          <span>{t.servers.sure(shown)}</span>
        </label>
      )}
    </div>
  );
}
