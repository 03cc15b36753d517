import { external, useExternal } from "../store/external";
import type { CallId, ItemRef, Json, RequestId, ServerId } from "../types";

/** The places of the window. */
export type Place = "inbox" | "tasks" | "start" | "servers" | "settings";

/** Where the window is, and what is selected in each place. */
export interface Nav {
  place: Place;
  task: CallId | null;
  request: RequestId | null;
  server: ServerId | null;
  /** Of which server tasks are listed; of all when there is none. */
  taskServer: ServerId | null;
  /** What the start form is filled with. */
  start: StartWish;
}

/** What to start. */
export interface StartWish {
  server: ServerId | null;
  tool: string | null;
  /** One JSON object to fill the form with. */
  arguments: Json | null;
}

const KEY = "signalbox.nav";
const EMPTY: Nav = {
  place: "inbox",
  task: null,
  request: null,
  server: null,
  taskServer: null,
  start: { server: null, tool: null, arguments: null },
};

function restored(): Nav {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Nav>;
    return { ...EMPTY, ...kept, start: EMPTY.start };
  } catch {
    return EMPTY;
  }
}

const nav = external<Nav>(restored());

nav.subscribe(() => {
  // Arguments may hold what should not lie in a web view's storage: only where the window was is kept.
  const { place, task, request, server } = nav.get();
  try {
    localStorage.setItem(KEY, JSON.stringify({ place, task, request, server }));
  } catch {
    // A window that forgets where it was still works.
  }
});

/** Reads one thing off where the window is. */
export function useNav<T>(read: (nav: Nav) => T): T {
  return useExternal(nav, read);
}

/** Where the window is, for handlers. */
export const currentNav = nav.get;

/** Goes to a place; what is selected there stays selected. */
export function go(place: Place): void {
  nav.set({ place });
}

/** Selects within a place without going there. */
export function select(change: Partial<Pick<Nav, "task" | "request" | "server" | "taskServer">>): void {
  nav.set(change);
}

/** Shows a task. */
export function openTask(task: CallId): void {
  nav.set({ place: "tasks", task });
}

/** Lists the tasks of one server; of all for none. */
export function openTasksOf(taskServer: ServerId | null): void {
  nav.set({ place: "tasks", taskServer });
}

/** Shows a question. */
export function openRequest(request: RequestId): void {
  nav.set({ place: "inbox", request });
}

/** Shows a server. */
export function openServer(server: ServerId | null): void {
  nav.set({ place: "servers", server });
}

/** Shows what a notification or another start pointed at. */
export function openItem(item: ItemRef): void {
  if (item.kind === "call") openTask(item.id);
  else openRequest(item.id);
}

/** Shows the start form, filled as wished. */
export function openStart(wish: Partial<StartWish> = {}): void {
  nav.set({ place: "start", start: { ...EMPTY.start, ...wish } });
}
