import { external, useExternal } from "../store/external";
import { keysUnder, type ChosenKeys } from "./choice";
import type { ActionId, Keys } from "./table";

const store = external<{ choice: ChosenKeys }>({ choice: {} });

/** The keys that run an action now. */
export function keysOf(id: ActionId): readonly Keys[] {
  return keysUnder(store.get().choice, id);
}

/** The same for what is on screen: it changes when they do. */
export function useKeys(id: ActionId): readonly Keys[] {
  return keysUnder(useChoice(), id);
}

/** What is chosen now. */
export function useChoice(): ChosenKeys {
  return useExternal(store, (state) => state.choice);
}

/** From now on these keys are in force. */
export function choose(choice: ChosenKeys): void {
  store.set({ choice });
}
