import { readFileSync } from "node:fs";
import { join } from "node:path";

type Case = [name: string, text: string, times?: number];
const CASES = JSON.parse(readFileSync(join(import.meta.dirname, "../../../tests/corpus/hostile-strings.json"), "utf8")) as Case[];

/** Strings that a server could send to make the window do or show what it should not, each with what it is. */
export const HOSTILE: readonly (readonly [name: string, text: string])[] = CASES.map(([name, text, times = 1]) => [name, text.repeat(times)]);

/** What no text on the screen may hold: it acts on the text around it, or shows as nothing. A selector after a sign is none of it. */
export const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\ufff9-\ufffb\ud800-\udfff]|[\u{e0000}-\u{e0fff}]/u;

/** What stands in a part of the page: its elements with the names of their attributes. */
export function kindsIn(root: ParentNode): Set<string> {
  const kinds = new Set<string>();
  for (const element of root.querySelectorAll("*")) {
    kinds.add(element.localName);
    for (const name of element.getAttributeNames()) kinds.add(`@${name}`);
  }
  return kinds;
}

/** The texts of a part of the page, each with where it stands. What somebody edits is as it was sent, and not among them. */
export function textsIn(root: Node): { text: string; at: Element }[] {
  const texts: { text: string; at: Element }[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const at = node.parentElement;
    if (at && !at.closest("textarea")) texts.push({ text: node.textContent ?? "", at });
  }
  return texts;
}

/** Whether a text can be read in its own direction without turning what stands around it. */
export function isIsolated(at: Element): boolean {
  return at.closest("bdi, [dir], pre, code, option") !== null;
}
