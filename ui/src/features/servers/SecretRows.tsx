import { useCallback, useRef } from "react";

import { Button } from "../../components/Button";
import { Field } from "../../components/Field";
import field from "../../components/Field.module.css";
import { oneLine } from "../../format/text";
import { t } from "../../strings";
import { soundsSecret, type SecretRow, type Spot } from "./draft";
import { rowSourcesOf, SourceSelect, ValueInput } from "./SecretInputs";
import css from "./ServerForm.module.css";
import { errorsAt } from "./spot";
import { WaysOut } from "./WaysOut";

/** What {@link SecretRows} needs. */
export interface SecretRowsProps {
  label: string;
  hint: string;
  /** The button that adds a line. */
  add: string;
  rows: SecretRow[];
  /** A line with an id that none has. */
  newRow: () => SecretRow;
  onRows: (rows: SecretRow[]) => void;
  errors: ReadonlyMap<Spot, string>;
  /** What a person has to know about a name, if anything. */
  caution?: (name: string) => string | undefined;
  /** Lines whose values could not be kept as secrets. */
  stuck: ReadonlySet<number>;
  /** Another place for secrets. */
  onPlace: () => void;
  /** Hands out the value that was pasted for a line, once. */
  takePasted: (id: number) => string | undefined;
}

/** The name under which the form has a row's literal value. */
export function literalName(row: Pick<SecretRow, "id">): string {
  return `literal-${row.id}`;
}

/** Headers or environment variables: each a name, and where its value comes from. */
export function SecretRows({ label, hint, add, rows, newRow, onRows, errors, caution, stuck, onPlace, takePasted }: SecretRowsProps) {
  const change = (id: number, part: Partial<SecretRow>) => onRows(rows.map((row) => (row.id === id ? { ...row, ...part } : row)));
  return (
    <Field group label={label} hint={hint} optional={t.servers.optional} errors={errorsAt(errors, "secrets")}>
      {() => (
        <div className={css.rows}>
          {rows.map((row) => (
            <Row
              key={row.id}
              row={row}
              error={errors.get(`row-${row.id}`)}
              caution={caution?.(row.name.trim())}
              stuck={stuck.has(row.id)}
              onPlace={onPlace}
              takePasted={takePasted}
              onChange={(part) => change(row.id, part)}
              onRemove={() => onRows(rows.filter((other) => other.id !== row.id))}
            />
          ))}
          <div>
            <Button onClick={() => onRows([...rows, newRow()])}>{add}</Button>
          </div>
        </div>
      )}
    </Field>
  );
}

interface RowProps {
  row: SecretRow;
  error: string | undefined;
  caution: string | undefined;
  stuck: boolean;
  onChange: (part: Partial<SecretRow>) => void;
  onRemove: () => void;
  onPlace: () => void;
  takePasted: (id: number) => string | undefined;
}

function Row({ row, error, caution, stuck, onChange, onRemove, onPlace, takePasted }: RowProps) {
  const line = useRef<HTMLDivElement>(null);
  const take = useCallback(() => takePasted(row.id), [takePasted, row.id]);
  const invalid = error === undefined ? undefined : true;
  const name = oneLine(row.name);
  // What was typed goes along, and is seen from then on: the person said that it is no secret.
  const toPlain = (): Partial<SecretRow> => {
    const typed = line.current?.querySelector<HTMLInputElement>(`input[name="${literalName(row)}"]`)?.value ?? "";
    return { source: "plain", plain: typed === "" ? (row.plain ?? "") : typed };
  };
  return (
    <div ref={line}>
      <div className={css.row}>
        <input
          className={`${field.input} ${field.mono}`}
          aria-label={t.servers.rowName}
          placeholder={t.servers.rowName}
          aria-invalid={invalid}
          autoComplete="off"
          spellCheck={false}
          value={row.name}
          onChange={(event) => onChange({ name: event.target.value, sure: false })}
        />
        <SourceSelect
          sources={rowSourcesOf(row)}
          value={row.source}
          onChange={(source) => onChange(source === "plain" ? toPlain() : { source })}
        />
        <div className={css.value}>
          <ValueInput
            draft={row}
            literal={literalName(row)}
            invalid={invalid}
            onWhere={(where) => onChange({ where })}
            onPlain={(plain) => onChange({ plain })}
            takePasted={take}
          />
        </div>
        <Button look="quiet" className={css.removeRow} aria-label={t.servers.removeRow(name)} onClick={onRemove}>
          <span aria-hidden="true">×</span>
        </Button>
      </div>
      {row.source === "plain" && soundsSecret(row.name) && (
        <label className={css.check}>
          <input type="checkbox" checked={row.sure === true} onChange={(event) => onChange({ sure: event.target.checked })} />
          <span>{t.servers.sure(name)}</span>
        </label>
      )}
      {caution !== undefined && <strong className={css.caution}>{caution}</strong>}
      {error !== undefined && (
        <div className={field.error} role="alert">
          {error}
        </div>
      )}
      {stuck && row.source === "literal" && (
        <WaysOut name={row.name} onPlain={() => onChange(toPlain())} onEnv={(where) => onChange({ source: "env", where })} onPlace={onPlace} />
      )}
    </div>
  );
}
