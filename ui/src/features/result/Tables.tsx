import { useState } from "react";

import field from "../../components/Field.module.css";
import { ServerWord } from "../../components/ServerText";
import { brief } from "../../format/text";
import { t } from "../../strings";
import { JsonTable } from "./JsonTable";
import css from "./Result.module.css";
import type { Table } from "./table";

interface Props {
  json: string;
  tables: readonly Table[];
  label: string;
}

/** One table of some JSON, which of them it is, and the way to the others. */
export function Tables({ json, tables, label }: Props) {
  const [chosen, setChosen] = useState(0);
  const table = tables[chosen] ?? tables[0];
  if (!table) return null;
  return (
    <>
      {tables.length > 1 ? (
        <label className={css.which}>
          {t.result.rowsOf}
          <select className={field.input} value={chosen} onChange={({ target }) => setChosen(Number(target.value))}>
            {tables.map((one, index) => (
              <option key={index} value={index}>
                {brief(named(one), 80)}
              </option>
            ))}
          </select>
        </label>
      ) : (
        table.path.length > 0 && (
          <p className={css.news}>
            {t.result.rowsOf} <ServerWord text={named(table)} />
          </p>
        )
      )}
      <JsonTable key={table.place.start} json={json} place={table.place} columns={table.columns} label={label} />
    </>
  );
}

function named({ path }: Table): string {
  return path.join(".");
}
