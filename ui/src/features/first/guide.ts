import { useEffect, useId, useSyncExternalStore } from "react";

import { go } from "../../places/nav";
import { external, useExternal } from "../../store/external";
import { AFTER, READ, STEPS, type Step } from "./steps";

/** How far the guide is. Where the person is, the views say. */
interface Guide {
  /** It was put away, or came to its end: it never comes back by itself. */
  ended: boolean;
  /** What was read. */
  read: readonly Step[];
}

const KEY = "signalbox.guide";
const BEGIN: Guide = { ended: false, read: [] };

function restored(): Guide {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Guide>;
    const read = Array.isArray(kept.read) ? STEPS.filter((step) => kept.read?.includes(step)) : [];
    return { ended: kept.ended === true, read };
  } catch {
    return BEGIN;
  }
}

const guide = external<Guide>(restored());

guide.subscribe(() => {
  try {
    localStorage.setItem(KEY, JSON.stringify(guide.get()));
  } catch {
    // A guide that comes again is no harm.
  }
});

/** Puts the guide away for good. */
export function endGuide(): void {
  guide.set({ ended: true });
}

/** Begins it anew: for tests. */
export function resetGuide(): void {
  guide.set(BEGIN);
}

/** A person has read a step that nothing else ends. */
export function passStep(step: Step): void {
  const next = READ[step];
  if (next === undefined) return;
  guide.set({ read: [...guide.get().read.filter((other) => other !== step), step], ended: next === null });
  if (next !== null) go(next);
}

// Notes on screen at once, such as one behind a dialog: only the one that came last shows.
const shown = external<{ stack: readonly string[] }>({ stack: [] });

/** Whether the note of a step is to show now; `isDue`: its place is on screen, and what it speaks of is there. */
export function useStep(step: Step | undefined, isDue: boolean): boolean {
  const id = useId();
  const wanted = useExternal(guide, ({ ended, read }) => {
    if (step === undefined || ended || !isDue || read.includes(step)) return false;
    const before = AFTER[step];
    return before === undefined || read.includes(before);
  });
  useEffect(() => {
    if (!wanted) return;
    // What was said to come has come.
    if (step === "question" && !guide.get().read.includes("coming")) guide.set({ read: [...guide.get().read, "coming"] });
    shown.set({ stack: [...shown.get().stack, id] });
    return () => shown.set({ stack: shown.get().stack.filter((other) => other !== id) });
  }, [id, step, wanted]);
  const last = useSyncExternalStore(shown.subscribe, () => shown.get().stack.at(-1));
  return wanted && last === id;
}
