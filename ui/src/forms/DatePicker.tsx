import { Popover } from "@base-ui/react/popover";
import { useId, useState } from "react";

import { useModalKeys } from "../actions/registry";
import { Button } from "../components/Button";
import field from "../components/Field.module.css";
import { offsetHere, readDay, readMoment, today, writeDay, writeMoment, type Day } from "../format/days";
import { t } from "../strings";
import { Calendar } from "./Calendar";
import css from "./Calendar.module.css";

interface Props {
  /** Whether a time goes with it. */
  timed: boolean;
  text: string;
  onChange: (text: string) => void;
  /** The id of the label of its field. */
  label: string;
}

/** Midnight, until another time is typed. */
const MIDNIGHT = "00:00:00";
const TIME = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?$/;

/** A calendar beside a field for a date. Web views of some systems have none; and what is typed stays as it is typed. */
export function DatePicker({ timed, text, onChange, label }: Props) {
  const [open, setOpen] = useState(false);
  useModalKeys(open);
  const moment = readMoment(text);
  const chosen = readDay((timed ? moment.day : text) ?? "");
  const choose = (day: Day) => {
    const time = moment.time ?? MIDNIGHT;
    onChange(timed ? writeMoment(writeDay(day), time, moment.offset ?? offsetHere(day, time)) : writeDay(day));
    setOpen(false);
  };
  return (
    <Popover.Root open={open} onOpenChange={setOpen} modal="trap-focus">
      <Popover.Trigger className={css.open} aria-describedby={label}>
        {t.forms.dates.open}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner sideOffset={4} align="start" className={css.place}>
          <Popover.Popup className={css.popup} aria-label={timed ? t.forms.dates.chooseTimed : t.forms.dates.choose} initialFocus={false}>
            <Calendar chosen={chosen} onChoose={choose} />
            {timed && <Clock text={text} chosen={chosen ?? today()} onChange={onChange} />}
            <Button look="quiet" onClick={() => setOpen(false)}>
              {t.forms.dates.close}
            </Button>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

/** The time of day, and the offset from UTC that is sent with it. */
function Clock({ text, chosen, onChange }: { text: string; chosen: Day; onChange: (text: string) => void }) {
  const id = useId();
  const moment = readMoment(text);
  const [typed, setTyped] = useState(moment.time ?? MIDNIGHT);
  const here = offsetHere(chosen, typed);
  const offset = moment.offset ?? here;
  const write = (time: string, offset: string) => {
    if (TIME.test(time)) onChange(writeMoment(writeDay(chosen), time, offset));
  };
  return (
    <div className={css.clock}>
      <label htmlFor={`${id}-time`}>{t.forms.dates.time}</label>
      <input
        id={`${id}-time`}
        className={field.input}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        aria-invalid={!TIME.test(typed) || undefined}
        onChange={({ target: { value } }) => {
          setTyped(value);
          write(value, offset);
        }}
      />
      <label htmlFor={`${id}-zone`}>{t.forms.dates.zone}</label>
      <select id={`${id}-zone`} className={field.input} value={offset} onChange={({ target: { value } }) => write(typed, value)}>
        {[...new Set([here, "Z", offset])].map((one) => (
          <option key={one} value={one}>
            {one === here ? t.forms.dates.here(one) : one === "Z" ? t.forms.dates.utc : one}
          </option>
        ))}
      </select>
    </div>
  );
}
