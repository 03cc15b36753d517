import { useCallback, useSyncExternalStore } from "react";

const TICK_MS = 1_000;

let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function tick(): void {
  now = Date.now();
  for (const listener of listeners) listener();
}

/** Ticks only while something on screen shows a moving time and the window can be seen. */
function adjust(): void {
  const wanted = listeners.size > 0 && !document.hidden;
  if (wanted && timer === undefined) {
    tick();
    timer = setInterval(tick, TICK_MS);
  } else if (!wanted && timer !== undefined) {
    clearInterval(timer);
    timer = undefined;
  }
}

document.addEventListener("visibilitychange", adjust);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  adjust();
  return () => {
    listeners.delete(listener);
    adjust();
  };
}

/**
 * Reads something off the time now, in ms since 1970, once a second.
 * Renders only when the answer changes, so it must be a string, a number or a boolean.
 */
export function useClock<T extends string | number | boolean>(read: (now: number) => T): T {
  const get = useCallback(() => read(now), [read]);
  return useSyncExternalStore(subscribe, get);
}
