import type { ApiError, Head, Offer, Overview, TaskDetail, TaskRow, View, ViewData } from "../types";
import { isShown } from "./language";
import { ago, anOverview, aTaskDetail, wholly } from "./samples";

/** What a small desk shows. */
export interface SmallDesk {
  overview?: Overview | undefined;
  tasks?: TaskRow[];
  details?: Map<string, TaskDetail>;
  /** Whether the desk counts groups. */
  grouped?: boolean;
  /** Whether all rows have been looked through. */
  complete?: boolean;
  /** Why full texts cannot be. */
  fault?: ApiError | undefined;
  /** What windows remember, as JSON. */
  remembered?: Map<string, string>;
  wish?: Extract<ViewData, { type: "forward" }>;
  /** What may be meant by what is typed. */
  offers?: Offer[] | ((view: Extract<View, { type: "offers" }>) => Offer[]);
}

/** As the desk groups where nobody says otherwise. */
function headsOf(tasks: readonly TaskRow[]): Head[] {
  const groups = ["needs_you", "working", "ended"] as const;
  const heads = groups.map((word) => ({ of: { by: "word" as const, key: "is", word }, count: tasks.filter((task) => task.group === word).length }));
  return heads.filter((head) => head.count > 0);
}

/** Shows a few tasks, in windows, as the desk does. */
export function showing(desk: SmallDesk): (view: View) => ViewData {
  return (view) => {
    const tasks = desk.tasks ?? [];
    switch (view.type) {
      case "overview":
        return wholly(desk.overview ?? anOverview());
      case "tasks": {
        const { within, filter } = view.query;
        const found = tasks.filter((task) => isShown({ ...task, text: `${task.tool} ${task.summary}` }, ...within, filter));
        const rows = found.slice(view.offset, view.offset + view.limit);
        const heads = desk.grouped === false ? [] : headsOf(found);
        const { complete = desk.fault === undefined, fault } = desk;
        return { type: "tasks", page: { ids: rows.map((row) => row.id), rows, total: found.length, heads, complete, ...(fault && { fault }) } };
      }
      case "task_entries":
      case "inbox":
      case "requests":
        return { type: view.type, page: { ids: [], rows: [], total: 0, heads: [], complete: true } };
      case "task": {
        const row = tasks.find((task) => task.id === view.call);
        const task = desk.details?.get(view.call) ?? (row && aTaskDetail(row));
        return { type: "task", ...(task && { task }) };
      }
      case "request_log":
        return { type: "request_log", log: { since: ago(600_000), leftOut: 0, exchanges: [], states: [] } };
      case "request":
        return { type: "request" };
      case "stack":
        return { type: "stack" };
      case "troubles":
        return { type: "troubles", troubles: [] };
      case "preference": {
        const value = desk.remembered?.get(view.key);
        return { type: "preference", ...(value !== undefined && { value }) };
      }
      case "offers": {
        const { offers = [] } = desk;
        return { type: "offers", offers: typeof offers === "function" ? offers(view) : offers };
      }
      case "notices":
        return { type: "notices", past: [] };
      case "forward":
        return desk.wish ?? { type: "forward", wish: 0 };
    }
  };
}
