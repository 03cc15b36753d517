const PANE = "[data-pane]";
/** What scrolls in a pane: its list, or its text. */
const BODY = "[data-pane-body]";

/** Where the keys go in a pane: what scrolls there, else the pane itself. */
export function landingIn(pane: HTMLElement): HTMLElement {
  return pane.querySelector<HTMLElement>(BODY) ?? pane;
}

/** Where the focus goes when what had it is gone: to what scrolls in its pane, else in another. */
export function standIn(pane: Element | null): HTMLElement | null {
  return (pane?.isConnected ? pane.querySelector<HTMLElement>(BODY) : null) ?? document.querySelector<HTMLElement>(`${BODY}, ${PANE}`);
}

/** Puts the focus there. It shows to whoever came by keys: a frame round a whole pane tells the mouse nothing. */
export function land(element: HTMLElement): void {
  element.focus({ preventScroll: true });
}

/** Shows what scrolls in a pane from its beginning. In a narrow window, which shows one pane at a time, it is this one. */
export function showBeginning(body: HTMLElement | null): void {
  if (!body) return;
  body.scrollTop = 0;
  body.closest(PANE)?.scrollIntoView({ block: "nearest" });
}

/** Whether no key would reach anything. */
export function isNowhere(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

/** A key that changes what another one, or a press of the mouse, does. */
const MODIFIERS = new Set(["Control", "Shift", "Alt", "AltGraph", "Meta"]);

/**
 * Marks on the page's root whether the person's last act was a key. WebKit takes everything that a script gives the focus to after a
 * click, even one into a field in which was typed since, for the mouse's, and shows no ring there. Returns how to stop.
 */
export function markKeys(): () => void {
  const mark = (isKey: boolean) => document.documentElement.toggleAttribute("data-by-keys", isKey);
  const onKey = ({ key }: KeyboardEvent) => {
    if (!MODIFIERS.has(key)) mark(true);
  };
  const onPointer = () => mark(false);
  window.addEventListener("keydown", onKey, true);
  window.addEventListener("pointerdown", onPointer, true);
  return () => {
    window.removeEventListener("keydown", onKey, true);
    window.removeEventListener("pointerdown", onPointer, true);
  };
}

/**
 * Keeps the keyboard within the window's reach: the focus of what goes falls to its dialog while that is open, else to its pane, and
 * what was disabled for a moment has it again afterwards. Returns how to stop.
 */
export function keepFocus(): () => void {
  let last: HTMLElement | undefined;
  let pane: Element | null = null;
  let dialog: HTMLElement | null = null;
  let wasDisabled = false;

  const moved = ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLElement)) return;
    last = target;
    // A dialog and the rail belong to the pane that was in use before.
    pane = target.closest(PANE) ?? pane;
    dialog = target.closest<HTMLElement>("[role=dialog]");
    wasDisabled = false;
  };
  const look = () => {
    if (!last) return;
    if (!last.isConnected) {
      // One that closes hands the focus back itself.
      const open = dialog?.isConnected && dialog.hasAttribute("data-open") ? dialog : undefined;
      if (isNowhere()) (open ?? standIn(pane))?.focus();
      return;
    }
    const isDisabled = last.matches(":disabled");
    if (wasDisabled && !isDisabled && isNowhere()) last.focus();
    wasDisabled = isDisabled;
  };

  const observer = new MutationObserver(look);
  observer.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ["disabled"] });
  document.addEventListener("focusin", moved);
  return () => {
    observer.disconnect();
    document.removeEventListener("focusin", moved);
  };
}
