import { useState } from "react";

import { brief, cut, visible, withoutGaps } from "../format/text";
import { t } from "../strings";
import css from "./ServerText.module.css";

/** A short text of a server on one line: isolated, with nothing hidden in it, and seen to be cut where it is. */
export function ServerWord({ text }: { text: string }) {
  return (
    <bdi dir="auto" translate="no">
      {brief(text, 400)}
    </bdi>
  );
}

interface Props {
  text: string;
  /** How many characters are shown before a person asks for all. */
  limit?: number;
}

/** A text of a server with its line breaks: never markup, never a link, bounded until a person asks for all. */
export function ServerText({ text, limit = 2_000 }: Props) {
  const [all, setAll] = useState(false);
  const long = text.length > limit;
  return (
    <div className={css.text} data-text="">
      <bdi dir="auto" translate="no" className={css.body}>
        {withoutGaps(visible(all ? text : cut(text, limit)))}
        {long && !all && "…"}
      </bdi>
      {long && (
        <button type="button" className={css.more} onClick={() => setAll(!all)}>
          {all ? t.app.showLess : t.app.showAll(text.length)}
        </button>
      )}
    </div>
  );
}
