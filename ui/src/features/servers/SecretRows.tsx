import { Button } from "../../components/Button";
import { Field } from "../../components/Field";
import field from "../../components/Field.module.css";
import { oneLine } from "../../format/text";
import { t } from "../../strings";
import { emptyRow, type SecretRow, type Source, type Spot } from "./draft";
import css from "./ServerForm.module.css";
import { errorsAt } from "./spot";

interface Props {
  label: string;
  hint: string;
  /** The button that adds a line. */
  add: string;
  rows: SecretRow[];
  onRows: (rows: SecretRow[]) => void;
  errors: ReadonlyMap<Spot, string>;
}

/** The name under which the form has a row's literal value. */
export function literalName(row: SecretRow): string {
  return `literal-${row.id}`;
}

/** Headers or environment variables: each a name, and where its value comes from. */
export function SecretRows({ label, hint, add, rows, onRows, errors }: Props) {
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
              onChange={(part) => change(row.id, part)}
              onRemove={() => onRows(rows.filter((other) => other.id !== row.id))}
            />
          ))}
          <div>
            <Button onClick={() => onRows([...rows, emptyRow(rows)])}>{add}</Button>
          </div>
        </div>
      )}
    </Field>
  );
}

interface RowProps {
  row: SecretRow;
  error: string | undefined;
  onChange: (part: Partial<SecretRow>) => void;
  onRemove: () => void;
}

function Row({ row, error, onChange, onRemove }: RowProps) {
  const sources: Source[] = row.entry === undefined ? ["literal", "env", "file"] : ["kept", "literal", "env", "file"];
  const invalid = error === undefined ? undefined : true;
  return (
    <div>
      <div className={css.row}>
        <input
          className={`${field.input} ${field.mono}`}
          aria-label={t.servers.rowName}
          placeholder={t.servers.rowName}
          aria-invalid={invalid}
          autoComplete="off"
          spellCheck={false}
          value={row.name}
          onChange={(event) => onChange({ name: event.target.value })}
        />
        <select
          className={field.input}
          aria-label={t.servers.rowSource}
          value={row.source}
          onChange={(event) => onChange({ source: sources.find((source) => source === event.target.value) ?? "literal" })}
        >
          {sources.map((source) => (
            <option key={source} value={source}>
              {t.servers.sources[source]}
            </option>
          ))}
        </select>
        <Value row={row} invalid={invalid} onWhere={(where) => onChange({ where })} />
        <Button look="quiet" className={css.removeRow} aria-label={t.servers.removeRow(oneLine(row.name))} onClick={onRemove}>
          <span aria-hidden="true">×</span>
        </Button>
      </div>
      {error !== undefined && (
        <div className={field.error} role="alert">
          {error}
        </div>
      )}
    </div>
  );
}

function Value({ row, invalid, onWhere }: { row: SecretRow; invalid: true | undefined; onWhere: (where: string) => void }) {
  const props = {
    className: `${field.input} ${field.mono}`,
    "aria-label": t.servers.where[row.source],
    "aria-invalid": invalid,
    autoComplete: "off",
    spellCheck: false,
  };
  switch (row.source) {
    case "kept":
      return <input {...props} disabled value={t.servers.keptValue} />;
    case "literal":
      // Not controlled: a secret stays in its input and goes from there to the desk, never through our state.
      return <input {...props} key="literal" type="password" name={literalName(row)} placeholder={t.servers.where.literal} />;
    case "env":
    case "file":
      return (
        <input
          {...props}
          key={row.source}
          value={row.where}
          placeholder={t.servers.where[row.source]}
          onChange={(event) => onWhere(event.target.value)}
        />
      );
  }
}
