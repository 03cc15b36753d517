import { useMemo, useState } from "react";

import { pretty } from "../format/json";
import { cut, visible } from "../format/text";
import { t } from "../strings";
import type { Json } from "../types";
import { CopyButton } from "./CopyButton";
import css from "./JsonBlock.module.css";
import { jsonStrings } from "./jsonStrings";
import text from "./ServerText.module.css";

interface Props {
  json: Json;
  /** Said to screen readers. */
  label: string;
  /** How many characters are shown before a person asks for all. */
  limit?: number;
  /** A server sent it: secrets of ours that it repeated were masked on arrival. */
  received?: boolean;
  /** Its copy is a button elsewhere. */
  bare?: boolean;
}

/** What stands for a secret of ours. */
const REDACTED = "[redacted]";

/** JSON as plain text, indented; the copy is the text as received. */
export function JsonBlock({ json, label, limit = 8_000, received = false, bare = false }: Props) {
  const [all, setAll] = useState(false);
  const shown = useMemo(() => {
    // Only what is shown is worked on: the text may be megabytes long.
    const whole = json.length <= limit || all ? pretty(json) : json;
    return visible(all ? whole : cut(whole, limit));
  }, [json, limit, all]);
  const long = json.length > limit;
  return (
    <figure className={css.block} aria-label={label}>
      {received && json.includes(REDACTED) && <figcaption className={css.redacted}>{t.app.redacted}</figcaption>}
      {/* A scrolling region must be reachable by keyboard. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre className={css.pre} tabIndex={0} data-text="">
        {jsonStrings(shown)}
        {long && !all && "…"}
      </pre>
      <div className={css.tools}>
        {long && (
          <button type="button" className={text.more} onClick={() => setAll(!all)}>
            {all ? t.app.showLess : t.app.showAll(json.length)}
          </button>
        )}
        {!bare && <CopyButton text={json} />}
      </div>
    </figure>
  );
}
