import { useEffect, useEffectEvent, useRef } from "react";

import { Button } from "../../components/Button";
import { Dialog } from "../../components/Dialog";
import { JsonBlock } from "../../components/JsonBlock";
import { ServerWord } from "../../components/ServerText";
import { ErrorNote } from "../../components/States";
import type { DeskError } from "../../host/error";
import { t } from "../../strings";
import type { Json } from "../../types";
import { Hint } from "../first/Hint";
import css from "./inbox.module.css";

interface Props {
  /** What is to be sent; undefined keeps the dialog closed. */
  content: Json | undefined;
  server: string;
  hold: number;
  busy: boolean;
  error: DeskError | undefined;
  onClose: () => void;
  onSend: () => void;
}

/** The very text that goes out, before it does. Enter sends. */
export function ReviewDialog({ content, server, hold, busy, error, onClose, onSend }: Props) {
  const open = content !== undefined;
  const send = useRef<HTMLButtonElement>(null);
  const onEnter = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.isComposing) return;
    const button = event.target instanceof Element && event.target.closest("button") !== null;
    const chord = event.ctrlKey || event.metaKey;
    if (button && !chord && !event.repeat) return;
    event.preventDefault();
    event.stopPropagation();
    // The key that opened the review may still be held: only a new press sends.
    if (!event.repeat && !busy) onSend();
  });
  useEffect(() => {
    if (!open) return;
    const listener = (event: KeyboardEvent) => onEnter(event);
    window.addEventListener("keydown", listener, true);
    return () => window.removeEventListener("keydown", listener, true);
  }, [open]);

  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t.inbox.reviewTitle}
      initialFocus={send}
      actions={
        <>
          <Button ref={send} look="primary" keys="Enter" disabled={busy} onClick={onSend}>
            {t.inbox.send}
          </Button>
          <Button look="quiet" onClick={onClose}>
            {t.inbox.keepEditing}
          </Button>
        </>
      }
    >
      <p>
        <strong className={css.strong}>
          <ServerWord text={server} />
        </strong>{" "}
        {t.inbox.reviewTo}
      </p>
      {open && <JsonBlock json={content} label={t.inbox.content} />}
      <p>{hold > 0 ? t.inbox.reviewUndo(Math.round(hold / 1_000)) : t.inbox.reviewNoUndo}</p>
      <Hint step="review" server={server} />
      {error && <ErrorNote error={error} />}
    </Dialog>
  );
}
