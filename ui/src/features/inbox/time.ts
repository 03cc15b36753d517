import { useCallback } from "react";

import { duration, ms, roughly } from "../../format/time";
import { useClock } from "../../store/clock";
import type { Answer } from "../../types";

/** A deadline nearer than this stands out. */
export const NEAR_MS = 15 * 60_000;

const HOUR = 3_600_000;

/** What is left: exactly below an hour, else roughly; empty when nothing is. */
export function timeLeft(length: number): string {
  if (length <= 0) return "";
  return length < HOUR ? duration(length) : roughly(length);
}

/**
 * Whole seconds until an answer goes out, 0 only once they are over. Never more than the person was given: our clock ticks
 * once a second, and its last tick may be older than the decision.
 */
export function useSecondsLeft(answer: Pick<Answer, "decidedAt" | "sendAt"> | undefined): number {
  const given = answer ? ms(answer.sendAt) - ms(answer.decidedAt) : 0;
  const until = answer ? ms(answer.sendAt) : 0;
  return useClock(useCallback((now: number) => Math.max(0, Math.ceil(Math.min(given, until - now) / 1_000)), [given, until]));
}
