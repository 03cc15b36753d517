import type { ServerId, View } from "../../types";
import { filterOf } from "../filter/tokens";
import { readShown, sameList, type ShownList } from "./shown";

/** The preference that holds them. The desk's command reads it, too: `saved_views.rs` tells its shape. */
export const VIEWS = "tasks.views";
/** The most that there may be: each is followed for its count. */
export const MOST_VIEWS = 20;
/** The longest name, in characters. */
export const LONGEST_NAME = 60;

/** What the task list shows, kept by the person under a name. */
export interface SavedView extends ShownList {
  readonly name: string;
  /** The only server whose tasks it shows. */
  readonly server?: ServerId;
}

/** The views that were remembered, by whatever version. What makes no sense to this one is passed over. */
export function readViews(remembered: unknown): readonly SavedView[] {
  const views = new Map<string, SavedView>();
  for (const kept of Array.isArray(remembered) ? (remembered as unknown[]) : []) {
    const { name: said, server } = (kept ?? {}) as Partial<Record<keyof SavedView, unknown>>;
    const name = typeof said === "string" ? said.trim() : "";
    if (name === "" || Array.from(name).length > LONGEST_NAME || views.has(name) || views.size === MOST_VIEWS) continue;
    views.set(name, { name, ...readShown(kept), ...(typeof server === "string" && { server }) });
  }
  return [...views.values()];
}

/** The list that a view shows. */
export function listOf({ name: _name, server: _server, ...list }: SavedView): ShownList {
  return list;
}

/** What is asked for how many tasks a view shows: none of its rows, and without an order or groups of its own. */
export function countOf(view: SavedView, isThere: (server: ServerId) => boolean): Extract<View, { type: "tasks" }> {
  const within = view.server !== undefined && isThere(view.server) ? [`server:${view.server}`] : [];
  return { type: "tasks", query: { filter: filterOf(view), within, sort: "", group: "none" }, offset: 0, limit: 0 };
}

/** Whether a list is as a view has it. `server` is the one that it is narrowed to. */
export function isAs(view: SavedView, list: ShownList, server: ServerId | undefined, isThere: (server: ServerId) => boolean): boolean {
  const of = view.server !== undefined && isThere(view.server) ? view.server : undefined;
  return of === server && sameList(view, list);
}
