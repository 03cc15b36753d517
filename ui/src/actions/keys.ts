import { keysOf } from "./chosen";
import { isBound, runAction } from "./registry";
import { isChord, pressed } from "./spelling";
import { ACTION_IDS, specOf, type ActionId } from "./table";

/** How long the second key of a sequence may take, in ms. */
const SEQUENCE_MS = 1_200;

/** Text that stands for itself, such as a result: all of it can be marked. */
const TEXT = "[data-text]";

const TEXT_INPUTS = new Set(["checkbox", "radio", "button", "submit", "reset", "range", "color", "file"]);

/** Whether what has the focus takes text, so that plain keys are text. */
export function isField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !TEXT_INPUTS.has(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || target.isContentEditable;
}

/** Enter and the digits belong to a focused control when it can do something with them itself. */
export function controlTakes(target: EventTarget | null, key: string): boolean {
  return key === "Enter" && target instanceof Element && target.closest("button, a, summary, [role=tab], input") !== null;
}

/** Marks the text that has the focus, or that somebody pressed in what has it; false where there is none. */
function markText(target: EventTarget | null): boolean {
  const selection = getSelection();
  if (!selection || !(target instanceof Element)) return false;
  const anchor = target.contains(selection.anchorNode) ? selection.anchorNode : null;
  const pressed = anchor instanceof Element ? anchor : anchor?.parentElement;
  const text = target.closest(TEXT) ?? pressed?.closest(TEXT);
  if (text) selection.selectAllChildren(text);
  return Boolean(text);
}

/** Feeds key presses to the action table. Returns how to stop. */
export function listenForKeys(target: Window): () => void {
  let first: { key: string; at: number } | undefined;

  const find = (keys: string, inField: boolean): ActionId | undefined =>
    ACTION_IDS.find((id) => {
      // While typing, plain keys are text: only chords reach the table, and only where it says so.
      const allowed = !inField || (specOf(id).inFields === true && isChord(keys));
      return allowed && keysOf(id).includes(keys) && isBound(id);
    });

  const onKey = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing) return;
    const key = pressed(event);
    if (key === undefined || controlTakes(event.target, key)) return;
    const inField = isField(event.target);
    if (!inField && /^Mod\+a$/i.test(key)) {
      // By itself it would mark the whole window.
      event.preventDefault();
      if (markText(event.target)) return;
    }

    const sequence = first && event.timeStamp - first.at < SEQUENCE_MS ? `${first.key} ${key}` : undefined;
    first = undefined;
    const bySequence = sequence && find(sequence, inField);
    const id = bySequence ?? find(key, inField);
    if (!id) {
      if (!inField && ACTION_IDS.some((other) => keysOf(other).some((keys) => keys.startsWith(`${key} `)))) {
        first = { key, at: event.timeStamp };
      }
      return;
    }
    // A held key moves through a list; it must not answer twice.
    if (event.repeat && specOf(id).group !== "move") return;
    event.preventDefault();
    runAction(id, bySequence ? sequence : key);
  };

  target.addEventListener("keydown", onKey);
  return () => target.removeEventListener("keydown", onKey);
}
