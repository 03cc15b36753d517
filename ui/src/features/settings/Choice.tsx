import { useId } from "react";

import css from "./Settings.module.css";

interface Props {
  label: string;
  hint: string;
  /** What is so for now, whatever is chosen. */
  now?: string | undefined;
  checked: boolean;
  /** Undefined while nothing is known to change. */
  onChange: ((checked: boolean) => void) | undefined;
}

/** Something that is so or not, saved at once. */
export function Choice({ label, hint, now, checked, onChange }: Props) {
  const hintId = useId();
  const nowId = useId();
  return (
    <div>
      <label className={css.check}>
        <input
          type="checkbox"
          aria-describedby={now === undefined ? hintId : `${hintId} ${nowId}`}
          checked={checked}
          disabled={onChange === undefined}
          onChange={(event) => onChange?.(event.target.checked)}
        />
        {label}
      </label>
      <p id={hintId} className={css.soft}>
        {hint}
      </p>
      {now !== undefined && (
        <p id={nowId} className={css.below}>
          {now}
        </p>
      )}
    </div>
  );
}
