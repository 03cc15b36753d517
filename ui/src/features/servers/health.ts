import { headline, t } from "../../strings";
import type { Health, ServerView } from "../../types";

/** A server's health in words; times are apart, because they move. */
export interface HealthWords {
  /** What is the case. */
  says: string;
  /** The particulars, which may quote the server. */
  message?: string;
  /** What to do. */
  advice?: string;
}

/** Says how a server is and what to do about it. */
export function healthWords({ enabled, health }: Pick<ServerView, "enabled" | "health">): HealthWords {
  const words = t.servers.health;
  if (!enabled) return { says: words.disabled, advice: words.disabledAdvice };
  switch (health.state) {
    case "unknown":
      return { says: words.unknown, advice: words.unknownAdvice };
    case "ok":
      return { says: words.ok(latency(health.latencyMs)) };
    case "unreachable":
      return { says: words.unreachable, message: health.message, advice: t.servers.advice[health.code] ?? t.servers.adviceElse };
    case "sign_in_needed":
      return { says: words.signIn, advice: words.signInAdvice };
    case "unusable": {
      const advice = t.servers.advice[health.code];
      const says = headline(health.code);
      return { says: says === undefined ? words.unusable : `${says}.`, message: health.message, ...(advice !== undefined && { advice }) };
    }
  }
}

/** `41 ms`, `1.2 s`. */
export function latency(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

/** Whether it is a program that nobody has confirmed: it is not started before that. */
export function awaitsTrust({ trusted, transport }: Pick<ServerView, "trusted" | "transport">): boolean {
  return !trusted && transport.kind === "stdio";
}

/** How far a server's clock is from ours; undefined where that does not show. */
export function clockWords(health: Health): string | undefined {
  if (health.state !== "ok" || health.clockAheadMs == null) return undefined;
  const seconds = Math.round(Math.abs(health.clockAheadMs) / 1_000);
  // The time it sends is cut to seconds.
  if (seconds <= 1) return t.servers.clockSame;
  return health.clockAheadMs > 0 ? t.servers.clockAhead(`${seconds} s`) : t.servers.clockBehind(`${seconds} s`);
}
