import type { Pasted } from "../../types";

/** What was pasted elsewhere, on its way to the form that takes it. */
export interface Handed {
  pasted: Pasted;
  text: string;
}

// It may hold secrets: it lies in no store, and nowhere once it was taken.
let handed: Handed | undefined;

/** Hands over what was pasted. */
export function handOver(what: Handed): void {
  handed = what;
}

/** What was handed over and not taken yet. */
export function handedOver(): Handed | undefined {
  return handed;
}

/** It has arrived. */
export function dropHanded(): void {
  handed = undefined;
}

/** Whether it is for the form of one server; anything else is chosen from, entry by entry. */
export function isOne({ servers, skipped }: Pasted): boolean {
  return servers.length === 1 && skipped.length === 0;
}
