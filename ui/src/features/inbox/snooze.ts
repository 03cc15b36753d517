import { ms } from "../../format/time";
import type { Snooze, Timestamp } from "../../types";

const HOUR = 3_600_000;
/** When a morning begins. */
const NINE = 9;
/** So long before its deadline a question is back, however long it was put off, in ms: the desk goes by the same. */
export const LAST_CALL = 300_000;

/** An hour from now. */
export function inAnHour(now: Date): Timestamp {
  return new Date(now.getTime() + HOUR).toISOString();
}

/** Nine o'clock on the morning after this moment, where this window is. */
export function tomorrow(now: Date): Timestamp {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, NINE).toISOString();
}

/** When a question that expires then is back, if it is put off like this; undefined where no time brings it back. */
export function backAt(until: Snooze, expiresAt: Timestamp | undefined): Timestamp | undefined {
  const own = until.until === "at" ? ms(until.at) : Infinity;
  const back = Math.min(own, expiresAt === undefined ? Infinity : ms(expiresAt) - LAST_CALL);
  return back === Infinity ? undefined : new Date(back).toISOString();
}
