import type { Typed } from "../../places/nav";

/** One filter of all of it, and of the token beside it where there is one. */
export function filterOf(beside: string | undefined, { tokens, text }: Typed): string {
  return [...(beside === undefined ? [] : [beside]), ...tokens, text].join(" ").trim();
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

/** Whether a word is a token with a key, which stands for itself once it is finished. */
export function isToken(word: string): boolean {
  return /^-?[a-z]+[:<>]\S/.test(word) && (word.match(/"/g)?.length ?? 0) % 2 === 0;
}
