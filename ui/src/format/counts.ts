import type { Counts } from "../types";

/** How many tasks are not over. */
export function underWay({ needsYou, working }: Counts): number {
  return needsYou + working;
}

/** How many tasks there are. */
export function total(counts: Counts): number {
  return underWay(counts) + counts.ended;
}
