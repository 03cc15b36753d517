import { brief } from "../format/text";
import { t } from "../strings";
import type { FormSpec } from "../types";
import { toFormWithout, type FormDraft } from "./draft";
import css from "./forms.module.css";
import { disassembled, type Unshowable } from "./value";

interface Props {
  spec: FormSpec;
  draft: FormDraft;
  onGo: (draft: FormDraft) => void;
}

/** So many names are said; of the rest, how many they are. */
const NAMED = 5;

/** Why JSON text cannot be shown as fields, and the way there without what they cannot show. Nothing is lost before it is pressed. */
export function Stuck({ spec, draft, onGo }: Props) {
  const { lost } = disassembled(spec, draft.json);
  const [first] = lost;
  if (!first) return null;
  const names = [...new Set(lost.flatMap((part) => ("name" in part ? [part.name] : [])))];
  const said = names.slice(0, NAMED).map((name) => brief(name, 80));
  return (
    <div className={css.stuck} role="alert">
      <p>
        {whyOf(first)} {t.forms.staysJson}
      </p>
      <button type="button" className={css.way} onClick={() => onGo(toFormWithout(spec, draft))}>
        {names.length > 0 ? t.forms.goWithout(said, names.length - said.length) : t.forms.goBack}
      </button>
    </div>
  );
}

function whyOf(lost: Unshowable): string {
  return "name" in lost ? t.forms.unshowable[lost.why](brief(lost.name, 80)) : t.forms.unshowable[lost.why];
}
