import { useId } from "react";

import css from "./Settings.module.css";

interface Props {
  label: string;
  hint: string;
  checked: boolean;
  /** Undefined while nothing is known to change. */
  onChange: ((checked: boolean) => void) | undefined;
}

/** Something that is so or not, saved at once. */
export function Choice({ label, hint, checked, onChange }: Props) {
  const hintId = useId();
  return (
    <div>
      <label className={css.check}>
        <input
          type="checkbox"
          aria-describedby={hintId}
          checked={checked}
          disabled={onChange === undefined}
          onChange={(event) => onChange?.(event.target.checked)}
        />
        {label}
      </label>
      <p id={hintId} className={css.soft}>
        {hint}
      </p>
    </div>
  );
}
