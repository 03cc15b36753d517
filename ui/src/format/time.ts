import type { Timestamp } from "../types";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const two = (n: number): string => String(n).padStart(2, "0");

/** `0:04`, `52:10`, `3:26 h`, `2 d 4 h`. Negative lengths count as none. */
export function duration(ms: number): string {
  const length = Math.max(0, ms);
  if (length < HOUR) return `${Math.floor(length / MINUTE)}:${two(Math.floor((length % MINUTE) / SECOND))}`;
  if (length < DAY) return `${Math.floor(length / HOUR)}:${two(Math.floor((length % HOUR) / MINUTE))} h`;
  const hours = Math.floor((length % DAY) / HOUR);
  return hours > 0 && length < 10 * DAY ? `${Math.floor(length / DAY)} d ${hours} h` : `${Math.floor(length / DAY)} d`;
}

/** `< 1 min`, `52 min`, `3:26 h`, `2 d 4 h`: for lists, where seconds would only flicker. Never says more than has passed. */
export function minutes(ms: number): string {
  const length = Math.max(0, ms);
  if (length < MINUTE) return "< 1 min";
  return length < HOUR ? `${Math.floor(length / MINUTE)} min` : duration(length);
}

/** `0 s`, `18 min`, `2 h`, `3 d`: for running text, where seconds would only flicker. */
export function roughly(ms: number): string {
  const length = Math.max(0, ms);
  if (length < MINUTE) return `${Math.floor(length / SECOND)} s`;
  if (length < HOUR) return `${Math.floor(length / MINUTE)} min`;
  if (length < 2 * DAY) return `${Math.floor(length / HOUR)} h`;
  return `${Math.floor(length / DAY)} d`;
}

const CLOCK = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const CLOCK_SECONDS = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const DAY_CLOCK = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
const ABSOLUTE = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeStyle: "long" });

/** Milliseconds since 1970. */
export function ms(at: Timestamp): number {
  return Date.parse(at);
}

function sameDay(a: number, b: number): boolean {
  return new Date(a).toDateString() === new Date(b).toDateString();
}

/** `14:02`, or with the day when that is not today: `21 Nov, 14:02`. */
export function clock(at: number, now: number): string {
  return (sameDay(at, now) ? CLOCK : DAY_CLOCK).format(at);
}

/** `14:02:11`. */
export function clockSeconds(at: number): string {
  return CLOCK_SECONDS.format(at);
}

/** Everything about a point in time, for a tooltip. */
export function absolute(at: number): string {
  return Number.isNaN(at) ? "" : ABSOLUTE.format(at);
}
