import { useState } from "react";

import { scan } from "../forms/json";
import { compact } from "../format/json";
import { characters, cut, visible } from "../format/text";
import { t } from "../strings";
import type { Json } from "../types";
import css from "./ArgumentRows.module.css";
import text from "./ServerText.module.css";

/** How much of a value is shown before a person asks for all of it, in characters. */
const VALUE = 240;
/** How many arguments are. */
const ROWS = 12;

/**
 * The arguments of a call: one row for each, its name and its value as JSON. A value stays in its quotes and on its row,
 * so that it can never pose as another argument.
 */
export function ArgumentRows({ json }: { json: Json | undefined }) {
  const [all, setAll] = useState(false);
  const rows = json === undefined ? [] : rowsOf(json);
  if (rows.length === 0) return <span className={css.none}>{t.app.noArguments}</span>;
  const shown = all ? rows : rows.slice(0, ROWS);
  const hidden = rows.length - shown.length;
  return (
    <div className={css.block}>
      <dl className={css.rows}>
        {shown.map(([name, value], index) => (
          // A name may stand in it twice: rows are told apart by number.
          <div key={index} className={css.row}>
            <dt className={css.name} translate="no">
              {name !== undefined && <bdi dir="ltr">{named(name)}</bdi>}
            </dt>
            <Value json={value} />
          </div>
        ))}
      </dl>
      {(hidden > 0 || all) && (
        <button type="button" className={text.more} aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? t.app.showLess : t.app.moreArguments(hidden)}
        </button>
      )}
    </div>
  );
}

function Value({ json }: { json: Json }) {
  const [all, setAll] = useState(false);
  const line = compact(json);
  const shown = all ? line : cut(line, VALUE);
  const hidden = characters(line) - characters(shown);
  return (
    <dd className={css.value}>
      <bdi dir="ltr" translate="no">
        {visible(shown)}
      </bdi>
      {hidden > 0 && "… "}
      {(hidden > 0 || all) && (
        <button type="button" className={text.more} aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? t.app.showLess : t.app.moreCharacters(hidden)}
        </button>
      )}
    </dd>
  );
}

/** Name and value of each argument; what is no object is one value without a name. */
function rowsOf(json: Json): readonly (readonly [name: string | undefined, value: Json])[] {
  const scanned = scan(json);
  if (scanned.ok && scanned.value.kind === "object") return scanned.value.members;
  return [[undefined, json]];
}

/** A name that could be read as anything else than a name is quoted. */
function named(name: string): string {
  return /^[\w.$-]{1,60}$/.test(name) ? name : visible(JSON.stringify(name));
}
