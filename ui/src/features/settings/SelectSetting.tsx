import { Field } from "../../components/Field";
import field from "../../components/Field.module.css";
import type { Saving } from "../../store/saving";
import { SavedMark } from "./SavedMark";
import css from "./Settings.module.css";

interface Props<T extends string> {
  label: string;
  hint?: string;
  value: T;
  options: readonly (readonly [T, string])[];
  onChange: (value: T) => void;
  saving: Saving | undefined;
}

/** One of a few, saved at once. */
export function SelectSetting<T extends string>({ label, hint, value, options, onChange, saving }: Props<T>) {
  const errors = saving?.error ? [saving.error.message] : [];
  return (
    <Field label={label} {...(hint !== undefined && { hint })} errors={errors}>
      {(control) => (
        <span className={css.line}>
          <select
            {...control}
            className={`${field.input} ${css.select}`}
            value={value}
            onChange={(event) => {
              const chosen = options.find(([option]) => option === event.target.value);
              if (chosen) onChange(chosen[0]);
            }}
          >
            {options.map(([option, words]) => (
              <option key={option} value={option}>
                {words}
              </option>
            ))}
          </select>
          <SavedMark saving={saving} />
        </span>
      )}
    </Field>
  );
}
