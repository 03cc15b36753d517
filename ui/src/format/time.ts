import { units } from "../strings/en/units";
import type { Timestamp } from "../types";
import { minuteOf, momentWithOffset, namedDay, secondOf, shortDay } from "./dates";
import { dayAt, two } from "./days";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** An end nearer than this, in ms, stands out. */
export const NEAR_MS = 15 * MINUTE;

/** A task that works and has said nothing for longer is silent for long. */
export const SILENT_MS = 15 * MINUTE;

// Lengths are cut to whole units, never rounded up: nothing is older, and nothing has more time left, than it says. What is
// shorter than the smallest unit is said to be, and is never nothing.

/** `< 1 s`, `0:04`, `52:10`, `3:26 h`, `2 d 4 h`. Negative lengths count as none: `0:00`. */
export function duration(ms: number): string {
  const length = Math.max(0, ms);
  if (length > 0 && length < SECOND) return "< 1 s";
  if (length < HOUR) return `${Math.floor(length / MINUTE)}:${two(Math.floor((length % MINUTE) / SECOND))}`;
  if (length < DAY) return `${Math.floor(length / HOUR)}:${two(Math.floor((length % HOUR) / MINUTE))} h`;
  const hours = Math.floor((length % DAY) / HOUR);
  return hours > 0 && length < 10 * DAY ? `${Math.floor(length / DAY)} d ${hours} h` : `${Math.floor(length / DAY)} d`;
}

/** `< 1 min`, `52 min`, `3:26 h`, `2 d 4 h`: for lists, where seconds would only flicker. */
export function minutes(ms: number): string {
  const length = Math.max(0, ms);
  if (length < MINUTE) return "< 1 min";
  return length < HOUR ? `${Math.floor(length / MINUTE)} min` : duration(length);
}

/** `less than a second`, `18 min`, `2 h`, `3 d`: for running text, where seconds would only flicker. */
export function roughly(ms: number): string {
  const length = Math.max(0, ms);
  if (length < MINUTE) return secondsLeft(length) || units.underSecond;
  if (length < HOUR) return `${Math.floor(length / MINUTE)} min`;
  if (length < 2 * DAY) return `${Math.floor(length / HOUR)} h`;
  return `${Math.floor(length / DAY)} d`;
}

/** `< 1 min`, `18 min`, `2 h`, `3 d`: how long ago, for lists. */
export function roughlyMinutes(ms: number): string {
  return ms < MINUTE ? minutes(ms) : roughly(ms);
}

/** `less than a second`, `9 s`; empty once nothing is left. */
export function secondsLeft(ms: number): string {
  if (ms <= 0) return "";
  return ms < SECOND ? units.underSecond : `${Math.floor(ms / SECOND)} s`;
}

/** `under 1 ms`, `41 ms`, `1.2 s`: how long an answer took. */
export function latency(ms: number): string {
  if (ms < 1) return units.underMs;
  return ms < SECOND ? `${Math.floor(ms)} ms` : `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
}

/** `250 ms`, `1.5 s`, `90 s`: an interval, exactly. */
export function exactly(ms: number): string {
  return ms > 0 && ms < SECOND ? `${ms} ms` : `${ms / SECOND} s`;
}

/** `90 s` between two clocks; undefined where that does not show, since one of them is cut to seconds. */
export function apart(ms: number): string | undefined {
  const seconds = Math.round(Math.abs(ms) / SECOND);
  return seconds <= 1 ? undefined : `${seconds} s`;
}

/** Milliseconds since 1970. */
export function ms(at: Timestamp): number {
  return Date.parse(at);
}

function sameDay(a: number, b: number): boolean {
  return new Date(a).toDateString() === new Date(b).toDateString();
}

/** `14:02`, or with the day when that is not today: `21 Nov, 14:02`. */
export function clock(at: number, now: number): string {
  const then = new Date(at);
  return sameDay(at, now) ? minuteOf(then) : `${shortDay(dayAt(then))}, ${minuteOf(then)}`;
}

/** `Today`, `Yesterday`, `Tue, 24 Nov 2026`, of a day such as `2026-11-24`. */
export function day(text: string, now: number): string {
  const [year = 0, month = 1, date = 1] = text.split("-").map(Number);
  const at = new Date(year, month - 1, date).getTime();
  if (sameDay(at, now)) return units.today;
  const yesterday = new Date(now);
  yesterday.setDate(yesterday.getDate() - 1);
  return sameDay(at, yesterday.getTime()) ? units.yesterday : namedDay({ year, month, day: date });
}

/** `14:02:11`. */
export function clockSeconds(at: number): string {
  return secondOf(new Date(at));
}

/** Everything about a point in time, for a tooltip. */
export function absolute(at: number): string {
  return Number.isNaN(at) ? "" : momentWithOffset(new Date(at));
}
