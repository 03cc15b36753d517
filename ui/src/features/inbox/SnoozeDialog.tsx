import { useRef, useState, type KeyboardEvent } from "react";

import { ActionButton, Button } from "../../components/Button";
import { Dialog } from "../../components/Dialog";
import { t } from "../../strings";
import type { RequestRow, Snooze } from "../../types";
import css from "./inbox.module.css";
import { inAnHour, tomorrow } from "./snooze";
import type { Answering } from "./useAnswering";

/** A question that waits is put off, or brought back: a press asks until when. */
export function SnoozeButton({ row, answering }: { row: RequestRow; answering: Answering }) {
  const [open, setOpen] = useState(false);
  const first = useRef<HTMLButtonElement>(null);
  const words = t.inbox.snooze;
  const choose = (until: Snooze | undefined) => {
    setOpen(false);
    void answering.snooze(row.id, until);
  };
  return (
    <>
      <ActionButton
        action="request.snooze"
        onRun={() => {
          if (!answering.isTooSoon()) setOpen(true);
        }}
      />
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title={words.title}
        initialFocus={first}
        actions={<Button onClick={() => setOpen(false)}>{words.close}</Button>}
      >
        <p className={css.quiet}>{row.expiresAt === undefined ? words.means : words.meansExpires}</p>
        <div className={css.choices}>
          <Button ref={first} onKeyDown={move} onClick={() => choose({ until: "at", at: inAnHour(new Date()) })}>
            {words.hour}
          </Button>
          <Button onKeyDown={move} onClick={() => choose({ until: "at", at: tomorrow(new Date()) })}>{words.tomorrow}</Button>
          <Button onKeyDown={move} onClick={() => choose({ until: "change" })}>{words.change}</Button>
          {row.expiresAt !== undefined && <Button onKeyDown={move} onClick={() => choose({ until: "before_expiry" })}>{words.beforeExpiry}</Button>}
          {row.snoozed !== undefined && <Button onKeyDown={move} onClick={() => choose(undefined)}>{words.off}</Button>}
        </div>
      </Dialog>
    </>
  );
}

const STEP: Partial<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** The arrow keys go from one choice to the next. */
function move(event: KeyboardEvent<HTMLButtonElement>): void {
  const step = STEP[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const choices = [...(event.currentTarget.parentElement?.querySelectorAll("button") ?? [])];
  const at = choices.indexOf(event.currentTarget);
  choices.at((at + step) % choices.length)?.focus();
}
