import { external } from "../../store/external";
import type { Led } from "../../types";

/** What a link brought that is shown before anything else. */
export type Brought = Exclude<Led, { kind: "place" }>;

/** What a link brought, until the person has seen it. */
export const led = external<{ led: Brought | null }>({ led: null });

/** Takes the notice away that a link leads nowhere: what is shown now was wished for after it. What is to be decided stays. */
export function dropNotice(): void {
  if (led.get().led?.kind === "nowhere") led.set({ led: null });
}

/** Shows what a link brought: a later one takes the place of an earlier one. */
export function showLed(brought: Brought): void {
  led.set({ led: brought });
}
