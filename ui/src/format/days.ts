/** A day of the calendar, of no time zone. */
export interface Day {
  year: number;
  /** From 1. */
  month: number;
  day: number;
}

/** A point in time as it is written; each part as far as it is there. */
export interface Moment {
  day: string | undefined;
  time: string | undefined;
  /** `Z`, or such as `+02:00`. */
  offset: string | undefined;
}

const DAY_MS = 24 * 3_600_000;
const [FIRST_YEAR, LAST_YEAR] = [1, 9999];

/** The day that a text such as `2026-01-31` names; undefined where there is none. */
export function readDay(text: string): Day | undefined {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (!parts) return undefined;
  const [year = 0, month = 0, day = 0] = parts.slice(1).map(Number);
  const there = month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
  return there && year >= FIRST_YEAR ? { year, month, day } : undefined;
}

/** `2026-01-31`. */
export function writeDay({ year, month, day }: Day): string {
  return `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}`;
}

/** How many days a month has. */
export function daysIn(year: number, month: number): number {
  return new Date(utc({ year, month: month + 1, day: 0 })).getUTCDate();
}

/** The day so many days later; at either end of the calendar, the last one there is. */
export function addDays(day: Day, count: number): Day {
  const at = new Date(utc(day) + count * DAY_MS);
  const year = at.getUTCFullYear();
  return year < FIRST_YEAR || year > LAST_YEAR ? day : { year, month: at.getUTCMonth() + 1, day: at.getUTCDate() };
}

/** The same day so many months later, or the last one of that month. */
export function addMonths(day: Day, count: number): Day {
  const months = day.year * 12 + (day.month - 1) + count;
  const [year, month] = [Math.floor(months / 12), (((months % 12) + 12) % 12) + 1];
  if (year < FIRST_YEAR || year > LAST_YEAR) return day;
  return { year, month, day: Math.min(day.day, daysIn(year, month)) };
}

/** Which day of its week it is: 0 is Monday. */
export function weekday(day: Day): number {
  return (new Date(utc(day)).getUTCDay() + 6) % 7;
}

/** The weeks of a month from Monday on; undefined where a day is of another month. */
export function weeksOf(year: number, month: number): (Day | undefined)[][] {
  const before = weekday({ year, month, day: 1 });
  const count = daysIn(year, month);
  return Array.from({ length: Math.ceil((before + count) / 7) }, (_, week) =>
    Array.from({ length: 7 }, (_, at) => {
      const day = week * 7 + at - before + 1;
      return day >= 1 && day <= count ? { year, month, day } : undefined;
    }),
  );
}

/** A day's midnight in UTC, in ms since 1970. */
export function utc({ year, month, day }: Day): number {
  // The platform takes years below 100 for those of the last century.
  return new Date(Date.UTC(2000, month - 1, day)).setUTCFullYear(year, month - 1, day);
}

/** The day that it is here. */
export function today(): Day {
  return dayAt(new Date());
}

/** The day that it is here at a point in time. */
export function dayAt(at: Date): Day {
  return { year: at.getFullYear(), month: at.getMonth() + 1, day: at.getDate() };
}

/** The parts of a point in time, also of one that is not all typed yet. */
export function readMoment(text: string): Moment {
  const parts = /^(\d{4}-\d{2}-\d{2})?(?:[Tt ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?)?([Zz]|[+-]\d{2}:\d{2})?$/.exec(text.trim());
  return { day: parts?.[1], time: parts?.[2], offset: parts?.[3] };
}

/** A point in time as it is sent. */
export function writeMoment(day: string, time: string, offset: string): string {
  return `${day}T${time.length === 5 ? `${time}:00` : time}${offset}`;
}

/** The offset of this machine's clock on a day at a time, such as `+02:00`. */
export function offsetHere(day: Day, time: string): string {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  const at = new Date(day.year, day.month - 1, day.day, hours, minutes);
  if (day.year < 100) at.setFullYear(day.year);
  return offsetAt(at);
}

/** The offset of this machine's clock at a point in time, such as `+02:00`. */
export function offsetAt(at: Date): string {
  const east = -Math.round(at.getTimezoneOffset());
  return `${east < 0 ? "-" : "+"}${two(Math.floor(Math.abs(east) / 60))}:${two(Math.abs(east) % 60)}`;
}

/** A number of two digits. */
export function two(n: number): string {
  return String(n).padStart(2, "0");
}
