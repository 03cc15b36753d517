import { ACTION, CLOSE_REASON, OUTCOME, REQUEST_STATE, STATUS, TRACKING } from "../strings/words";
import type { Action, Health, RequestRow, RequestState, TaskRow } from "../types";

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
  if (task.group === "needs_you") return { lamp: "needs_you", word: STATUS.input_required };
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
  if (task.cancel) return { lamp: "working", word: "cancelling" };
  if (task.status === "unknown") return { lamp: "unknown", word: task.statusText ?? STATUS.unknown };
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
export function signalOfRequest({ state, reason, answer }: Pick<RequestRow, "state" | "reason" | "answer">): Signal {
  if (state === "answered" && answer) return { lamp: ACTION_LAMP[answer.action], word: ACTION[answer.action] };
  if (state === "closed" && reason) return { lamp: REQUEST_LAMP.closed, word: CLOSE_REASON[reason] };
  // It waits for something else than the wire: nothing is on its way.
  if (state === "sending" && answer?.sentAt === undefined) return { lamp: "idle", word: "not sent yet" };
  return { lamp: REQUEST_LAMP[state], word: REQUEST_STATE[state] };
}

/** The shape for each health of a server. */
export const HEALTH_LAMP: Record<Health["state"], Lamp> = {
  unknown: "idle",
  ok: "done",
  unreachable: "unreachable",
  sign_in_needed: "needs_you",
  unusable: "failed",
};
