import type { Theme } from "../types";

const KEY = "signalbox.theme";

/** Wears the chosen colours; `system` leaves it to the system. Kept, so that the next start has them before its first view. */
export function wear(theme: Theme): void {
  const { dataset } = document.documentElement;
  if (theme === "system") delete dataset["theme"];
  else dataset["theme"] = theme;
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // Then the first moment of a start has the system's colours.
  }
}

/** The colours of the last time. */
export function wearLast(): void {
  try {
    const kept = localStorage.getItem(KEY);
    if (kept === "light" || kept === "dark") wear(kept);
  } catch {
    // As above.
  }
}
