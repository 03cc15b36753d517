import { useEffect, useId, useRef, useState, type KeyboardEvent } from "react";

import type { KeyFault } from "../../actions/choice";
import { isChord, partsOf, pressed } from "../../actions/spelling";
import type { Keys } from "../../actions/table";
import { Button } from "../../components/Button";
import { Field } from "../../components/Field";
import field from "../../components/Field.module.css";
import { t } from "../../strings";
import css from "./Keys.module.css";

/** Keys in words, for a field and for those who hear them. */
export function spoken(keys: Keys): string {
  if (keys === "") return t.settings.keys.none;
  return (isChord(keys) ? t.settings.keys.together : t.settings.keys.then)(partsOf(keys));
}

/** What stands against keys, in words. */
function faultWords(fault: KeyFault): string {
  const words = t.settings.keys.fault;
  return fault.why === "taken" ? words.taken(t.actions[fault.by]) : words[fault.why];
}

const MODIFIERS = new Set(["Control", "Shift", "Alt", "AltGraph", "Meta", "CapsLock", "Dead", "Process", "Unidentified"]);
const isPlain = (keys: Keys) => /^\S$/u.test(keys);

interface Props {
  /** What it is for. */
  label: string;
  now: Keys;
  faultOf: (keys: Keys) => KeyFault | undefined;
  onTake: (keys: Keys) => void;
  onLeave: () => void;
}

/** Takes the next key that is pressed. Nothing is in force before it is taken; Tab leaves, as from any field. */
export function KeyField({ label, now, faultOf, onTake, onLeave }: Props) {
  const [typed, setTyped] = useState<Keys>();
  const editor = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  useEffect(() => {
    input.current?.focus();
    // Its buttons come into sight with it.
    editor.current?.scrollIntoView({ block: "nearest" });
  }, []);
  const fault = typed === undefined ? undefined : faultOf(typed);
  const take = () => {
    if (typed === undefined) onLeave();
    else if (fault === undefined) onTake(typed);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const keys = pressed(event);
    if (keys === undefined || keys === "Tab" || MODIFIERS.has(event.key) || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (event.repeat) return;
    if (keys === "Enter") take();
    else if (keys === "Escape") onLeave();
    else if (keys === "Backspace") setTyped("");
    else setTyped(typed !== undefined && isPlain(typed) && isPlain(keys) ? `${typed} ${keys}` : keys);
  };
  return (
    <div ref={editor} className={css.editor}>
      <Field label={label} hint={t.settings.keys.fieldHint} errors={fault ? [faultWords(fault)] : []} status={<span className="unseen">{typed !== undefined && spoken(typed)}</span>}>
        {(control) => <input {...control} ref={input} className={field.input} readOnly value={spoken(typed ?? now)} onKeyDown={onKeyDown} />}
      </Field>
      <div className={css.buttons}>
        <Button onClick={take} disabled={typed === undefined || fault !== undefined} aria-describedby={id}>
          {t.settings.keys.use}
        </Button>
        <span id={id} className="unseen">
          {label}
        </span>
        <Button look="quiet" onClick={onLeave}>
          {t.app.cancel}
        </Button>
      </div>
    </div>
  );
}
