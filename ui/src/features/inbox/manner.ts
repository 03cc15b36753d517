import { usePreference } from "../../store/usePreference";

/** How a person goes about answering. */
export interface Manner {
  /** After an answer the next question is shown by itself. */
  readonly next: boolean;
  /** A yes or no to a single question goes without a review, where nothing speaks against it. */
  readonly unreviewed: boolean;
}

/** Makes sense of what was remembered, by whatever version. */
export function readManner(remembered: unknown): Manner {
  const { next, unreviewed } = (remembered ?? {}) as Partial<Record<keyof Manner, unknown>>;
  return { next: next !== false, unreviewed: unreviewed === true };
}

/** How this window's person goes about answering, and how to change it. Undefined until it is known. */
export function useManner(): ReturnType<typeof usePreference<Manner>> {
  return usePreference("inbox.manner", readManner);
}
