import type { Sought } from "../../places/nav";
import { t } from "../../strings";
import type { ListQuery } from "../../types";
import { filterOf } from "../filter/tokens";
import { NO_WIDTHS, readColumns, readWidths, USUAL_COLUMNS, widened, type Column, type Widths } from "./columns";

/** What the task list shows, and how: remembered over a restart. */
export interface ShownList extends Sought {
  readonly sort: string;
  readonly group: string;
  /** Those of the rows, in order; as usual where it is not there. */
  readonly columns?: readonly Column[];
  /** How wide a person has made some of them. */
  readonly widths?: Widths;
  /** Rows are low. */
  readonly compact?: true;
}

/** The list as it always is. */
export const USUAL: ShownList = { tokens: [], text: "", sort: "", group: "" };

/** Under what the list stands where nobody says otherwise. */
export const USUAL_GROUP = "is";
/** In which order. */
export const USUAL_SORT = "-started";

/** By what the list can be sorted here. */
const SORTS = ["status", "tool", "server", "started", "changed", "ended", "expires", "origin"] as const;

/** One of those. */
export type SortKey = (typeof SORTS)[number];

/** The most keys of an order. */
export const MOST_SORTS = 4;

/** What was remembered, by whatever version; as it always is where that makes no sense to this one. */
export function readShown(remembered: unknown): ShownList {
  const { tokens, text, sort, group, columns, widths, compact } = (remembered ?? {}) as Partial<Record<keyof ShownList, unknown>>;
  const word = (value: unknown) => (typeof value === "string" ? value : "");
  const words = Array.isArray(tokens) ? tokens.filter((token): token is string => typeof token === "string") : [];
  const read = readColumns(columns);
  const wide = readWidths(widths);
  return {
    tokens: words,
    text: word(text),
    sort: isOrder(word(sort)) ? word(sort) : "",
    group: Object.hasOwn(t.tasks.groups, word(group)) ? word(group) : "",
    ...(read && { columns: read }),
    ...(wide && { widths: wide }),
    ...(compact === true && { compact }),
  };
}

/** Whether the desk is sure to take it: it refuses the whole list for an order that it does not know. */
function isOrder(sort: string): boolean {
  const keys = sort.split(",");
  return keys.length <= MOST_SORTS && keys.every((key) => SORTS.some((known) => isOf(key, known)));
}

/** Whether two lists show the same, and alike. */
export function sameList(a: ShownList, b: ShownList): boolean {
  const said = (list: ShownList) => [filterOf(list), list.sort || USUAL_SORT, list.group || USUAL_GROUP, list.columns ?? USUAL_COLUMNS, Object.entries(list.widths ?? NO_WIDTHS).sort(), list.compact === true];
  return JSON.stringify(said(a)) === JSON.stringify(said(b));
}

/** The list with a column as wide as that, in px; as it usually is without a width. */
export function withWidth({ widths = NO_WIDTHS, ...list }: ShownList, column: Column, px: number | undefined): ShownList {
  const kept = readWidths(widened(widths, column, px));
  return { ...list, ...(kept && { widths: kept }) };
}

/** The list by what was typed before it was here. */
export function narrowed(list: ShownList, sought: Sought | undefined): ShownList {
  if (sought === undefined || filterOf(sought) === "") return list;
  return { ...list, tokens: [...new Set([...list.tokens, ...sought.tokens])], text: sought.text };
}

/** What the desk is asked. */
export function queryOf(shown: ShownList, filter: string, within: string): ListQuery {
  return { filter, within: within === "" ? [] : [within], sort: shown.sort, group: shown.group };
}

function sortsOf(sort: string): readonly string[] {
  return (sort || USUAL_SORT).split(",").filter(Boolean);
}

function turned(sort: string): string {
  return sort.startsWith("-") ? sort.slice(1) : `-${sort}`;
}

/** The order after a press on a column's head: by that column alone; the other way round where it is by that alone already. */
export function sortedBy(sort: string, key: string): string {
  const sorts = sortsOf(sort);
  const known = sorts.find((other) => isOf(other, key));
  if (known === undefined) return key;
  return sorts.length === 1 ? turned(known) : known;
}

/** The order after a press that leaves the other columns: by this one behind them, or turned round in its place. */
export function alsoSortedBy(sort: string, key: string): string {
  const sorts = sortsOf(sort);
  if (sorts.some((other) => isOf(other, key))) return sorts.map((other) => (isOf(other, key) ? turned(other) : other)).join(",");
  return (sorts.length < MOST_SORTS ? [...sorts, key] : sorts).join(",");
}

function isOf(sort: string, key: string): boolean {
  return sort === key || sort === `-${key}`;
}

/** What columns say how long ago it was: the later the moment, the less they say. */
const AGES: ReadonlySet<string> = new Set(["started", "changed", "ended"]);

/** How a list is sorted by a column. */
export interface Sorted {
  /** Which way what the column says goes, as ARIA says it. */
  direction: "ascending" | "descending";
  /** The column whose rows stand together first is 1. */
  nth: number;
  /** By how many it is sorted. */
  of: number;
}

/** How a list is sorted by a column; undefined where it is not. */
export function sortedOf(sort: string, key: string): Sorted | undefined {
  const sorts = sortsOf(sort);
  const index = sorts.findIndex((other) => isOf(other, key));
  if (index < 0) return undefined;
  const isAscending = (sorts[index] === key) !== AGES.has(key);
  return { direction: isAscending ? "ascending" : "descending", nth: index + 1, of: sorts.length };
}
