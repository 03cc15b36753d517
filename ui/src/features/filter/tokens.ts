import type { Sought } from "../../places/nav";
import type { Offer } from "../../types";

/** One filter of all of it. */
export function filterOf({ tokens, text }: Sought): string {
  return [...tokens, text].join(" ").trim();
}

/** The offer that what is typed at the caret begins, where it is the only one: its key takes whole values, and that is none yet. */
export function begunAt(text: string, caret: number, offers: readonly Offer[]): Offer | undefined {
  const typed = plain(tokenAt(text, caret)?.token ?? "");
  if (!/^-?[a-z]+:./.test(typed)) return undefined;
  const begun = offers.filter((offer) => plain(offer.text).startsWith(typed));
  const [only] = begun;
  return begun.length === 1 && only !== undefined && plain(only.text) !== typed ? only : undefined;
}

/** Filters tell no letters' case apart, and quotation marks are there only to hold a value together. */
function plain(token: string): string {
  return token.replaceAll('"', "").toLowerCase();
}

const TOKEN = /(?:[^\s"]|"[^"]*"?)+/g;

/** The parts of a suggestion, each a token: blanks part them, but within quotation marks. */
export function tokensOf(text: string): string[] {
  return text.match(TOKEN) ?? [];
}

/** What stands around the token at the caret, which an offer takes the place of. */
export function withoutTokenAt(text: string, caret: number): string {
  const { token, index } = tokenAt(text, caret) ?? { token: "", index: text.length };
  return `${text.slice(0, index).trimEnd()} ${text.slice(index + token.length).trimStart()}`.trim();
}

function tokenAt(text: string, caret: number): { token: string; index: number } | undefined {
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (index <= caret && caret <= index + token.length) return { token, index };
  }
  return undefined;
}

/** A token that the blank at the end of a text has just finished, and what stands before it. A blank in quotation marks ends none. */
export function finishedAtEnd(text: string): { token: string; before: string } | undefined {
  const last = [...text.matchAll(TOKEN)].at(-1);
  if (last === undefined || `${last[0]} ` !== text.slice(last.index) || !isToken(last[0])) return undefined;
  return { token: last[0], before: text.slice(0, last.index) };
}

/** Whether a word is a token with a key, which stands for itself once it is finished. */
export function isToken(word: string): boolean {
  return /^-?[a-z]+[:<>]\S/.test(word) && (word.match(/"/g)?.length ?? 0) % 2 === 0;
}
