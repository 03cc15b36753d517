import { useState, type KeyboardEvent } from "react";

import { Field } from "../../components/Field";
import field from "../../components/Field.module.css";
import { t } from "../../strings";
import type { Settings } from "../../types";
import { SavedMark } from "./SavedMark";
import css from "./Settings.module.css";
import type { EditedSettings } from "./useSettings";

/** The largest number that the desk takes, in the setting's own unit. */
const LARGEST = 0xffff_ffff;

interface Props {
  setting: { [K in keyof Settings]-?: Settings[K] extends number ? K : never }[keyof Settings];
  edited: EditedSettings;
  label: string;
  hint: string;
  /** The unit people see, and how many of the setting's own it holds. */
  unit: string;
  factor: number;
}

/** A number that is saved when it is left or Enter is pressed. What does not fit stays as typed, beside the reason. */
export function NumberSetting({ setting, edited, label, hint, unit, factor }: Props) {
  const [typed, setTyped] = useState<string>();
  const [fault, setFault] = useState<string>();
  const value = edited.chosen[setting];
  const saving = edited.savingOf(setting);

  const commit = async () => {
    if (typed === undefined) return;
    const number = numberOf(typed);
    const next = Math.round((number ?? 0) * factor);
    const wrong = faultOf(number, next);
    setFault(wrong);
    if (wrong !== undefined) return;
    if (next === value || (await edited.save(setting, next))) {
      // Typed on meanwhile: that is not saved yet.
      setTyped((now) => (now === typed ? undefined : now));
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter") void commit();
  };
  const error = fault ?? (typed !== undefined && saving?.state === "failed" ? saving.error?.message : undefined);
  return (
    <Field label={label} hint={hint} errors={error === undefined ? [] : [error]}>
      {(control) => (
        <span className={css.line}>
          <input
            {...control}
            className={`${field.input} ${css.number}`}
            inputMode="decimal"
            autoComplete="off"
            value={typed ?? String(value / factor)}
            onChange={(event) => setTyped(event.target.value)}
            onBlur={() => void commit()}
            onKeyDown={onKeyDown}
          />
          <span className={css.soft}>{unit}</span>
          <SavedMark saving={saving} />
        </span>
      )}
    </Field>
  );
}

/** Why a number cannot be saved, which would be kept as `next`. */
function faultOf(number: number | undefined, next: number): string | undefined {
  if (number === undefined) return t.settings.notANumber;
  // Nothing may become "without limit" that was meant as very little.
  if (next === 0 && number !== 0) return t.settings.tooSmall;
  return next > LARGEST ? t.settings.tooLarge : undefined;
}

/** A number as people write it, with a point or a comma; never negative. */
function numberOf(text: string): number | undefined {
  const plain = text.trim().replace(",", ".");
  return /^(\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : undefined;
}
