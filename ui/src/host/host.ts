import type { Answered, Ask, CallId, OwnerKind, RequestId, Theme } from "../types";

/** What stops when the person closes the window, or quits. */
export interface CloseRequest {
  /** Tasks that are not over yet. */
  live: number;
  /** Who follows them: this window, a command for as long as it runs, or `serve`, which is to end, too. */
  follower: OwnerKind;
  /** How many of them end with their follower, also when `serve` goes on. */
  ending: number;
  /** The first of those. */
  ends: Ending[];
  /** Not everything was looked through, as there was too much or the desk was too slow: more may end. */
  unsure: boolean;
  /** Answers within their undo time: they go back to drafts. */
  held: number;
  /** Servers whose secrets or sign-ins end with the background program that has them. */
  forgotten: string[];
  /** Nothing stops, but the background program goes on where nothing shows it. */
  unseen: boolean;
  /** The person is asked about quitting: what would go on without the window is to end, too. */
  quits: boolean;
}

/** A task that ends with its follower. */
export interface Ending {
  id: string;
  server: string;
  tool: string;
  /** Its server is a program of the follower; or there is no task yet, and the call waits on a connection of the follower. */
  why: "program" | "waits";
}

/**
 * What the person decided about closing: the window closes, `serve` goes on in its place, or what follows the tasks in the
 * background ends as well.
 */
export type CloseChoice = "close" | "keep" | "quit";

/** Which part of a result: one of its content by its number from 0, the structured content, or all of it. */
export type WhichPart = { content: number } | "structured" | "all";

/** What was written of tasks that were saved. */
export interface SavedTasks {
  /** Tasks, a line for each. */
  lines: number;
  /** What was left out, because what is kept of it is damaged. */
  leftOut: number;
}

/**
 * Why the window is drawn without the graphics card: the person asked for it, or the page's process ended before it showed
 * anything.
 */
export type SafeGraphics = "asked" | "failed";

/** Everything the window needs from the program around it. */
export interface Host {
  /** Acts or looks. Rejects with a {@link DeskError}. A look whose signal aborts is left: nobody waits for its answer. */
  ask(ask: Ask, left?: AbortSignal): Promise<Answered>;
  /** Says once that the first view is on screen. */
  ready(): Promise<void>;
  /**
   * Opens the page of a question in the person's browser, which is the consent: the accept goes out, or is kept for the rest
   * of its round, only once the browser was started. `asks`: what the person saw it ask. `seen`: when the last answer was
   * decided that the person saw. `remark`: what the person noted beside it. Rejects with a {@link DeskError}; then nothing was sent.
   */
  openPage(request: RequestId, asks: string, seen: string | undefined, remark: string | undefined): Promise<void>;
  /** Opens a page in the person's browser. Only ever after a person's act. */
  openUrl(url: string): Promise<void>;
  /** Saves a part of a result where the person says in the system's dialog. False where they say nowhere. */
  savePart(call: CallId, part: WhichPart): Promise<boolean>;
  /** Opens a part of a result in the program that this machine has for it. Only ever after a person's act. */
  openPart(call: CallId, part: WhichPart): Promise<void>;
  /**
   * Saves all that is kept of tasks where the person says in the system's dialog: all of it or nothing. Null where they say
   * nowhere. Rejects with a {@link DeskError}; then what was there is as it was.
   */
  saveTasks(calls: readonly CallId[]): Promise<SavedTasks | null>;
  /** Puts text on the clipboard. */
  copy(text: string): Promise<void>;
  /** Has the system's part of the window, such as its frame and the lists of selects, wear what the page wears. */
  wear(theme: Theme): Promise<void>;
  /** Shows the page so many times as large: to the page it is as if the window were smaller. */
  zoom(factor: number): Promise<void>;
  /** Calls when the person is to be asked about closing or quitting. Returns how to stop listening. */
  onCloseRequested(handler: (request: CloseRequest) => void): () => void;
  /** Calls when the window is about to go unasked; it waits a moment for what this saves. Returns how to stop listening. */
  onLeaving(save: () => Promise<boolean>): () => void;
  /** What stops if the window closes now, and with `all` what follows the tasks in the background, too; null when nothing does. */
  whatStops(all: boolean): Promise<CloseRequest | null>;
  /** Says that the person decided not to close, so that they are asked anew the next time. */
  stayOpen(): Promise<void>;
  /** Closes the window for good. */
  closeWindow(choice: CloseChoice): Promise<void>;
  /** Ends what follows the tasks in the background, and the window: at once where nothing stops by it, else the person is asked. */
  quit(): Promise<void>;
  /** The version of the window's program. */
  version(): Promise<string>;
  /** Why the window is drawn with safe graphics; null when it is not. */
  safeGraphics(): Promise<SafeGraphics | null>;
  /** Whether the window's program can outlive it. Where it can, the setting `background` says whether it does. */
  outlivesWindow(): Promise<boolean>;
  /** Has the program in the background end, and one of this window's version in its place. */
  restartBackground(): Promise<void>;
}
