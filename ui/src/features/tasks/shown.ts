import type { ListQuery } from "../../types";

/** What the task list shows, and how: remembered over a restart. */
export interface Shown {
  /** Tokens that were finished, each one on its own. */
  readonly tokens: readonly string[];
  /** What is typed behind them. */
  readonly text: string;
  readonly sort: string;
  readonly group: string;
}

/** The list as it always is. */
export const USUAL: Shown = { tokens: [], text: "", sort: "", group: "" };

/** Under what the list stands where nobody says otherwise. */
export const USUAL_GROUP = "is";
/** In which order. */
export const USUAL_SORT = "-started";

/** What was remembered, by whatever version; as it always is where that makes no sense. */
export function readShown(remembered: unknown): Shown {
  const { tokens, text, sort, group } = (remembered ?? {}) as Partial<Record<keyof Shown, unknown>>;
  const word = (value: unknown) => (typeof value === "string" ? value : "");
  const words = Array.isArray(tokens) ? tokens.filter((token): token is string => typeof token === "string") : [];
  return { tokens: words, text: word(text), sort: word(sort), group: word(group) };
}

/** A filter of these tokens, and of those of one server where there is one. */
export function filterOf(server: string | null, tokens: readonly string[], text: string): string {
  return [...(server === null ? [] : [`server:${server}`]), ...tokens, text].join(" ").trim();
}

/** What the desk is asked. */
export function queryOf(shown: Shown, filter: string): ListQuery {
  return { filter, sort: shown.sort, group: shown.group };
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

/** The order after a press on a column's head: by that column; the other way round where it is by that already. */
export function sortedBy(sort: string, key: string): string {
  const [first = USUAL_SORT] = sort.split(",").filter(Boolean);
  return first === key ? `-${key}` : key;
}

/** Which way a column is sorted, as ARIA says it. */
export function directionOf(sort: string, key: string): "ascending" | "descending" | undefined {
  const [first] = (sort || USUAL_SORT).split(",");
  if (first === key) return "ascending";
  return first === `-${key}` ? "descending" : undefined;
}
