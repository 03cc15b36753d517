import type { Overview, TaskDetail, TaskRow, View, ViewData } from "../types";
import { anOverview, aTaskDetail } from "./samples";

/** What a small desk shows. */
export interface SmallDesk {
  overview?: Overview | undefined;
  tasks?: TaskRow[];
  details?: Map<string, TaskDetail>;
  /** Whether the desk counts groups. */
  grouped?: boolean;
  wish?: Extract<ViewData, { type: "forward" }>;
}

/** Shows a few tasks, in windows, as the desk does. */
export function showing(desk: SmallDesk): (view: View) => ViewData {
  return (view) => {
    const tasks = desk.tasks ?? [];
    switch (view.type) {
      case "overview":
        return { type: "overview", overview: desk.overview ?? anOverview() };
      case "tasks": {
        const { text, servers } = view.filter;
        const found = tasks.filter((task) => (!text || task.summary.includes(text)) && (servers.length === 0 || servers.includes(task.server)));
        const rows = found.slice(view.offset, view.offset + view.limit);
        const count = (group: TaskRow["group"]) => found.filter((task) => task.group === group).length;
        const groups = { needsYou: count("needs_you"), working: count("working"), ended: count("ended") };
        const counted = desk.grouped === false || text ? {} : { groups };
        return { type: "tasks", page: { ids: rows.map((row) => row.id), rows, total: found.length, ...counted } };
      }
      case "task_entries":
      case "inbox":
      case "requests":
        return { type: view.type, page: { ids: [], rows: [], total: 0 } };
      case "task": {
        const row = tasks.find((task) => task.id === view.call);
        const task = desk.details?.get(view.call) ?? (row && aTaskDetail(row));
        return { type: "task", ...(task && { task }) };
      }
      case "request":
        return { type: "request" };
      case "troubles":
        return { type: "troubles", troubles: [] };
      case "forward":
        return desk.wish ?? { type: "forward", wish: 0 };
    }
  };
}
