import { external, useExternal } from "./external";

/** What comes within this time, in ms, is said together. */
const GATHER_MS = 800;
/** So long, in ms, nothing else is said: whoever hears it is left in peace. */
const APART_MS = 5_000;

type Words = (n: number) => string;

const store = external<{ said: string }>({ said: "" });
const waiting = new Map<string, { n: number; words: Words }>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** Says something to those who hear the window, soon. Of one thing only the last words count, with the sum of what came until then. */
export function announce(thing: string, words: Words, n = 1): void {
  waiting.set(thing, { n: (waiting.get(thing)?.n ?? 0) + n, words });
  timer ??= setTimeout(say, GATHER_MS);
}

function say(): void {
  const said = [...waiting.values()].map(({ n, words }) => words(n)).join(" ");
  waiting.clear();
  // An empty region in between: the same words said later are news again.
  store.set({ said });
  timer = said === "" ? undefined : setTimeout(say, APART_MS);
}

/** What is being said now. */
export function useSaid(): string {
  return useExternal(store, (state) => state.said);
}

/** Nothing waits to be said any more. */
export function hush(): void {
  clearTimeout(timer);
  timer = undefined;
  waiting.clear();
  store.set({ said: "" });
}
