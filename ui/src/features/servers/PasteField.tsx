import { useEffect, useRef, useState, type KeyboardEvent } from "react";

import { Button } from "../../components/Button";
import { Field } from "../../components/Field";
import field from "../../components/Field.module.css";
import { visible } from "../../format/text";
import { useAct } from "../../store/call";
import { t } from "../../strings";
import type { Pasted } from "../../types";
import css from "./ServerForm.module.css";

interface Props {
  /** What was understood, with the text itself, which may hold secrets: it belongs into no state. Nothing was run or registered. */
  onPasted: (pasted: Pasted, text: string) => void;
  /** It could not be read: what was said of an earlier text is not said of this one. */
  onFailed?: () => void;
  /** It has the focus at first. */
  focus?: boolean;
}

/** Takes anything that names a server: a URL, a command line, JSON, or a command of another client. */
export function PasteField({ onPasted, onFailed, focus = false }: Props) {
  const { run, busy, error, clear } = useAct();
  // Not controlled: it may hold secrets, which go from here to the desk and never through our state.
  const input = useRef<HTMLTextAreaElement>(null);
  const [empty, setEmpty] = useState(true);
  useEffect(() => {
    if (focus) input.current?.focus();
  }, [focus]);

  const read = async () => {
    const text = input.current?.value ?? "";
    if (busy || text.trim() === "") return;
    const reply = await run({ type: "read_pasted", text });
    if (!reply) onFailed?.();
    // It may have been changed while it was read.
    if (!reply || input.current?.value !== text) return;
    input.current.value = "";
    setEmpty(true);
    onPasted(reply.pasted, text);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void read();
  };
  return (
    <Field label={t.servers.paste.label} hint={t.servers.paste.hint} errors={error ? [visible(error.message)] : []}>
      {(control) => (
        <div className={css.paste}>
          <textarea
            {...control}
            ref={input}
            className={`${field.input} ${field.mono}`}
            rows={2}
            spellCheck={false}
            autoComplete="off"
            autoCapitalize="off"
            placeholder={t.servers.paste.example}
            onChange={() => {
              setEmpty((input.current?.value ?? "").trim() === "");
              clear();
            }}
            onKeyDown={onKey}
            // What is pasted into an empty field is all there is to come.
            onPaste={() => {
              if (input.current?.value === "") setTimeout(() => void read());
            }}
          />
          <Button disabled={busy || empty} onClick={() => void read()}>
            {t.servers.paste.read}
          </Button>
        </div>
      )}
    </Field>
  );
}
