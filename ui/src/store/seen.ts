import type { Json, Led, Offer, Overview, PastNotice, RequestDetail, RequestEntry, RequestLog, RequestRow, Stack, TaskDetail, TaskEntry, TaskRow, Trouble, View, ViewData, ItemRef } from "../types";
import { applyOverview } from "./overview";
import { applyPage, type Rows } from "./page";

/** What the window holds of each kind of view. */
export interface SeenByType {
  overview: Overview;
  tasks: Rows<TaskRow>;
  /** For documents: the window shows rows, and one task at a time. */
  task_entries: readonly TaskEntry[];
  inbox: Rows<RequestRow>;
  /** For documents: the window shows rows, and one question at a time. */
  requests: readonly RequestEntry[];
  /** Null: there is no such task. */
  task: TaskDetail | null;
  /** Empty where nothing is remembered, and where there is no such task. */
  request_log: RequestLog;
  /** Null: there is no such question. */
  request: RequestDetail | null;
  /** Null: the question is like no other that is open. */
  stack: Stack | null;
  /** For whoever has no overview: the window has its troubles there. */
  troubles: readonly Trouble[];
  /** Null: nothing is remembered. */
  preference: Json | null;
  offers: readonly Offer[];
  /** What became of the last notices: the newest first. */
  notices: readonly PastNotice[];
  forward: { wish: number; item: ItemRef | null; led: Led | null };
}

/** What the window holds of view `V`. */
export type Seen<V extends View> = SeenByType[V["type"]];

export type AnySeen = SeenByType[View["type"]];

/** What is held after a change, or undefined when the view must be asked for afresh. */
export function applyChange(held: AnySeen | undefined, data: ViewData): AnySeen | undefined {
  switch (data.type) {
    case "overview":
      return applyOverview(held as Overview | undefined, data.change) ?? undefined;
    case "tasks":
      return applyPage(held as Rows<TaskRow> | undefined, data.page) ?? undefined;
    case "inbox":
      return applyPage(held as Rows<RequestRow> | undefined, data.page) ?? undefined;
    case "task_entries":
    case "requests":
      return data.page.rows;
    case "task":
      return data.task ?? null;
    case "request_log":
      return data.log;
    case "request":
      return data.request ?? null;
    case "stack":
      return data.stack ?? null;
    case "troubles":
      return data.troubles;
    case "preference":
      return data.value ?? null;
    case "offers":
      return data.offers;
    case "notices":
      return data.past;
    case "forward":
      return { wish: data.wish, item: data.item ?? null, led: data.led ?? null };
  }
}
