import type { Sought } from "../../places/nav";

/** One filter of all of it. */
export function filterOf({ tokens, text }: Sought): string {
  return [...tokens, text].join(" ").trim();
}

const TOKEN = /(?:[^\s"]|"[^"]*"?)+/g;

/** The parts of a suggestion, each a token: blanks part them, but within quotation marks. */
export function tokensOf(text: string): string[] {
  return text.match(TOKEN) ?? [];
}

/** What stands around the token at the caret, which an offer takes the place of. */
export function withoutTokenAt(text: string, caret: number): string {
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const end = index + token.length;
    if (index <= caret && caret <= end) return `${text.slice(0, index).trimEnd()} ${text.slice(end).trimStart()}`.trim();
  }
  return text.trim();
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
