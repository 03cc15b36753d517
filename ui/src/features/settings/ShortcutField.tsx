import { useEffect, useRef, useState, type KeyboardEvent } from "react";

import { Button } from "../../components/Button";
import { Field } from "../../components/Field";
import field from "../../components/Field.module.css";
import { t } from "../../strings";
import css from "./Keys.module.css";

const ALONE = new Set(["Control", "Shift", "Alt", "AltGraph", "Meta", "OS", "CapsLock", "Dead", "Process", "Unidentified"]);
const HELD = [
  ["ctrlKey", "Ctrl"],
  ["altKey", "Alt"],
  ["shiftKey", "Shift"],
  ["metaKey", "Super"],
] as const;

type Press = Pick<globalThis.KeyboardEvent, "key" | "code" | "ctrlKey" | "altKey" | "shiftKey" | "metaKey">;

/** A press as the desk reads it, such as `Ctrl+Alt+S`. Whether it can be had only the desk says. */
export function shortcutOf(press: Press): string {
  // With Shift or Alt a key may write something else: then it is the key itself that counts.
  const plain = /^[a-z0-9]$/i.test(press.key) ? press.key : /^(?:Key|Digit)(.)$/.exec(press.code)?.[1];
  const key = plain?.toUpperCase() ?? (press.key === " " ? "Space" : press.key.replace(/^Arrow/, ""));
  return [...HELD.filter(([held]) => press[held]).map(([, name]) => name), key].join("+");
}

interface Props {
  now: string | undefined;
  busy: boolean;
  onTake: (keys: string) => void;
  onLeave: () => void;
}

/** Takes the next key that is pressed with others held down. Tab and Escape alone leave, as from any field. */
export function ShortcutField({ now, busy, onTake, onLeave }: Props) {
  const [typed, setTyped] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const words = t.settings.shortcut;
  useEffect(() => input.current?.focus(), []);
  const take = () => {
    if (busy) return;
    if (typed === undefined) onLeave();
    else onTake(typed);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (ALONE.has(event.key) || event.nativeEvent.isComposing) return;
    const isHeld = event.ctrlKey || event.altKey || event.metaKey;
    if (event.key === "Tab" && !isHeld) return;
    event.preventDefault();
    if (event.repeat) return;
    if (event.key === "Enter" && !isHeld) take();
    else if (event.key === "Escape" && !isHeld) onLeave();
    else setTyped(shortcutOf(event));
  };
  return (
    <div className={css.editor}>
      <Field label={words.field} hint={words.fieldHint} status={<span className="unseen">{typed}</span>}>
        {(control) => <input {...control} ref={input} className={field.input} readOnly value={typed ?? now ?? ""} onKeyDown={onKeyDown} />}
      </Field>
      <div className={css.buttons}>
        <Button onClick={take} disabled={typed === undefined || busy}>
          {words.use}
        </Button>
        <Button look="quiet" onClick={onLeave}>
          {t.app.cancel}
        </Button>
      </div>
    </div>
  );
}
