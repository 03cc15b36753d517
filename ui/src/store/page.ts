import type { ApiError, Page } from "../types";

/** The rows of one window of a list, in order. Rows that did not change keep their identity. */
export interface Rows<R> {
  readonly rows: readonly R[];
  readonly total: number;
  /** The heads under which the rows of the whole list stand, in order. */
  readonly heads: Page<string, R>["heads"];
  /** Whether the list is whole. Just after a start a filter finds more and more. */
  readonly complete: boolean;
  /** Why full texts cannot be looked through. */
  readonly fault?: ApiError;
  /** Those that can be answered together with others like them, each with how many there are. */
  readonly stacked?: Page<string, R>["stacked"];
}

/** How many rows are like this one, itself included: one where it is like no other, or that is not known. */
export function alikeIn(rows: Pick<Rows<unknown>, "stacked"> | undefined, id: string | null): number {
  return rows?.stacked?.find(([row]) => row === id)?.[1] ?? 1;
}

/**
 * Applies a page of changes to the rows held so far.
 * Answers null when the page names a row that neither side holds: the view must be asked for afresh.
 */
export function applyPage<R extends { id: string }>(held: Rows<R> | undefined, page: Page<string, R>): Rows<R> | null {
  const byId = new Map(held?.rows.map((row) => [row.id, row]));
  for (const row of page.rows) byId.set(row.id, row);
  const rows: R[] = [];
  for (const id of page.ids) {
    const row = byId.get(id);
    if (!row) return null;
    rows.push(row);
  }
  return { rows, total: page.total, heads: page.heads, complete: page.complete, ...(page.fault && { fault: page.fault }), ...(page.stacked && { stacked: page.stacked }) };
}
