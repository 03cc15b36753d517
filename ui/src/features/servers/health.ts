import { isFresh, signalOfServer, type Signal } from "../../components/lamp";
import { apart, latency } from "../../format/time";
import { headline, noteWords, t } from "../../strings";
import type { Health, ServerCheck, ServerView } from "../../types";

/** A server's health in words; times are apart, because they move. */
export interface HealthWords {
  /** What is the case. */
  says: string;
  /** The particulars, which may quote the server. */
  message?: string;
  /** What to do. */
  advice?: string;
}

/** Says how a server is and what to do about it; `signal` is how its lamp shows that. */
export function healthWords({ enabled, health, connectingSince, heardAt }: Pick<ServerView, "enabled" | "health" | "connectingSince" | "heardAt">, signal: Signal): HealthWords {
  const words = t.servers.health;
  if (!enabled) return { says: words.disabled, advice: words.disabledAdvice };
  switch (health.state) {
    case "unknown":
      if (connectingSince !== undefined) return { says: words.connecting };
      if (health.missed) return { says: words.missed, message: noteWords(health.missed), advice: words.missedAdvice };
      if (heardAt === undefined) return { says: words.unknown, advice: words.unknownAdvice };
      return { says: signal.faded ? words.answered : words.answers };
    case "ok":
      if (heardAt === undefined) return { says: words.once, advice: words.unknownAdvice };
      return { says: signal.faded ? words.answered : words.answers };
    case "unreachable":
      return { says: words.unreachable, message: noteWords(health), advice: t.servers.advice[health.code] || t.servers.adviceElse };
    case "sign_in_needed":
      return { says: words.signIn, advice: words.signInAdvice };
    case "unusable": {
      const advice = t.servers.advice[health.code];
      const says = headline(health.code);
      // What would be run stands below, argument by argument: it is not said twice.
      if (health.code === "not_trusted") return { says: `${says ?? words.unusable}.`, advice };
      return { says: says === undefined ? words.unusable : `${says}.`, message: noteWords(health), ...(advice !== "" && { advice }) };
    }
  }
}

/** What a check found. */
export function checkWords({ server, tools }: ServerCheck): string {
  const { health } = server;
  if (health.state === "ok") return t.servers.checkOk(latency(health.latencyMs), tools);
  if (health.state === "sign_in_needed") return t.servers.checkSignIn;
  return t.servers.checkBad(signalOfServer(server, Date.now()).word);
}

/**
 * Whether opening its page is worth one question to it: what is known is older than a minute, nothing keeps it waiting for a
 * person, and it was spoken to before. Nobody has said of the others that they may be.
 */
export function isWorthAsking(server: ServerView, now: number): boolean {
  const { enabled, trusted, health, heardAt } = server;
  if (!enabled || !trusted || signalOfServer(server, now).lamp === "needs_you") return false;
  const triedAt = "triedAt" in health ? health.triedAt : undefined;
  if (heardAt === undefined && health.state === "unknown" && health.missed === undefined) return false;
  return [heardAt, triedAt].every((at) => at === undefined || !isFresh(at, now));
}

/** Whether it is a program that nobody has confirmed: it is not started before that. */
export function awaitsTrust({ trusted, transport }: Pick<ServerView, "trusted" | "transport">): boolean {
  return !trusted && transport.kind === "stdio";
}

/** How far a server's clock is from ours; undefined where that does not show. */
export function clockWords(health: Health): string | undefined {
  if (health.state !== "ok" || health.clockAheadMs == null) return undefined;
  const seconds = apart(health.clockAheadMs);
  if (seconds === undefined) return t.servers.clockSame;
  return health.clockAheadMs > 0 ? t.servers.clockAhead(seconds) : t.servers.clockBehind(seconds);
}
