import { useCallback } from "react";

import { absolute, clock, clockSeconds, duration, minutes, ms, roughly, roughlyMinutes } from "../format/time";
import { useClock } from "../store/clock";
import { t } from "../strings";
import type { Timestamp } from "../types";

interface Props {
  at: Timestamp;
}

function Stamp({ at, text, className }: Props & { text: string; className?: string | undefined }) {
  return (
    <time dateTime={at} title={absolute(ms(at))} className={className}>
      {text}
    </time>
  );
}

/** How long since, exactly: `18:20`, `1:52 h`. Stops at `until`. */
export function Elapsed({ at, until }: Props & { until?: Timestamp | undefined }) {
  const read = useCallback((now: number) => duration((until === undefined ? now : ms(until)) - ms(at)), [at, until]);
  return <Stamp at={at} text={useClock(read)} />;
}

interface SinceProps extends Props {
  /** More than this is long. */
  warnMs?: number;
  /** Warns of it then. */
  className?: string | undefined;
  /** As one would say it: `18 min`, `17 h`. */
  rough?: boolean;
}

/** How long since, to the minute: for rows, which must not change every second. */
export function Since({ at, warnMs = Infinity, className, rough = false }: SinceProps) {
  const isLong = useClock(useCallback((now: number) => now - ms(at) > warnMs, [at, warnMs]));
  const text = useClock(useCallback((now: number) => (rough ? roughlyMinutes : minutes)(now - ms(at)), [at, rough]));
  return <Stamp at={at} text={text} className={isLong ? className : undefined} />;
}

/** How long ago: `3 min ago`, `1 h ago`, for rows. */
export function Ago({ at }: Props) {
  return <Stamp at={at} text={useClock(useCallback((now: number) => t.tasks.endedAgo(roughlyMinutes(now - ms(at))), [at]))} />;
}

interface LeftProps extends Props {
  /** Less than this is near. */
  warnMs?: number;
  /** Warns of it then. */
  className?: string | undefined;
  /** To the minute, until it is near. */
  rough?: boolean;
}

/** How long until, exactly. Warned of once it is near. */
export function Left({ at, warnMs = 0, className, rough = false }: LeftProps) {
  const near = useClock(useCallback((now: number) => ms(at) - now < warnMs, [at, warnMs]));
  const exact = near || !rough;
  const text = useClock(useCallback((now: number) => (exact ? duration(ms(at) - now) : minutes(ms(at) - now)), [at, exact]));
  return <Stamp at={at} text={text} className={near ? className : undefined} />;
}

/** The time of day, with the day when that is not today. */
export function ClockTime({ at, seconds = false }: Props & { seconds?: boolean }) {
  const read = useCallback((now: number) => (seconds ? clockSeconds(ms(at)) : clock(ms(at), now)), [at, seconds]);
  return <Stamp at={at} text={useClock(read)} />;
}

/** Roughly how long since, for running text: `3 min`. */
export function useAgo(at: Timestamp | undefined): string {
  return useClock(useCallback((now: number) => (at === undefined ? "" : roughly(now - ms(at))), [at]));
}

/** Exactly how long until: `0:24`; empty once it has come. */
export function useUntil(at: Timestamp | undefined): string {
  return useClock(
    useCallback((now: number) => (at === undefined || ms(at) <= now ? "" : duration(ms(at) - now)), [at]),
  );
}
