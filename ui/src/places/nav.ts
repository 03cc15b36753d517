import { external, useExternal } from "../store/external";
import type { CallId, ItemRef, Json, ListOf, RequestId, ServerId } from "../types";
import { PLACES, type Place } from "./table";

/** Where the window is, and what is selected in each place. */
export interface Nav {
  place: Place;
  /** How often somebody has gone to a place: each time the focus goes along. */
  visit: number;
  task: CallId | null;
  request: RequestId | null;
  /** The question that somebody went to: its sheet takes the focus once it is here. */
  enter: Entry | null;
  /** The question that was shown by itself, after an answer to another. */
  slid: RequestId | null;
  server: ServerId | null;
  /** The row that was chosen in a long list before it was here: nothing else is in hand until it comes. */
  awaited: AwaitedRow | null;
  /** What the servers' place opens with. */
  servers: ServersTask;
  /** Of which server a list shows rows; of all when there is none. */
  only: Readonly<Record<ListOf, ServerId | null>>;
  /** The saved view that the list of tasks was shown by last, by its name. */
  view: string | null;
  /** Whether somebody asked for it, and the list does not stand so yet. */
  viewWished: boolean;
  /** A token that somebody wants among those of the list of tasks, and that is not there yet. */
  token: string | null;
  /**
   * What is typed into the inbox's filter. It lasts as long as the window: after a restart it would hide questions from somebody who
   * no longer thinks of it.
   */
  sought: Sought;
  /** How often somebody asked for the open questions of a server: each time the inbox begins with those. */
  asked: number;
  /** What the start form is filled with. */
  start: StartWish;
  /** The section of the settings that somebody went to, by its title; none where they went to all of them. */
  section: string | null;
  /** Where the start form was opened from. */
  back: Place;
}

/** Where somebody went, and what for. */
export interface Entry {
  readonly request: RequestId;
  /** To answer it, its form has the focus; to look at it, nothing in which plain keys are text. */
  readonly to: "answer" | "look";
}

/** A row of which nothing is known yet but where it stands. */
export interface AwaitedRow {
  /** Which list, with its filter and its order: in another one the number says nothing. */
  readonly list: string;
  /** Its number in the whole list. */
  readonly row: number;
}

/** A filter that is being typed. */
export interface Sought {
  /** Tokens that were finished, each one on its own. */
  readonly tokens: readonly string[];
  /** What is typed behind them. */
  readonly text: string;
}

/** No filter. */
export const NOTHING_SOUGHT: Sought = { tokens: [], text: "" };

/** What can be done with all servers: look at them, add one, take some over from elsewhere. */
export type ServersTask = "look" | "add" | "import";

/** What to start. */
export interface StartWish {
  server: ServerId | null;
  tool: string | null;
  /** One JSON object to fill the form with. */
  arguments: Json | null;
  /** Whether the form gets the focus. */
  enter: boolean;
}

const KEY = "signalbox.nav";
const EMPTY: Nav = {
  place: "inbox",
  visit: 0,
  task: null,
  request: null,
  enter: null,
  slid: null,
  server: null,
  awaited: null,
  only: { tasks: null, inbox: null },
  view: null,
  viewWished: false,
  token: null,
  sought: NOTHING_SOUGHT,
  asked: 0,
  servers: "look",
  start: { server: null, tool: null, arguments: null, enter: false },
  section: null,
  back: "tasks",
};

/** What is kept over a restart. */
interface Kept extends Pick<Nav, "place" | "task" | "request" | "server" | "view"> {
  /** The server whose tasks alone are listed: a part of that list's filter. That of the inbox goes, as what is sought there does. */
  tasksOf: ServerId | null;
}

function restored(): Nav {
  try {
    const { tasksOf = null, ...kept } = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Kept>;
    // Another version may have had other places.
    const place = PLACES.find(({ id }) => id === kept.place)?.id ?? EMPTY.place;
    return { ...EMPTY, ...kept, place, only: { ...EMPTY.only, tasks: tasksOf } };
  } catch {
    return EMPTY;
  }
}

const nav = external<Nav>(restored());

nav.subscribe(() => {
  // Arguments may hold what should not lie in a web view's storage: only where the window was is kept.
  const { place, task, request, server, view, only } = nav.get();
  const kept: Kept = { place, task, request, server, view, tasksOf: only.tasks };
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
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

function visit(change: Partial<Nav> & { place: Place }): void {
  nav.set({ enter: null, slid: null, awaited: null, section: null, ...change, visit: nav.get().visit + 1 });
}

/** Goes to a place; what is selected there stays selected. */
export function go(place: Place): void {
  visit({ place, servers: EMPTY.servers });
}

/** Goes to a section of the settings. */
export function openSettings(section: string): void {
  visit({ place: "settings", section });
}

/** Goes to the servers, to add one or to take some over. */
export function openServers(servers: ServersTask): void {
  visit({ place: "servers", server: null, servers });
}

/** Selects within a place without going there. */
export function select(change: Partial<Pick<Nav, "task" | "request" | "server">>): void {
  nav.set({ enter: null, slid: null, awaited: null, ...change });
}

/** Chooses a row of a long list that is not here yet. */
export function awaitRow(awaited: AwaitedRow): void {
  nav.set({ enter: null, slid: null, awaited });
}

/** Shows a question by itself, where the one before it has its answer. */
export function slideTo(request: RequestId): void {
  nav.set({ request, enter: null, slid: request, awaited: null });
}

/** The sheet of the question that somebody went to has the focus. */
export function entered(): void {
  nav.set({ enter: null });
}

/** Shows a task. */
export function openTask(task: CallId): void {
  visit({ place: "tasks", task });
}

/** Lists the tasks of one server. */
export function openTasksOf(server: ServerId): void {
  visit({ place: "tasks", only: { ...nav.get().only, tasks: server } });
}

/** Shows the list of tasks by a saved view, which may be narrowed to a server. */
export function openView(view: string, server: ServerId | null): void {
  visit({ place: "tasks", view, viewWished: true, only: { ...nav.get().only, tasks: server } });
}

/** Narrows the list of tasks by one token more. */
export function seekTasks(token: string): void {
  visit({ place: "tasks", token });
}

/** The list is narrowed by the token that was wished for. */
export function tokenTaken(): void {
  nav.set({ token: null });
}

/** The list stands by the view that was asked for. */
export function viewShown(): void {
  nav.set({ viewWished: false });
}

/** Says by which view the list of tasks stands; by none with null. */
export function nameView(view: string | null): void {
  nav.set({ view, viewWished: false });
}

/** Lists the open questions of one server, and nothing else that narrowed them. */
export function openInboxOf(server: ServerId): void {
  const { only, asked } = nav.get();
  visit({ place: "inbox", request: null, only: { ...only, inbox: server }, sought: NOTHING_SOUGHT, asked: asked + 1 });
}

/** Shows of a server what the place lists: its questions in the inbox, itself among the servers, and else its tasks. */
export function openOf(server: ServerId): void {
  const { place } = nav.get();
  if (place === "servers") openServer(server);
  else if (place === "inbox") openInboxOf(server);
  else openTasksOf(server);
}

/** Lists the rows of one server alone; of all servers with null. */
export function narrowTo(list: ListOf, server: ServerId | null): void {
  nav.set({ only: { ...nav.get().only, [list]: server } });
}

/** Lists the rows of all servers again. */
export function listAllServers(list: ListOf): void {
  narrowTo(list, null);
}

/** Narrows the inbox. */
export function seek(sought: Sought): void {
  nav.set({ sought });
}

/** Goes to a question. Nobody is taken out of what they type there. */
export function openRequest(request: RequestId): void {
  const { place, request: inHand } = nav.get();
  const enter: Entry = { request, to: "look" };
  if (place === "inbox" && inHand === request) nav.set({ enter, slid: null, awaited: null });
  else visit({ place: "inbox", request, enter });
}

/** Goes into a question, to answer it. */
export function answerRequest(request: RequestId): void {
  visit({ place: "inbox", request, enter: { request, to: "answer" } });
}

/** Shows a server. */
export function openServer(server: ServerId | null): void {
  visit({ place: "servers", server, servers: EMPTY.servers });
}

/** Shows what a notification or another start pointed at. */
export function openItem(item: ItemRef): void {
  if (item.kind === "call") openTask(item.id);
  else openRequest(item.id);
}

/** Shows the start form: as it was left, or filled as wished. */
export function openStart(wish?: Partial<Omit<StartWish, "enter">>): void {
  const { place, start, back } = nav.get();
  visit({
    place: "start",
    back: place === "start" ? back : place,
    start: wish ? { ...EMPTY.start, ...wish, enter: typeof wish.tool === "string" } : { ...start, enter: start.tool !== null },
  });
}

/** Picks a tool, or none yet, in the start form. With `enter` its form gets the focus. */
export function pickTool(server: ServerId, tool: string | null, enter = false): void {
  const { start } = nav.get();
  const isSame = start.server === server && start.tool === tool;
  nav.set({ start: { server, tool, arguments: isSame ? start.arguments : null, enter } });
}
