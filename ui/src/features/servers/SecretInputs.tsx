import field from "../../components/Field.module.css";
import { t } from "../../strings";
import type { SecretDraft, Source } from "./draft";

/** Where a secret's value can come from. */
export function sourcesOf({ entry }: Pick<SecretDraft, "entry">): Source[] {
  return entry === undefined ? ["literal", "env", "file"] : ["kept", "literal", "env", "file"];
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
}

/** The value, or where it is. */
export function ValueInput({ draft: { source, where }, literal, invalid, onWhere }: ValueProps) {
  const props = {
    className: `${field.input} ${field.mono}`,
    "aria-label": t.servers.where[source],
    "aria-invalid": invalid,
    autoComplete: "off",
    spellCheck: false,
  };
  switch (source) {
    case "kept":
      return <input {...props} disabled value={t.servers.keptValue} />;
    case "literal":
      // Not controlled: a secret stays in its input and goes from there to the desk, never through our state.
      return <input {...props} key="literal" type="password" name={literal} placeholder={t.servers.where.literal} />;
    case "env":
    case "file":
      return (
        <input {...props} key={source} value={where} placeholder={t.servers.where[source]} onChange={(event) => onWhere(event.target.value)} />
      );
  }
}
