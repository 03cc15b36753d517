import { useMemo, useState } from "react";

import { Button } from "../../components/Button";
import { brief } from "../../format/text";
import { t } from "../../strings";
import css from "./JsonTree.module.css";
import { countOf, named, type Place } from "./level";
import { ROWS, rowsOf, type Columns } from "./table";

/** How much of a value is shown in a cell, in characters. */
const CELL = 160;

interface Props {
  json: string;
  place: Place;
  columns: Columns;
  label: string;
}

/** An array of objects as a table: the first columns, and rows as they are wished for. */
export function JsonTable({ json, place, columns, label }: Props) {
  const [most, setMost] = useState(ROWS);
  const size = useMemo(() => countOf(json, place), [json, place]);
  const rows = useMemo(() => rowsOf(json, place, columns.names, most), [json, place, columns, most]);
  return (
    <>
      {/* A scrolling region must be reachable by keyboard. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={css.wrap} data-text="" tabIndex={0} role="group" aria-label={label}>
        <table className={css.table}>
          <thead>
            <tr>
              <th scope="col">{t.result.row}</th>
              {columns.names.map((name) => (
                <th key={name} scope="col" translate="no">
                  <bdi dir="ltr">{brief(name, CELL)}</bdi>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ values, instead }, index) => (
              <tr key={index}>
                <th scope="row">{index}</th>
                {instead ? (
                  <td colSpan={columns.names.length}>{cell(json, instead)}</td>
                ) : (
                  columns.names.map((name) => {
                    const value = values.get(name);
                    return (
                      <td key={name} className={value && isNumber(json, value) ? css.number : undefined} translate="no">
                        {value && cell(json, value)}
                      </td>
                    );
                  })
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {columns.left > 0 && <p className={css.news}>{t.result.columnsLeft(columns.left)}</p>}
      {size > ROWS && <p className={css.news}>{t.result.columnsOf(ROWS)}</p>}
      {size > rows.length && (
        <div>
          <Button look="quiet" onClick={() => setMost(most + ROWS)}>
            {t.result.moreRows(size - rows.length)}
          </Button>
        </div>
      )}
    </>
  );
}

function cell(json: string, { start, end, kind }: Place) {
  // Of a long value no more is cut out than is shown.
  const written = json.slice(start, Math.min(end, start + 4 * CELL));
  const whole = end - start <= 4 * CELL;
  if (kind === "string") return <bdi dir="auto">{brief(whole ? named(written) : written.slice(1), CELL)}</bdi>;
  return (
    <bdi dir="ltr" className={kind === "other" ? css.other : css.index}>
      {brief(written, CELL)}
    </bdi>
  );
}

function isNumber(json: string, { start, kind }: Place): boolean {
  return kind === "other" && /[-\d]/.test(json.charAt(start));
}
