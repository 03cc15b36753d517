import { useCallback } from "react";

import field from "../../components/Field.module.css";
import { t } from "../../strings";
import type { SecretDraft, Source } from "./draft";

/** Where a secret's value can come from. */
export function sourcesOf({ entry }: Pick<SecretDraft, "entry">): Source[] {
  return entry === undefined ? ["literal", "env", "file"] : ["kept", "literal", "env", "file"];
}

/** Where the value of a header or variable can come from, which need not be a secret. */
export function rowSourcesOf(draft: Pick<SecretDraft, "entry">): Source[] {
  return sourcesOf(draft).flatMap((source) => (source === "literal" ? [source, "plain"] : [source]));
}

interface SelectProps<S extends keyof typeof t.servers.sources> {
  sources: readonly S[];
  value: S;
  invalid?: true | undefined;
  onChange: (source: S) => void;
}

/** Where the value comes from. */
export function SourceSelect<S extends keyof typeof t.servers.sources>({ sources, value, invalid, onChange }: SelectProps<S>) {
  return (
    <select
      className={field.input}
      aria-label={t.servers.rowSource}
      aria-invalid={invalid}
      value={value}
      onChange={(event) => onChange(sources.find((source) => source === event.target.value) ?? value)}
    >
      {sources.map((source) => (
        <option key={source} value={source}>
          {t.servers.sources[source]}
        </option>
      ))}
    </select>
  );
}

interface ValueProps {
  draft: SecretDraft;
  /** The name under which the form has a literal value. */
  literal: string;
  invalid: true | undefined;
  onWhere: (where: string) => void;
  onPlain?: (plain: string) => void;
  /** Hands out a value that was pasted, once. */
  takePasted?: () => string | undefined;
}

/** The value, or where it is. */
export function ValueInput({ draft: { source, where, plain = "" }, literal, invalid, onWhere, onPlain, takePasted }: ValueProps) {
  const props = { className: `${field.input} ${field.mono}`, "aria-invalid": invalid, autoComplete: "off", spellCheck: false };
  const shown = { ...props, "aria-label": t.servers.where[source] };
  // As a property and not as an attribute: nothing that shows the page's elements shows it.
  const fill = useCallback(
    (input: HTMLInputElement | null) => {
      const pasted = input ? takePasted?.() : undefined;
      if (input && pasted !== undefined) input.value = pasted;
    },
    [takePasted],
  );
  return (
    <>
      {
        // Not controlled: a secret stays in its input and goes from there to the desk, never through our state. It stays there
        // while another source is looked at, so that nothing that was typed is lost.
        source === "literal" ? (
          <input {...shown} key="literal" ref={fill} type="password" name={literal} placeholder={t.servers.where.literal} />
        ) : (
          <input key="literal" ref={fill} type="password" name={literal} hidden />
        )
      }
      {source === "kept" && <input {...shown} disabled value={t.servers.keptValue} />}
      {source === "plain" && <input {...shown} key="plain" value={plain} placeholder={t.servers.where.plain} onChange={(event) => onPlain?.(event.target.value)} />}
      {(source === "env" || source === "file") && (
        <input {...shown} key={source} value={where} placeholder={t.servers.where[source]} onChange={(event) => onWhere(event.target.value)} />
      )}
    </>
  );
}
