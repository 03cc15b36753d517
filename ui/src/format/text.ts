import { units } from "../strings/en/units";
import { lookAlikes } from "./lookAlikes";

// Direction overrides, line separators and all that shows as nothing can make text read as something else than it is. A selector
// stays where it says how a sign is drawn, and of a heap of marks the first six: the rest would lie over the lines around it.
const DECEPTIVE =
  /(?![\t\n\ufe0e\ufe0f])[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2028\u2029\u2800\ufff9-\ufffc]|(?<!\p{Emoji})[\ufe0e\ufe0f]|(?<=\p{M}{6})\p{M}/gu;

/** Of nearly every long text one look says that nothing in it is hidden. */
const IS_PLAIN = /^[\t\n\x20-\x7e]*$/;

/** Text with its control and invisible characters spelled out, and those that pass for others. Tabs and line feeds stay. */
export function visible(text: string): string {
  if (IS_PLAIN.test(text)) return text;
  return lookAlikesSpelledOut(text.replaceAll("\r\n", "\n")).replace(DECEPTIVE, (char) => {
    const code = char.codePointAt(0) ?? 0;
    return code < 0x20 ? String.fromCodePoint(0x2400 + code) : spelledOut(code);
  });
}

function lookAlikesSpelledOut(text: string): string {
  let [shown, end] = ["", 0];
  for (const at of lookAlikes(text)) {
    const code = text.codePointAt(at) ?? 0;
    shown += text.slice(end, at) + spelledOut(code);
    end = at + String.fromCodePoint(code).length;
  }
  return shown + text.slice(end);
}

function spelledOut(code: number): string {
  return `⟨${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
}

/** Four empty lines or more. */
const GAP = /\n(?:[^\S\n]*\n){4,}/g;

/** Text in which long gaps are said: what stands below one would be out of sight, as if it were not there. */
export function withoutGaps(text: string): string {
  return text.replace(GAP, (gap) => `\n${units.emptyLines(gap.split("\n").length - 2)}\n`);
}

/** Text with nothing hidden in it, on one line. */
export function oneLine(text: string): string {
  return visible(text.replace(/\s+/g, " ").trim());
}

/** The first `limit` characters, never half of a pair. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const end = /[\ud800-\udbff]/.test(text.charAt(limit - 1)) ? limit - 1 : limit;
  return text.slice(0, end);
}

/** A short text on one line, with an ellipsis where it is cut. */
export function brief(text: string, limit: number): string {
  return oneLine(cut(text, limit)) + (text.length > limit ? "…" : "");
}

/** The end of a text, with an ellipsis where it is cut: of a host it tells whose it is. */
export function ending(text: string, limit: number): string {
  return text.length > limit ? `…${text.slice(-limit).replace(/^[\udc00-\udfff]/, "")}` : text;
}

/** How many characters a text has, a pair counted once. */
export function characters(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length - 1; at += 1) {
    const pair = /[\ud800-\udbff]/.test(text.charAt(at)) && /[\udc00-\udfff]/.test(text.charAt(at + 1));
    if (pair) count -= 1;
  }
  return count;
}

/** A message of ours as a sentence: with a capital, and a full stop unless it ends with a mark of its own. */
export function sentence(text: string): string {
  const trimmed = text.trim();
  const first = trimmed.charAt(0).toUpperCase() + trimmed.slice(1);
  return /[.!?…]$/.test(first) || first === "" ? first : `${first}.`;
}
