import { useRef, useState, type KeyboardEvent, type Ref } from "react";

import { ActionButton, Button } from "../../components/Button";
import { Dialog } from "../../components/Dialog";
import { ClockTime } from "../../components/Time";
import { ms } from "../../format/time";
import { useClock } from "../../store/clock";
import { t } from "../../strings";
import type { RequestDetail, Snooze } from "../../types";
import css from "./inbox.module.css";
import { backAt, inAnHour, tomorrow } from "./snooze";
import type { Answering } from "./useAnswering";

/** A question that waits is put off, or brought back: a press asks until when. */
export function SnoozeButton({ detail, answering }: { detail: RequestDetail; answering: Answering }) {
  const { row } = detail;
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
        <Choices detail={detail} first={first} onChoose={choose} />
      </Dialog>
    </>
  );
}

interface ChoicesProps {
  detail: RequestDetail;
  first: Ref<HTMLButtonElement>;
  onChoose: (until: Snooze | undefined) => void;
}

/** Each choice with the time at which the question is back: tomorrow is another day before midnight than after it. */
function Choices({ detail: { row, hasTask }, first, onChoose }: ChoicesProps) {
  const words = t.inbox.snooze;
  const minute = useClock(beginOfMinute);
  const choices: [label: string, until: (now: Date) => Snooze][] = [
    [words.hour, (now) => ({ until: "at", at: inAnHour(now) })],
    [words.tomorrow, (now) => ({ until: "at", at: tomorrow(now) })],
  ];
  if (hasTask) choices.push([words.change, () => ({ until: "change" })]);
  if (row.expiresAt !== undefined) choices.push([words.beforeExpiry, () => ({ until: "before_expiry" })]);
  return (
    <div className={css.choices}>
      {choices.map(([label, until], index) => {
        const shown = until(new Date(minute));
        const back = backAt(shown, row.expiresAt);
        return (
          <Button key={label} ref={index === 0 ? first : null} onKeyDown={move} onClick={() => onChoose(until(new Date()))}>
            <span>{label}</span>{" "}
            {back !== undefined && ms(back) > minute && (
              <span className={css.quiet}>
                {shown.until === "change" && words.latest} <ClockTime at={back} />
              </span>
            )}
          </Button>
        );
      })}
      {row.snoozed !== undefined && (
        <Button onKeyDown={move} onClick={() => onChoose(undefined)}>
          {words.off}
        </Button>
      )}
    </div>
  );
}

const MINUTE = 60_000;

function beginOfMinute(now: number): number {
  return now - (now % MINUTE);
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
