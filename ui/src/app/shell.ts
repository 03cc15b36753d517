import { useEffect, useRef } from "react";

import { readChoice } from "../actions/choice";
import { choose } from "../actions/chosen";
import { pressed } from "../actions/spelling";
import { draftsSettled } from "../features/inbox/drafts";
import { useHost } from "../host/context";
import { dropNotice, showLed } from "../features/link/led";
import { go, openItem, useNav } from "../places/nav";
import { call } from "../store/call";
import { useRemembered } from "../store/usePreference";
import { useView } from "../store/useView";
import { chooseZoom, currentZoom, takeZoom, useZoom, zoomBy } from "../store/zoom";
import { readContrast, wearContrast } from "../styles/highContrast";
import { wear } from "../styles/theme";
import type { ItemRef, Theme } from "../types";

/** Wears the chosen colours, page and window. */
export function useTheme(theme: Theme | undefined): void {
  const host = useHost();
  useEffect(() => {
    if (theme === undefined) return;
    wear(theme);
    // Lists in other colours are no reason for an error in the window.
    host.wear(theme).catch(() => undefined);
  }, [host, theme]);
}

const chooseRemembered = (remembered: unknown) => choose(readChoice(remembered));

/** Saves what was typed last before the window goes unasked. */
export function useLeaving(): void {
  const host = useHost();
  useEffect(() => host.onLeaving(() => draftsSettled(host)), [host]);
}

/** Puts the keys in force that a person chose. */
export function useChosenKeys(): void {
  useRemembered("keys", chooseRemembered);
}

const wearRemembered = (remembered: unknown) => wearContrast(readContrast(remembered));

/** Wears the chosen contrast. */
export function useContrast(): void {
  useRemembered("contrast", wearRemembered);
}

/** Shows everything as large as chosen. Its keys work in fields and behind dialogs, too, where no action does. */
export function useZooming(): void {
  const host = useHost();
  const zoom = useZoom();
  useRemembered("zoom", takeZoom);
  useEffect(() => {
    // A window of the usual size is no reason for an error in it.
    host.zoom(zoom / 100).catch(() => undefined);
  }, [host, zoom]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const next = zoomBy(pressed(event), currentZoom());
      if (next === undefined) return;
      event.preventDefault();
      chooseZoom(host, next);
    };
    // Before any dialog hears it.
    window.addEventListener("keydown", onKey, true);
    return () => window.removeEventListener("keydown", onKey, true);
  }, [host]);
}

/** Says once that the first view is on screen: two frames later it is painted, too. */
export function useReady(shown: boolean): void {
  const host = useHost();
  const said = useRef(false);
  useEffect(() => {
    if (!shown || said.current) return;
    said.current = true;
    requestAnimationFrame(() => requestAnimationFrame(() => void host.ready().catch(() => undefined)));
  }, [host, shown]);
}

/** Shows what the window is asked to show: a notification's "Review", a second start. */
export function useForward(): void {
  const { data } = useView({ type: "forward" });
  const seen = useRef(0);
  useEffect(() => {
    if (!data) return;
    const grown = data.wish > seen.current;
    // Another owner counts from zero again.
    seen.current = data.wish;
    if (!grown) return;
    if (data.item || data.led?.kind === "place") dropNotice();
    if (data.item) openItem(data.item);
    if (data.led?.kind === "place") go(data.led.place);
    else if (data.led) showLed(data.led);
  }, [data]);
}

/** Tells the desk what is in front, so that no notification speaks of it. */
export function useFront(): void {
  const host = useHost();
  const kind = useNav((nav) => (nav.place === "inbox" && nav.request ? "request" : nav.place === "tasks" && nav.task ? "call" : null));
  const id = useNav((nav) => (nav.place === "inbox" ? nav.request : nav.place === "tasks" ? nav.task : null));
  useEffect(() => {
    const item: ItemRef | undefined = kind && id ? { kind, id } : undefined;
    const tell = () => {
      const front = item && !document.hidden && document.hasFocus() ? { item } : {};
      // Whether a notification shows is not worth an error in the window.
      call(host, { type: "set_front", ...front }).catch(() => undefined);
    };
    tell();
    document.addEventListener("visibilitychange", tell);
    window.addEventListener("focus", tell);
    window.addEventListener("blur", tell);
    return () => {
      document.removeEventListener("visibilitychange", tell);
      window.removeEventListener("focus", tell);
      window.removeEventListener("blur", tell);
    };
  }, [host, kind, id]);
}
