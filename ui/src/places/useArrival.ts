import { useLayoutEffect, type RefObject } from "react";

import { whenFree } from "../actions/registry";
import { land, landingIn } from "../components/focus";
import { useNav } from "./nav";

// The visit that the focus has followed: a place that is drawn anew for another reason leaves the focus where it is.
let followed = -1;

/**
 * Brings the focus along when somebody goes to a place: to the list of this pane, or to the pane, or button, while it has none. A
 * dialog that is open keeps the focus until it closes: a link or a notification may lead to a place behind it.
 */
export function useArrival(pane: RefObject<HTMLElement | null>, here = true): void {
  const visit = useNav((nav) => nav.visit);
  useLayoutEffect(() => {
    if (!here || !pane.current || followed === visit) return;
    followed = visit;
    whenFree(() => pane.current && land(landingIn(pane.current)));
  }, [here, pane, visit]);
}
