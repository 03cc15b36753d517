import { useId } from "react";
import { flushSync } from "react-dom";

import { ServerText, ServerWord } from "../components/ServerText";
import { t } from "../strings";
import type { FormSpec } from "../types";
import type { FormDraft } from "./draft";
import { entryOf, takeOver, without, type Former, type FormerPart } from "./former";
import css from "./forms.module.css";

interface Props {
  spec: FormSpec;
  draft: FormDraft;
  former: Former;
  onChange: (draft: FormDraft) => void;
  /** A part was taken over into the field of this name. */
  onTaken: (name: string | undefined) => void;
}

/** What was filled in before the server asked with another form: to be read, taken over part by part, or discarded. */
export function FormerView({ spec, draft, former, onChange, onTaken }: Props) {
  const title = useId();
  return (
    <section className={css.former} aria-labelledby={title}>
      <h3 id={title}>{t.forms.former.title}</h3>
      <p className={css.quiet}>{t.forms.former.means}</p>
      <dl className={css.parts}>
        {former.map((part, index) => (
          // A name may stand in it twice: parts are told apart by number.
          <Part
            key={index}
            part={part}
            fits={draft.tab === "form" && entryOf(spec, part) !== undefined}
            onTake={() => {
              // A text of several lines may take another control, which is the one to go to.
              flushSync(() => onChange(takeOver(spec, draft, part)));
              onTaken(part.name);
            }}
          />
        ))}
      </dl>
      <button type="button" className={css.way} onClick={() => onChange(without(draft))}>
        {t.forms.former.discard}
      </button>
    </section>
  );
}

function Part({ part: { name, text, json }, fits, onTake }: { part: FormerPart; fits: boolean; onTake: () => void }) {
  const id = useId();
  return (
    <div>
      <dt id={id} translate="no">
        {name !== undefined && <ServerWord text={name} />}
      </dt>
      <dd>
        <ServerText text={json ?? text} limit={240} />
        {fits && (
          <button type="button" className={css.way} aria-describedby={id} onClick={onTake}>
            {t.forms.former.take}
          </button>
        )}
      </dd>
    </div>
  );
}
