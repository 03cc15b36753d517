// Arrays of objects, as rows and columns.

import { childrenOf, eachChild, type Child, type Place } from "./level";

/** Columns that are shown. */
export const MOST_COLUMNS = 24;
/** Rows that are shown at first, and with each wish for more. */
export const ROWS = 100;
/** Rows whose names are looked at for columns, and names that are in all. */
const LOOKED_THROUGH = 100;
const MOST_NAMES = 50_000;
/** How many members are looked at for arrays of objects, and how many names may lead to one. */
const MOST_MEMBERS = 1_000;
const DEEPEST = 4;
/** Arrays that are offered as tables. */
const MOST_TABLES = 20;

/** What a table of some JSON has. */
export interface Columns {
  names: readonly string[];
  /** How many there are beyond those. */
  left: number;
}

/** An array of objects, and the names that lead to it from the outside: none to what is one itself. */
export interface Table {
  path: readonly string[];
  place: Place;
  columns: Columns;
}

/** The arrays of objects in some JSON that names alone lead to, the outer ones first: a result often has its rows in a member. */
export function tablesOf(json: string, whole: Place): Table[] {
  const tables: Table[] = [];
  const queue: Pick<Table, "path" | "place">[] = [{ path: [], place: whole }];
  let looked = 0;
  for (let next = queue.shift(); next && tables.length < MOST_TABLES; next = queue.shift()) {
    const { path, place } = next;
    const columns = columnsOf(json, place);
    if (columns) tables.push({ path, place, columns });
    if (place.kind !== "object" || path.length >= DEEPEST) continue;
    eachChild(json, place, ({ name = "", ...child }) => {
      if (child.kind === "object" || child.kind === "array") queue.push({ path: [...path, name], place: child });
      looked += 1;
      return looked < MOST_MEMBERS;
    });
  }
  return tables;
}

/** The columns of an array; undefined where it is none of objects. */
function columnsOf(json: string, place: Place): Columns | undefined {
  if (place.kind !== "array") return undefined;
  const { children } = childrenOf(json, place, LOOKED_THROUGH);
  if (children.length === 0 || children.some((row) => row.kind !== "object")) return undefined;
  const names = new Set<string>();
  let looked = 0;
  for (const row of children) {
    if (looked >= MOST_NAMES) break;
    eachChild(json, row, ({ name = "" }) => {
      names.add(name);
      looked += 1;
      return looked < MOST_NAMES;
    });
  }
  if (names.size === 0) return undefined;
  return { names: [...names].slice(0, MOST_COLUMNS), left: Math.max(0, names.size - MOST_COLUMNS) };
}

/** A row: its values by column, or what stands there instead of an object. */
export interface TableRow {
  values: ReadonlyMap<string, Child>;
  instead?: Place;
}

/** The first rows. Of a name that stands in a row twice the last counts, as for everybody who reads JSON. */
export function rowsOf(json: string, place: Place, names: readonly string[], most: number): TableRow[] {
  const wanted = new Set(names);
  return childrenOf(json, place, most).children.map((row) => {
    const values = new Map<string, Child>();
    if (row.kind !== "object") return { values, instead: row };
    eachChild(json, row, (child) => {
      if (wanted.has(child.name ?? "")) values.set(child.name ?? "", child);
      return true;
    });
    return { values };
  });
}
