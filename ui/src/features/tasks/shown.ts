import type { Typed } from "../../places/nav";
import type { ListQuery } from "../../types";

/** What the task list shows, and how: remembered over a restart. */
export interface Shown extends Typed {
  readonly sort: string;
  readonly group: string;
}

/** The list as it always is. */
export const USUAL: Shown = { tokens: [], text: "", sort: "", group: "" };

/** Under what the list stands where nobody says otherwise. */
export const USUAL_GROUP = "is";
/** In which order. */
export const USUAL_SORT = "-started";

/** What was remembered, by whatever version; as it always is where that makes no sense. */
export function readShown(remembered: unknown): Shown {
  const { tokens, text, sort, group } = (remembered ?? {}) as Partial<Record<keyof Shown, unknown>>;
  const word = (value: unknown) => (typeof value === "string" ? value : "");
  const words = Array.isArray(tokens) ? tokens.filter((token): token is string => typeof token === "string") : [];
  return { tokens: words, text: word(text), sort: word(sort), group: word(group) };
}

/** What the desk is asked. */
export function queryOf(shown: Shown, filter: string): ListQuery {
  return { filter, sort: shown.sort, group: shown.group };
}

/** The order after a press on a column's head: by that column; the other way round where it is by that already. */
export function sortedBy(sort: string, key: string): string {
  const [first = USUAL_SORT] = sort.split(",").filter(Boolean);
  return first === key ? `-${key}` : key;
}

/** Which way a column is sorted, as ARIA says it. */
export function directionOf(sort: string, key: string): "ascending" | "descending" | undefined {
  const [first] = (sort || USUAL_SORT).split(",");
  if (first === key) return "ascending";
  return first === `-${key}` ? "descending" : undefined;
}
