import { useEffect, useId, useRef, useState, type KeyboardEvent } from "react";

import { monthOf, wholeDay } from "../format/dates";
import { addDays, addMonths, today, weekday, weeksOf, writeDay, type Day } from "../format/days";
import { t } from "../strings";
import { units } from "../strings/en/units";
import css from "./Calendar.module.css";

interface Props {
  /** The day that is chosen. */
  chosen: Day | undefined;
  onChoose: (day: Day) => void;
}

/** Where a key leads from a day. */
function moved(day: Day, { key, shiftKey }: KeyboardEvent): Day | undefined {
  switch (key) {
    case "ArrowLeft":
      return addDays(day, -1);
    case "ArrowRight":
      return addDays(day, 1);
    case "ArrowUp":
      return addDays(day, -7);
    case "ArrowDown":
      return addDays(day, 7);
    case "Home":
      return addDays(day, -weekday(day));
    case "End":
      return addDays(day, 6 - weekday(day));
    case "PageUp":
      return addMonths(day, shiftKey ? -12 : -1);
    case "PageDown":
      return addMonths(day, shiftKey ? 12 : 1);
    default:
      return undefined;
  }
}

/** The days of a month. One of them has the place in the tab order, and the arrows move it. */
export function Calendar({ chosen, onChoose }: Props) {
  const [day, setDay] = useState(chosen ?? today());
  const title = useId();
  const grid = useRef<HTMLTableElement>(null);
  const byKey = useRef(true);
  const at = writeDay(day);
  const now = writeDay(today());

  useEffect(() => {
    if (byKey.current) grid.current?.querySelector<HTMLElement>("[tabindex='0']")?.focus();
    byKey.current = false;
  }, [at]);

  const onKeyDown = (event: KeyboardEvent) => {
    const next = event.ctrlKey || event.altKey || event.metaKey ? undefined : moved(day, event);
    if (!next) return;
    event.preventDefault();
    byKey.current = true;
    setDay(next);
  };
  return (
    <div className={css.calendar}>
      <div className={css.head}>
        <button type="button" className={css.turn} aria-label={t.forms.dates.before} onClick={() => setDay(addMonths(day, -1))}>
          ‹
        </button>
        <span id={title} aria-live="polite">
          {monthOf(day)}
        </span>
        <button type="button" className={css.turn} aria-label={t.forms.dates.after} onClick={() => setDay(addMonths(day, 1))}>
          ›
        </button>
      </div>
      {/* A table whose cells are gone through with the arrows is what a grid is. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role */}
      <table ref={grid} role="grid" aria-labelledby={title} className={css.days} onKeyDown={onKeyDown}>
        <thead>
          <tr>
            {units.weekdays.map((name) => (
              <th key={name} scope="col" abbr={name}>
                {name.slice(0, 2)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(day.year, day.month).map((week, index) => (
            <tr key={index}>
              {week.map((one, index) => (
                <td key={index}>
                  {one && (
                    <button
                      type="button"
                      className={css.day}
                      tabIndex={writeDay(one) === at ? 0 : -1}
                      aria-label={wholeDay(one)}
                      aria-pressed={chosen !== undefined && writeDay(one) === writeDay(chosen)}
                      aria-current={writeDay(one) === now ? "date" : undefined}
                      onClick={() => onChoose(one)}
                    >
                      {one.day}
                    </button>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
