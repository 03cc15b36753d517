import { units } from "../strings/en/units";
import { dayAt, offsetAt, two, weekday, type Day } from "./days";

// Days and times as they are written in English. `Intl` writes them, too: but the first one that it writes takes the page megabytes for
// the rules of all languages, and some ms.

/** `14:02`, here. */
export function minuteOf(at: Date): string {
  return `${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** `14:02:11`, here. */
export function secondOf(at: Date): string {
  return `${minuteOf(at)}:${two(at.getSeconds())}`;
}

/** `24 Nov`. */
export function shortDay({ month, day }: Day): string {
  return `${day} ${monthName(month).slice(0, 3)}`;
}

/** `Tue, 24 Nov 2026`. */
export function namedDay(day: Day): string {
  return `${dayName(day).slice(0, 3)}, ${shortDay(day)} ${day.year}`;
}

/** `Tuesday 24 November 2026`. */
export function wholeDay(day: Day): string {
  return `${dayName(day)} ${day.day} ${monthOf(day)}`;
}

/** `November 2026`. */
export function monthOf({ year, month }: Day): string {
  return `${monthName(month)} ${year}`;
}

/** `Tuesday 24 November 2026, 14:02:11`, here. */
export function momentHere(at: Date): string {
  return `${wholeDay(dayAt(at))}, ${secondOf(at)}`;
}

/** `Tuesday 24 November 2026, 14:02:11 (UTC+01:00)`, here. */
export function momentWithOffset(at: Date): string {
  return `${momentHere(at)} (UTC${offsetAt(at)})`;
}

function monthName(month: number): string {
  return units.months[month - 1] ?? "";
}

function dayName(day: Day): string {
  return units.weekdays[weekday(day)] ?? "";
}
