// A part of markdown, as a tree that is drawn with elements of ours. What is not of that part stays as it was sent: links and pictures
// with their addresses, tables, markup, escapes. It is read in one go over each line, in bounded depth.

import { DEEPEST, spansIn, type Span } from "./spans";

/** A piece of a text. */
export type Block =
  | { kind: "paragraph" | "heading"; of: Span[] }
  | { kind: "code"; language: string; text: string }
  | { kind: "quote"; of: Block[] }
  | { kind: "list"; items: { mark: string; of: Block[] }[] };

/** A longer text stays as it was sent, in characters. */
export const LONGEST = 20_000;

const FENCE = /^ {0,3}(`{3,}|~{3,})[ \t]*([\w+#.-]*)[ \t]*$/;
const HEADING = /^ {0,3}#{1,6}[ \t]+(\S.*)$/;
const QUOTE = /^ {0,3}>[ \t]?/;
const ITEM = /^( {0,3})([-*+]|\d{1,9}[.)])[ \t]+(?=\S)/;

/** Reads a text; undefined where formatting would change nothing, or where it is too long. */
export function markdown(text: string): Block[] | undefined {
  if (text.length > LONGEST) return undefined;
  const blocks = blocksOf(text.split("\n"), 0);
  const isPlain = blocks.every((block) => block.kind === "paragraph" && block.of.every((span) => typeof span === "string"));
  return isPlain ? undefined : blocks;
}

function blocksOf(lines: readonly string[], depth: number): Block[] {
  const blocks: Block[] = [];
  let words: string[] = [];
  const end = () => {
    if (words.length > 0) blocks.push({ kind: "paragraph", of: spansIn(words.join("\n")) });
    words = [];
  };
  let at = 0;
  while (at < lines.length) {
    const found = depth < DEEPEST ? blockAt(lines, at, depth) : undefined;
    const line = lines[at] ?? "";
    if (found) {
      end();
      blocks.push(found.block);
      at = found.next;
    } else {
      if (line.trim() === "") end();
      else words.push(line);
      at += 1;
    }
  }
  end();
  return blocks;
}

/** The block that begins at a line, and the line behind it; undefined where a paragraph begins or goes on. */
function blockAt(lines: readonly string[], at: number, depth: number): { block: Block; next: number } | undefined {
  const line = lines[at] ?? "";
  const [, fence, language = ""] = FENCE.exec(line) ?? [];
  if (fence !== undefined) {
    const close = new RegExp(`^ {0,3}${fence.charAt(0)}{${fence.length},}[ \\t]*$`);
    const next = firstFrom(lines, at + 1, (other) => close.test(other));
    return { block: { kind: "code", language, text: lines.slice(at + 1, next).join("\n") }, next: next + 1 };
  }
  const heading = HEADING.exec(line)?.[1];
  if (heading !== undefined) return { block: { kind: "heading", of: spansIn(heading) }, next: at + 1 };
  if (QUOTE.test(line)) {
    const next = firstFrom(lines, at, (other) => !QUOTE.test(other));
    const inner = lines.slice(at, next).map((other) => other.replace(QUOTE, ""));
    return { block: { kind: "quote", of: blocksOf(inner, depth + 1) }, next };
  }
  return ITEM.test(line) ? listAt(lines, at, depth) : undefined;
}

/** A list goes on with items, with lines that are indented, and over empty lines between those. */
function listAt(lines: readonly string[], start: number, depth: number): { block: Block; next: number } {
  const items: { mark: string; of: Block[] }[] = [];
  let at = start;
  for (;;) {
    const [whole, indent = "", mark = ""] = ITEM.exec(lines[at] ?? "") ?? [];
    if (whole === undefined) break;
    const inner = [(lines[at] ?? "").slice(whole.length)];
    at += 1;
    for (;;) {
      const next = firstFrom(lines, at, (line) => line.trim() !== "");
      if ((lines[next] ?? "").search(/\S/) < indent.length + 2) break;
      for (; at <= next; at++) inner.push(unindented(lines[at] ?? "", whole.length));
    }
    items.push({ mark, of: blocksOf(inner, depth + 1) });
    // Between two items may be an empty line.
    const next = firstFrom(lines, at, (line) => line.trim() !== "");
    if (next < lines.length && ITEM.test(lines[next] ?? "")) at = next;
  }
  return { block: { kind: "list", items }, next: at };
}

/** A line without so many of the spaces that it begins with. */
function unindented(line: string, most: number): string {
  const spaces = line.search(/[^ ]/);
  return line.slice(spaces < 0 ? line.length : Math.min(spaces, most));
}

/** The first line from `at` for which it holds, else the end. */
function firstFrom(lines: readonly string[], at: number, holds: (line: string) => boolean): number {
  let next = at;
  while (next < lines.length && !holds(lines[next] ?? "")) next += 1;
  return next;
}
