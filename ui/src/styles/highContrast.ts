const KEY = "signalbox.contrast";
const SYSTEM = "(prefers-contrast: more)";

/** `system` leaves it to the system. */
export type Contrast = "system" | "more";

/** What is remembered of it. */
export function readContrast(remembered: unknown): Contrast {
  return remembered === "more" ? "more" : "system";
}

let chosen: Contrast = "system";

function show(): void {
  const { dataset } = document.documentElement;
  // Some web views do not know the question.
  const more = chosen === "more" || (typeof matchMedia === "function" && matchMedia(SYSTEM).matches);
  if (more) dataset["contrast"] = "more";
  else delete dataset["contrast"];
}

/** Wears the chosen contrast. Kept, so that the next start has it before its first view. */
export function wearContrast(contrast: Contrast): void {
  chosen = contrast;
  show();
  try {
    localStorage.setItem(KEY, contrast);
  } catch {
    // Then the first moment of a start has the system's contrast.
  }
}

/** The contrast of the last time; from now on the system's changes are followed, too. */
export function wearLastContrast(): void {
  try {
    chosen = readContrast(localStorage.getItem(KEY));
  } catch {
    // As above.
  }
  show();
  if (typeof matchMedia === "function") matchMedia(SYSTEM).addEventListener("change", show);
}
