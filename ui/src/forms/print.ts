import type { Field } from "../types";

const known = new WeakMap<readonly Field[], string>();

/** Tells the fields of one form from those of another, in whatever order they come: also by their words, which say what is meant. */
export function printOf(fields: readonly Field[]): string {
  const before = known.get(fields);
  if (before !== undefined) return before;
  // Members in one order, so that it is the same however the desk was built that wrote them.
  const each = fields.map((field) => JSON.stringify(field, (_, value: unknown) => sorted(value)));
  const print = hash(each.sort().join("\n"));
  known.set(fields, print);
  return print;
}

function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Twice FNV-1a, 32 bits each: enough to tell two forms of one question apart, and nothing is trusted on it. */
function hash(text: string): string {
  let [low, high] = [0x811c9dc5, 0x01000193];
  for (let at = 0; at < text.length; at++) {
    low = Math.imul(low ^ text.charCodeAt(at), 0x01000193);
    high = Math.imul(high ^ text.charCodeAt(at), 0x85ebca6b);
  }
  return [low, high].map((part) => (part >>> 0).toString(16).padStart(8, "0")).join("");
}
