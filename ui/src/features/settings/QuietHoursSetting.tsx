import { Field } from "../../components/Field";
import field from "../../components/Field.module.css";
import { t } from "../../strings";
import type { QuietHours } from "../../types";
import css from "./Settings.module.css";

/** What stands there when they are switched on. */
const NIGHT: QuietHours = { from: "22:00", to: "07:00" };

interface Props {
  quiet: QuietHours | undefined;
  onChange: (quiet: QuietHours | undefined) => void;
}

/** From when to when nothing is told that can wait. */
export function QuietHoursSetting({ quiet, onChange }: Props) {
  const end = (which: keyof QuietHours) => (
    <input
      type="time"
      required
      aria-label={t.settings.quiet[which]}
      className={`${field.input} ${css.time}`}
      value={quiet?.[which] ?? ""}
      onChange={({ target }) => {
        // An empty field is one that is being typed in.
        if (quiet && target.value !== "") onChange({ ...quiet, [which]: target.value });
      }}
    />
  );
  return (
    <Field label={t.settings.quiet.title} hint={t.settings.quiet.hint} group>
      {(control) => (
        <span {...control} className={`${css.line} ${css.below}`}>
          <label className={css.check}>
            <input type="checkbox" checked={quiet !== undefined} onChange={({ target }) => onChange(target.checked ? NIGHT : undefined)} />
            {t.settings.quiet.on}
          </label>
          {quiet && (
            <span className={css.hours}>
              {end("from")} {t.settings.quiet.until} {end("to")}
            </span>
          )}
        </span>
      )}
    </Field>
  );
}
