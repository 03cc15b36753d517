import { createPortal } from "react-dom";

import { ServerWord } from "../components/ServerText";
import { t } from "../strings";
import type { FieldError, FormSpec } from "../types";
import type { FormDraft } from "./draft";
import css from "./forms.module.css";
import { labelOf } from "./hints";

interface Props {
  spec: FormSpec;
  tab: FormDraft["tab"];
  errors: readonly FieldError[];
  /** Goes to a field; undefined is the form as a whole. */
  onPick: (field: string | undefined) => void;
  /** Where it stands, in sight beside the buttons; else where it is. */
  at?: HTMLElement | null | undefined;
}

/** How many values do not fit, and the way to each. */
export function Misfits({ spec, tab, errors, onPick, at }: Props) {
  if (errors.length === 0) return null;
  const label = (name: string | undefined) => {
    const field = spec.fields.find((other) => other.name === name);
    return field ? labelOf(field) : name;
  };
  const [only] = errors;
  // In the JSON text all of them stand below it already, and of one alone its field says what is wrong.
  const said = tab === "form" && (errors.length > 1 || label(only?.field) === undefined);
  const summary = (
    <div className={css.summary} role="alert">
      <strong>{t.forms.doNotFit(errors.length)}</strong>
      <ul>
        {(tab === "form" ? errors : []).map((error) => (
          <li key={error.path}>
            <button type="button" className={css.jump} onClick={() => onPick(error.field)}>
              <ServerWord text={label(error.field) ?? t.forms.whole} />
              {said && (
                <>
                  : <ServerWord text={error.message} />
                </>
              )}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
  return at ? createPortal(summary, at) : summary;
}
