import { useLayoutEffect, useRef } from "react";

import { isAwaited } from "../actions/registry";
import { isNowhere, standIn } from "./focus";

/** What had the focus before a dialog, and the pane that it stands in. */
interface Opener {
  element: HTMLElement;
  pane: Element | null;
}

/**
 * Where the focus goes when a dialog closes: to what opened it, and where that is gone, or goes once the view has caught
 * up, to the body of its pane. It must never fall out of the window's reach. Returns Base UI's `finalFocus`.
 */
export function useOpener(open: boolean): () => boolean | HTMLElement {
  const opener = useRef<Opener>(undefined);
  useLayoutEffect(() => {
    const element = document.activeElement;
    if (!open || !(element instanceof HTMLElement) || element === document.body) return;
    const of = { element, pane: element.closest("[data-pane]") };
    opener.current = of;
    return () => watch(of);
  }, [open]);
  return () => {
    // Somebody has gone to another place meanwhile.
    if (isAwaited()) return false;
    const { current } = opener;
    if (!current || current.element.isConnected) return isFree();
    return isFree() && (standIn(current.pane) ?? true);
  };
}

/** Whether nothing outside of a dialog has taken the focus. */
function isFree(): boolean {
  return isNowhere() || document.activeElement?.closest("[role=dialog]") !== null;
}

/** Waits until the focus has gone on from the opener, or the opener from the window. */
function watch(opener: Opener): void {
  const look = () => {
    if (opener.element.isConnected) return;
    stop();
    if (isNowhere()) standIn(opener.pane)?.focus();
  };
  const moved = ({ target }: FocusEvent) => target !== opener.element && stop();
  const observer = new MutationObserver(look);
  const stop = () => {
    observer.disconnect();
    document.removeEventListener("focusin", moved);
  };
  document.addEventListener("focusin", moved);
  observer.observe(document.body, { childList: true, subtree: true });
  // A view that took opener and dialog away at once has done so by then.
  queueMicrotask(look);
}
