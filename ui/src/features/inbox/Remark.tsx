import { Field } from "../../components/Field";
import field from "../../components/Field.module.css";
import { t } from "../../strings";
import css from "./inbox.module.css";

/** The desk takes no longer one. */
const LONGEST = 2_000;

interface Props {
  /** What is noted; undefined while nobody wanted to. */
  remark: string | undefined;
  onChange: (remark: string) => void;
}

/** A note of the person's own beside an answer, folded until they want one. */
export function Remark({ remark, onChange }: Props) {
  const words = t.inbox.remark;
  if (remark === undefined) {
    return (
      <p>
        <button type="button" className={css.link} onClick={() => onChange("")}>
          {words.add}
        </button>
      </p>
    );
  }
  return (
    <Field label={words.label} hint={words.means}>
      {(control) => (
        <input
          {...control}
          ref={focus}
          className={field.input}
          type="text"
          autoComplete="off"
          dir="auto"
          maxLength={LONGEST}
          value={remark}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}

/** Whoever unfolds it wants to type. */
function focus(input: HTMLInputElement | null): void {
  input?.focus();
}
