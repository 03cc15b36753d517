import { useCallback } from "react";

import { duration, ms, roughly, secondsLeft } from "../../format/time";
import { useClock } from "../../store/clock";
import type { Answer } from "../../types";

const HOUR = 3_600_000;

/** What is left: exactly below an hour, else roughly; empty when nothing is. */
export function timeLeft(length: number): string {
  if (length <= 0) return "";
  return length < HOUR ? duration(length) : roughly(length);
}

/**
 * How long until an answer goes out: `9 s`; empty once it is time. Never more than the person was given: our clock ticks once
 * a second, and its last tick may be older than the decision.
 */
export function useUndoLeft(answer: Pick<Answer, "decidedAt" | "sendAt"> | undefined): string {
  const given = answer ? ms(answer.sendAt) - ms(answer.decidedAt) : 0;
  const until = answer ? ms(answer.sendAt) : 0;
  return useClock(useCallback((now: number) => secondsLeft(Math.min(given, until - now)), [given, until]));
}
