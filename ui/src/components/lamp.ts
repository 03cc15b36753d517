import { underWay } from "../format/counts";
import { brief } from "../format/text";
import { ms, roughly } from "../format/time";
import { t } from "../strings";
import { ACTION, CANCELLING, CLOSE_REASON, NEEDS_YOU, NOT_SENT, OUTCOME, REQUEST_STATE, STATUS, TRACKING } from "../strings/words";
import type { Action, NoteCode, RequestRow, RequestState, ServerView, TaskRow, Timestamp } from "../types";

/** The shapes that status has, everywhere in the window. */
export type Lamp =
  | "working"
  | "needs_you"
  | "done"
  | "tool_error"
  | "failed"
  | "cancelled"
  | "expired"
  | "lost"
  | "unknown"
  | "unreachable"
  | "idle";

/** A shape with its word. */
export interface Signal {
  lamp: Lamp;
  word: string;
  /** The word where there is little room; the same where this is not there. */
  brief?: string;
  /** Not of now: the word says how old it is. */
  faded?: true;
}

type TaskState = Pick<TaskRow, "status" | "statusText" | "outcome" | "tracking" | "group" | "cancel">;

const ENDED: Record<NonNullable<TaskRow["outcome"]>, Lamp> = {
  ok: "done",
  tool_error: "tool_error",
  protocol_error: "failed",
  cancelled: "cancelled",
  expired: "expired",
  lost: "lost",
  unknown: "unknown",
};

/** How a task shows: how it ended, else who is waited for, else whether it can be followed, else its status. */
export function signalOfTask(task: TaskState): Signal {
  if (task.outcome) return { lamp: ENDED[task.outcome], word: OUTCOME[task.outcome] };
  if (task.group === "needs_you") return { lamp: "needs_you", word: NEEDS_YOU };
  switch (task.tracking) {
    case "sign_in_needed":
      return { lamp: "needs_you", word: TRACKING.sign_in_needed };
    case "unreachable":
    case "stalled":
      return { lamp: "unreachable", word: TRACKING[task.tracking] };
    case "expired":
      return { lamp: "expired", word: TRACKING.expired };
    case "not_found":
      return { lamp: "lost", word: TRACKING.not_found };
    case "live":
    case "done":
      break;
  }
  if (task.cancel) return { lamp: "working", word: CANCELLING };
  if (task.status === "unknown") return { lamp: "unknown", word: brief(task.statusText ?? "", 60) || STATUS.unknown };
  // Its server waits, and nobody here can do anything about it now.
  if (task.status === "input_required") return { lamp: "idle", word: STATUS.input_required };
  return { lamp: "working", word: STATUS[task.status] };
}

/** The shape for each state of a question that does not tell what was decided. */
const REQUEST_LAMP: Record<RequestState, Lamp> = {
  open: "needs_you",
  held: "working",
  sending: "working",
  answered: "done",
  not_taken: "needs_you",
  refused: "needs_you",
  closed: "cancelled",
  orphaned: "lost",
  unknown: "unknown",
};

/** The shape for each decision: only a yes is a tick. */
export const ACTION_LAMP: Record<Action, Lamp> = { accept: "done", decline: "cancelled", cancel: "cancelled" };

/** How a question shows: what was decided once it is over, else where it stands. */
export function signalOfRequest({ state, reason, answer, snoozed }: Pick<RequestRow, "state" | "reason" | "answer" | "snoozed">): Signal {
  // It needs somebody, but not now.
  if (snoozed) return { lamp: "idle", word: t.inbox.snooze.inList };
  if (state === "answered" && answer) return { lamp: ACTION_LAMP[answer.action], word: ACTION[answer.action] };
  if (state === "closed" && reason) return { lamp: REQUEST_LAMP.closed, word: CLOSE_REASON[reason] };
  // It waits for something else than the wire: nothing is on its way.
  if (state === "sending" && answer?.sentAt === undefined) return { lamp: "idle", word: NOT_SENT };
  return { lamp: REQUEST_LAMP[state], word: REQUEST_STATE[state] };
}

/** How old an answer of a server may be for its lamp to be lit, in ms. */
const FRESH_MS = 60_000;

type ServerState = Pick<ServerView, "enabled" | "health" | "connectingSince" | "heardAt" | "tasks">;

/** What waits for a person before a server can be used, by the code of its health. */
const WAITS: Partial<Record<NoteCode, Pick<Signal, "word" | "brief">>> = {
  not_trusted: { word: t.app.health.confirm, brief: t.app.health.confirmBrief },
  secrets_locked: { word: t.app.health.unlock, brief: t.app.health.unlockBrief },
};

/**
 * How a server shows at `now` (ms since 1970): a lit lamp is a fact of the last minute, a faded one says how old it is.
 * Amber is what waits for a person, red only what is broken.
 */
export function signalOfServer({ enabled, health, connectingSince, heardAt, tasks }: ServerState, now: number): Signal {
  const words = t.app.health;
  if (!enabled) return { lamp: "idle", word: t.app.disabled };
  /** Something is under way there: while it cannot be reached it is tried again and again. */
  const needed = underWay(tasks) > 0;
  const tried = (lamp: Lamp, lit: string, faded: (ago: string) => string, at: Timestamp | undefined): Signal =>
    at === undefined || needed || isFresh(at, now) ? { lamp, word: lit } : { lamp, word: faded(roughly(now - ms(at))), faded: true };
  switch (health.state) {
    case "sign_in_needed":
      return { lamp: "needs_you", word: words.signIn };
    case "unusable": {
      const waits = WAITS[health.code];
      if (waits !== undefined) return { lamp: "needs_you", ...waits };
      return tried("failed", words.unusable, words.notUsable, health.triedAt);
    }
    case "unreachable":
      return tried("unreachable", words.unreachable, words.notReached, health.triedAt);
    case "unknown":
    case "ok":
      break;
  }
  // Of one that was reached before, or tried in vain, more is known than that.
  if (health.state === "unknown" && connectingSince !== undefined) return { lamp: "working", word: words.connecting };
  if (health.state === "unknown" && health.missed !== undefined) {
    return { lamp: "unreachable", word: words.notReached(roughly(now - ms(health.missed.at))), faded: true };
  }
  if (heardAt === undefined) return health.state === "ok" ? { lamp: "done", word: words.once, faded: true } : { lamp: "idle", word: words.untried };
  if (isFresh(heardAt, now)) return { lamp: "done", word: words.answers };
  return { lamp: "done", word: words.answered(roughly(now - ms(heardAt))), faded: true };
}

/** Whether something is a fact of the last minute. */
export function isFresh(at: Timestamp, now: number): boolean {
  return now - ms(at) <= FRESH_MS;
}
