import { Button } from "../../components/Button";
import { Field } from "../../components/Field";
import field from "../../components/Field.module.css";
import { oneLine } from "../../format/text";
import { t } from "../../strings";
import { argumentsOf, changesWhatRuns, type ServerDraft, type Spot } from "./draft";
import { SecretRows, type SecretRowsProps } from "./SecretRows";
import css from "./ServerForm.module.css";
import { errorsAt } from "./spot";
import { Words } from "./TransportFacts";

interface Props {
  draft: ServerDraft;
  change: (part: Partial<ServerDraft>) => void;
  errors: ReadonlyMap<Spot, string>;
  /** Reads what stands in a field as what names a server. */
  onRead: (text: string, at: Spot) => void;
  /** What the lines of headers and variables need. */
  lines: Pick<SecretRowsProps, "stuck" | "onPlace" | "takePasted" | "newRow">;
}

const PLAIN = { autoComplete: "off", autoCapitalize: "off", spellCheck: false } as const;
const MONO = `${field.input} ${field.mono} ${css.wide}`;

/** A server behind a URL. */
export function UrlFields({ draft, change, errors, onRead, lines }: Props) {
  const isMore = /\s|^[{["]/.test(draft.url.trim());
  return (
    <>
      <Field label={t.servers.urlLabel} hint={t.servers.urlHint} errors={errorsAt(errors, "url")}>
        {(control) => (
          <input
            {...control}
            {...PLAIN}
            className={MONO}
            inputMode="url"
            placeholder={t.servers.urlExample}
            value={draft.url}
            onChange={(event) => change({ url: event.target.value })}
          />
        )}
      </Field>
      {isMore && (
        <div className={css.ways}>
          <Button onClick={() => onRead(draft.url, "url")}>{t.servers.paste.take}</Button>
        </div>
      )}
      <SecretRows
        {...lines}
        label={t.servers.headersLabel}
        hint={t.servers.headersHint}
        add={t.servers.addHeader}
        rows={draft.headers}
        onRows={(headers) => change({ headers })}
        errors={errors}
      />
    </>
  );
}

/** A server that is a program of this machine. */
export function CommandFields({ draft, change, errors, onRead, lines }: Props) {
  const args = argumentsOf(draft.args);
  const command = draft.command.trim();
  // A path may have blanks in it: splitting is offered, and never done by itself.
  const isMore = /\s|^[{["]|^https?:/.test(command);
  return (
    <>
      <Field
        label={t.servers.commandLabel}
        hint={isMore ? t.servers.commandBlanks : t.servers.commandHint}
        errors={errorsAt(errors, "command")}
      >
        {(control) => (
          <input {...control} {...PLAIN} className={MONO} value={draft.command} onChange={(event) => change({ command: event.target.value })} />
        )}
      </Field>
      {isMore && (
        <div className={css.ways}>
          <Button onClick={() => onRead(command, "command")}>{t.servers.paste.split}</Button>
        </div>
      )}
      <Field label={t.servers.argsLabel} hint={t.servers.argsHint} optional={t.servers.optional}>
        {(control) => (
          <textarea
            {...control}
            {...PLAIN}
            className={`${field.input} ${field.mono}`}
            rows={4}
            wrap="off"
            value={draft.args}
            onChange={(event) => change({ args: event.target.value })}
          />
        )}
      </Field>
      {command !== "" && (
        <p className={css.runs}>
          {t.servers.runs} <Words words={[command, ...args]} />
        </p>
      )}
      <Field label={t.servers.cwdLabel} hint={t.servers.cwdHint} optional={t.servers.optional}>
        {(control) => <input {...control} {...PLAIN} className={MONO} value={draft.cwd} onChange={(event) => change({ cwd: event.target.value })} />}
      </Field>
      <SecretRows
        {...lines}
        label={t.servers.envLabel}
        hint={t.servers.envHint}
        add={t.servers.addVariable}
        rows={draft.env}
        onRows={(env) => change({ env })}
        errors={errors}
        caution={(name) => (changesWhatRuns(name) ? t.servers.import.loaders(oneLine(name)) : undefined)}
      />
    </>
  );
}

/** What a server is told when it asks for roots. */
export function RootsField({ draft, change }: Pick<Props, "draft" | "change">) {
  return (
    <Field label={t.servers.rootsLabel} hint={t.servers.rootsHint} optional={t.servers.optional}>
      {(control) => (
        <textarea
          {...control}
          {...PLAIN}
          className={`${field.input} ${field.mono}`}
          rows={2}
          wrap="off"
          value={draft.roots}
          onChange={(event) => change({ roots: event.target.value })}
        />
      )}
    </Field>
  );
}
