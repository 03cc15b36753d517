import { useSyncExternalStore } from "react";

/** A small store for what belongs to the window alone. */
export interface External<S> {
  get: () => S;
  set: (change: Partial<S>) => void;
  subscribe: (listener: () => void) => () => void;
}

/** Makes a store that starts with `initial`. */
export function external<S extends object>(initial: S): External<S> {
  let state = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => state,
    set: (change) => {
      state = { ...state, ...change };
      for (const listener of [...listeners]) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Reads one thing off a store; renders when it changes. `read` must give the same identity for the same state. */
export function useExternal<S, T>(store: External<S>, read: (state: S) => T): T {
  return useSyncExternalStore(store.subscribe, () => read(store.get()));
}
