import { useEffect, type RefObject } from "react";

import { whenFree } from "../../actions/registry";
import { useNav } from "../../places/nav";

/** Brings the section that somebody went to into sight, and the focus to the first thing in it. */
export function useSection(within: RefObject<HTMLElement | null>): void {
  const title = useNav((nav) => nav.section);
  const visit = useNav((nav) => nav.visit);
  useEffect(() => {
    if (title === null) return;
    const sections = [...(within.current?.querySelectorAll("section") ?? [])];
    const section = sections.find((other) => other.querySelector("h2")?.textContent === title);
    whenFree(() => section?.querySelector<HTMLElement>("input, select, button")?.focus({ preventScroll: true }));
    section?.scrollIntoView({ block: "start" });
  }, [title, visit, within]);
}
