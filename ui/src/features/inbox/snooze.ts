import type { Timestamp } from "../../types";

const HOUR = 3_600_000;
/** When a morning begins. */
const NINE = 9;

/** An hour from now. */
export function inAnHour(now: Date): Timestamp {
  return new Date(now.getTime() + HOUR).toISOString();
}

/** Nine o'clock on the morning after this moment, where this window is. */
export function tomorrow(now: Date): Timestamp {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, NINE).toISOString();
}
