import { useCallback } from "react";

import { duration, ms, roughly } from "../../format/time";
import { useClock } from "../../store/clock";
import type { Timestamp } from "../../types";

/** A deadline nearer than this stands out. */
export const NEAR_MS = 15 * 60_000;

const HOUR = 3_600_000;

/** What is left: exactly below an hour, else roughly; empty when nothing is. */
export function timeLeft(length: number): string {
  if (length <= 0) return "";
  return length < HOUR ? duration(length) : roughly(length);
}

/** Whole seconds until a moment, counted so that it is 0 only once it has come. */
export function useSecondsLeft(at: Timestamp | undefined): number {
  return useClock(useCallback((now: number) => (at === undefined ? 0 : Math.max(0, Math.ceil((ms(at) - now) / 1_000))), [at]));
}
