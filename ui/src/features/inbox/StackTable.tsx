import { ServerWord } from "../../components/ServerText";
import { ClockTime } from "../../components/Time";
import { compact } from "../../format/json";
import { visible } from "../../format/text";
import { t } from "../../strings";
import type { RequestId, Stack, StackColumn } from "../../types";
import css from "./Stack.module.css";

interface Props {
  stack: Stack;
  /** Those that get no answer. */
  out: ReadonlySet<RequestId>;
  onTick: (ids: readonly RequestId[], ticked: boolean) => void;
}

/** The questions of a stack, one on each row, with what they have where they differ. */
export function StackTable({ stack, out, onTick }: Props) {
  const words = t.inbox.stack;
  const all = stack.questions.map(({ row }) => row.id);
  return (
    // A scrolling region must be reachable by keyboard.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={css.scroll} role="region" aria-label={words.differences} tabIndex={0}>
      <table className={css.table}>
        <thead>
          <tr>
            <th scope="col">
              <input
                type="checkbox"
                aria-label={words.includeAll}
                checked={out.size === 0}
                ref={(box) => {
                  if (box) box.indeterminate = out.size > 0 && out.size < all.length;
                }}
                onChange={(event) => onTick(all, event.target.checked)}
              />
            </th>
            <th scope="col">{words.question}</th>
            {stack.columns.map((column, index) => (
              <th key={index} scope="col">
                <ColumnName column={column} />
              </th>
            ))}
            <th scope="col">{words.deadline}</th>
          </tr>
        </thead>
        <tbody>
          {stack.questions.map(({ row, values }) => (
            <tr key={row.id} data-out={out.has(row.id)}>
              <td>
                <input
                  type="checkbox"
                  aria-label={words.include(row.id)}
                  checked={!out.has(row.id)}
                  onChange={(event) => onTick([row.id], event.target.checked)}
                />
              </td>
              <th scope="row">
                {row.id}
                {row.call !== undefined && ` · ${row.call}`}
                {row.hasDraft && <span className={css.draft}> {words.draft}</span>}
              </th>
              {stack.columns.map((column, index) => (
                <td key={index}>
                  <div className={css.value}>
                    <Value column={column} value={values[index] ?? undefined} />
                  </div>
                </td>
              ))}
              <td>{row.expiresAt !== undefined ? <ClockTime at={row.expiresAt} /> : row.call !== undefined && t.inbox.noLimit}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function ColumnName({ column }: { column: StackColumn }) {
  switch (column.of) {
    case "message":
      return t.inbox.stack.message;
    case "arguments":
      return t.inbox.stack.arguments;
    case "argument":
      return <ServerWord text={column.name} />;
  }
}

/** A message is text. An argument stands as JSON, in its quotes: it can pose as no other. */
function Value({ column, value }: { column: StackColumn; value: string | undefined }) {
  if (value === undefined) return <span className={css.absent}>{t.inbox.stack.absent}</span>;
  if (column.of === "message") return <ServerWord text={value} />;
  return (
    <bdi dir="ltr" translate="no" className={css.json}>
      {visible(compact(value))}
    </bdi>
  );
}
