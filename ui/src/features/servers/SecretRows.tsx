import { Button } from "../../components/Button";
import { Field } from "../../components/Field";
import field from "../../components/Field.module.css";
import { oneLine } from "../../format/text";
import { t } from "../../strings";
import { emptyRow, type SecretRow, type Spot } from "./draft";
import css from "./ServerForm.module.css";
import { sourcesOf, SourceSelect, ValueInput } from "./SecretInputs";
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
        <SourceSelect sources={sourcesOf(row)} value={row.source} onChange={(source) => onChange({ source })} />
        <ValueInput draft={row} literal={literalName(row)} invalid={invalid} onWhere={(where) => onChange({ where })} />
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
