import { invoke } from "@tauri-apps/api/core";

import type { Answered, Ask } from "../types";
import { DeskError } from "./error";
import type { CloseRequest, Host } from "./host";

async function call<T>(command: string, args?: Record<string, unknown>): Promise<T> {
  try {
    return await invoke<T>(command, args);
  } catch (thrown) {
    throw DeskError.from(thrown);
  }
}

let lastLook = 0;

/** A look that the desk can be told to end. */
async function look(ask: Ask, left: AbortSignal): Promise<Answered> {
  lastLook += 1;
  const number = lastLook;
  const leave = () => void call("leave_look", { look: number }).catch(() => undefined);
  left.addEventListener("abort", leave);
  try {
    return await call<Answered>("desk", { ask, look: number });
  } finally {
    left.removeEventListener("abort", leave);
  }
}

/** What the program wants of the page (`errands.rs`). */
type Errand = { number: number } & ({ errand: "ask_about_closing"; stops: CloseRequest } | { errand: "save" });

type Runs = { [E in Errand["errand"]]?: (errand: Extract<Errand, { errand: E }>) => void };

const runs: Runs = {};
/** How long until an errand is asked for again where that failed, in ms. */
const AGAIN_MS = 1_000;

async function runErrands(): Promise<never> {
  for (let after: number | undefined; ; ) {
    const errand: Errand | undefined = await call<Errand>("next_errand", after === undefined ? {} : { after }).catch(() => undefined);
    if (errand === undefined) {
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      continue;
    }
    after = errand.number;
    if (errand.errand === "save") runs.save?.(errand);
    else runs.ask_about_closing?.(errand);
  }
}

let running: Promise<never> | undefined;

/** Waits for errands from now on, as long as the page lives. One that nobody runs is one that nobody hears of. */
function waitForErrands(): void {
  running ??= runErrands();
}

/**
 * The host inside the desktop shell. The one command of Tauri's own is named as it is in `capabilities/`: its class for web views is
 * larger than all of the inbox, and one method of it is all that is wanted.
 */
export const tauriHost: Host = {
  ask: (ask: Ask, left?: AbortSignal) => (left ? look(ask, left) : call<Answered>("desk", { ask })),
  ready: () => call("window_ready"),
  openPage: (request, asks, seen, remark) =>
    call("open_page", { request, asks, ...(seen !== undefined && { seen }), ...(remark !== undefined && { remark }) }),
  openUrl: (url) => call("open_url", { url }),
  savePart: (of, part) => call("save_part", { call: of, part }),
  openPart: (of, part) => call("open_part", { call: of, part }),
  saveTasks: (calls) => call("save_tasks", { calls }),
  copy: (text) => navigator.clipboard.writeText(text),
  wear: (theme) => call("wear", { theme }),
  zoom: (factor) => invoke("plugin:webview|set_webview_zoom", { value: factor }),
  onCloseRequested: (handler) => {
    runs.ask_about_closing = ({ stops }) => {
      handler(stops);
      // Unheard, the system asks as well: no worse than a page that hangs.
      call("asks_about_closing").catch(() => undefined);
    };
    waitForErrands();
    return () => delete runs.ask_about_closing;
  },
  onLeaving: (save) => {
    runs.save = () => void save().then((all) => call("has_saved", { all })).catch(() => undefined);
    waitForErrands();
    return () => delete runs.save;
  },
  whatStops: (all) => call("what_stops", { all }),
  stayOpen: () => call("stay_open"),
  closeWindow: (choice) => call("close_window", { how: choice }),
  quit: () => call("quit"),
  version: () => call("version"),
  safeGraphics: () => call("safe_graphics"),
  outlivesWindow: () => call("outlives_window"),
  restartBackground: () => call("restart_background"),
};
