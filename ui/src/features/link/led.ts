import { external } from "../../store/external";
import type { Led } from "../../types";

/** What a link brought, until the person has seen it. */
export const led = external<{ led: Led | null }>({ led: null });

/** Shows what a link brought: a later one takes the place of an earlier one. */
export function showLed(brought: Led): void {
  led.set({ led: brought });
}
