import { useEffect, useLayoutEffect, useRef } from "react";

import type { ActionId, Keys } from "./table";

/** Carries an action out. `keys` are those that it was asked for by; none for a button. */
export type Run = (keys?: Keys) => void;

// What is on screen binds actions; the one bound last is in front and wins.
const bound = new Map<ActionId, { run: Run; words: () => string | undefined }[]>();
let modals = 0;
// What waits until no dialog is open.
let awaited: (() => void) | undefined;

/** Binds an action to a place on screen while `enabled`. `words` say there what it acts on, where its own do not. */
export function useAction(id: ActionId, run: Run, enabled = true, words?: string): void {
  const latest = useRef({ run, words });
  // With what is shown, not a moment later: no key acts on what was shown before.
  useLayoutEffect(() => {
    latest.current = { run, words };
  });
  useLayoutEffect(() => {
    if (!enabled) return;
    const binding = { run: (keys?: Keys) => latest.current.run(keys), words: () => latest.current.words };
    bound.set(id, [...(bound.get(id) ?? []), binding]);
    return () => {
      bound.set(id, (bound.get(id) ?? []).filter((other) => other !== binding));
    };
  }, [id, enabled]);
}

/** While `open`, no key reaches what lies behind a dialog. */
export function useModalKeys(open: boolean): void {
  useLayoutEffect(() => {
    if (!open) return;
    modals += 1;
    return () => {
      modals -= 1;
    };
  }, [open]);
  // A dialog keeps the focus until its own effects are undone.
  useEffect(() => (open ? () => queueMicrotask(runAwaited) : undefined), [open]);
}

/** Runs it at once. While a dialog is open it waits until none is, and what waited before is forgotten. */
export function whenFree(run: () => void): void {
  awaited = run;
  runAwaited();
}

/** Whether something runs now that the last dialog closes. */
export function isAwaited(): boolean {
  return modals === 0 && awaited !== undefined;
}

function runAwaited(): void {
  // One dialog may have followed another.
  if (modals > 0) return;
  const run = awaited;
  awaited = undefined;
  run?.();
}

/** Whether the action could run now. */
export function isBound(id: ActionId): boolean {
  return modals === 0 && (bound.get(id)?.length ?? 0) > 0;
}

/** What the action is called where it is bound in front; undefined where that has no words but the table's. */
export function wordsOf(id: ActionId): string | undefined {
  return bound.get(id)?.at(-1)?.words();
}

/** Runs the action where it is bound in front; false when nothing on screen can do it now. */
export function runAction(id: ActionId, keys?: Keys): boolean {
  if (!isBound(id)) return false;
  bound.get(id)?.at(-1)?.run(keys);
  return true;
}
