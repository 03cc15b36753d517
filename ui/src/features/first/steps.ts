import type { Place } from "../../places/table";
import type { RequestState } from "../../types";

/** The notes of the guide, in the order in which a person meets them. Each has one place on screen. */
export const STEPS = ["coming", "question", "review", "undo", "receipt", "result", "notification", "follow"] as const;

/** A note of the guide. */
export type Step = (typeof STEPS)[number];

/** Steps that nothing on the desk ends: a person says when they have read them, and where it goes on. None: it is the last. */
export const READ: Partial<Record<Step, Place | null>> = { result: "settings", notification: "settings", follow: null };

/** Steps that show only after another was read: their place is there all the time. */
export const AFTER: Partial<Record<Step, Step>> = { notification: "result", follow: "notification" };

/** The note beside a question is told by its state. */
export const STEP_OF: Record<RequestState, Step> = {
  open: "question",
  not_taken: "question",
  refused: "question",
  unknown: "receipt",
  held: "undo",
  sending: "receipt",
  answered: "receipt",
  closed: "receipt",
  orphaned: "question",
};
