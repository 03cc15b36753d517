import type { Host } from "../host/host";
import { t } from "../strings";
import { announce } from "./announce";
import { call } from "./call";
import { external, useExternal } from "./external";

const KEY = "signalbox.zoom";

/** How large everything can be shown, in percent. */
export const ZOOMS = [50, 67, 75, 80, 90, 100, 110, 125, 150, 175, 200] as const;

/** One of these. */
export type Zoom = (typeof ZOOMS)[number];

/** What changes it from everywhere: larger, smaller, as usual. Nobody can choose them for anything else. */
export const ZOOM_KEYS = ["Mod++", "Mod+-", "Mod+0"] as const;

/** What is remembered of it. */
export function readZoom(remembered: unknown): Zoom {
  return ZOOMS.find((zoom) => zoom === remembered) ?? 100;
}

/** The zoom that keys ask for; undefined where they ask for something else. On some keyboards plus and minus take Shift. */
export function zoomBy(keys: string | undefined, now: Zoom): Zoom | undefined {
  switch (keys) {
    case "Mod++":
    case "Mod+=":
      return ZOOMS.find((zoom) => zoom > now) ?? now;
    case "Mod+-":
    case "Mod+_":
      return ZOOMS.findLast((zoom) => zoom < now) ?? now;
    case "Mod+0":
      return 100;
    default:
      return undefined;
  }
}

/** That of the last time, so that the first view has it before anything is asked. */
function last(): Zoom {
  try {
    return readZoom(Number(localStorage.getItem(KEY)));
  } catch {
    return 100;
  }
}

const store = external<{ zoom: Zoom; isChosen: boolean }>({ zoom: last(), isChosen: false });

/** How large everything is now. */
export function useZoom(): Zoom {
  return useExternal(store, ({ zoom }) => zoom);
}

/** The same, for handlers. */
export function currentZoom(): Zoom {
  return store.get().zoom;
}

/** Takes what is remembered. What was chosen in this window since is newer than that. */
export function takeZoom(remembered: unknown): void {
  if (!store.get().isChosen) store.set({ zoom: readZoom(remembered) });
}

/** Shows everything so large, and remembers it. */
export function chooseZoom(host: Host, zoom: Zoom): void {
  store.set({ zoom, isChosen: true });
  announce("zoom", () => t.settings.zoomed(zoom));
  try {
    localStorage.setItem(KEY, String(zoom));
  } catch {
    // Then the first moment of a start has the usual size.
  }
  // What cannot be remembered holds until the window is closed.
  call(host, { type: "set_preference", key: "zoom", value: JSON.stringify(zoom) }).catch(() => undefined);
}
