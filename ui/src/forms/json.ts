/** What JSON text holds, one level deep. Everything below stays text, so that no number is ever rewritten. */
export type Scanned =
  | { kind: "object"; members: readonly (readonly [name: string, json: string])[] }
  | { kind: "array"; elements: readonly string[] }
  | { kind: "scalar" };

/** Where text stops being JSON, counted from 1. */
export interface Fault {
  line: number;
  column: number;
}

/** The desk reads no deeper either. */
const DEEPEST = 127;

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const LITERAL = /true|false|null/y;
const SPACE = /[ \t\n\r]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

class Stop extends Error {
  constructor(readonly at: number) {
    super();
  }
}

/** Reads JSON text (RFC 8259). */
export function scan(text: string): { ok: true; value: Scanned } | { ok: false; fault: Fault } {
  try {
    const start = match(SPACE, text, 0);
    const { end, value } = readValue(text, start, 0);
    const rest = match(SPACE, text, end);
    if (rest < text.length) throw new Stop(rest);
    return { ok: true, value };
  } catch (thrown) {
    if (!(thrown instanceof Stop)) throw thrown;
    const before = text.slice(0, thrown.at).split("\n");
    return { ok: false, fault: { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 } };
  }
}

/** Whether text is one JSON number. */
export function isNumber(text: string): boolean {
  return text !== "" && match(NUMBER, text, 0) === text.length;
}

/** The end of what `pattern` (sticky) matches at `at`, or -1. */
function match(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

function readValue(text: string, at: number, depth: number): { end: number; value: Scanned } {
  if (depth > DEEPEST) throw new Stop(at);
  const first = text.charAt(at);
  if (first === "{") return readObject(text, at, depth);
  if (first === "[") return readArray(text, at, depth);
  const end = first === '"' ? readString(text, at) : Math.max(match(NUMBER, text, at), match(LITERAL, text, at));
  if (end < 0) throw new Stop(at);
  return { end, value: { kind: "scalar" } };
}

function readString(text: string, start: number): number {
  if (text.charAt(start) !== '"') throw new Stop(start);
  let at = start + 1;
  for (;;) {
    const char = text.charAt(at);
    if (char === '"') return at + 1;
    if (char < " ") throw new Stop(at);
    const next = char === "\\" ? match(ESCAPE, text, at) : at + 1;
    if (next < 0) throw new Stop(at);
    at = next;
  }
}

function readObject(text: string, start: number, depth: number): { end: number; value: Scanned } {
  const members: [string, string][] = [];
  const end = readList(text, start, "}", (at) => {
    const nameEnd = readString(text, at);
    const colon = match(SPACE, text, nameEnd);
    if (text.charAt(colon) !== ":") throw new Stop(colon);
    const from = match(SPACE, text, colon + 1);
    const { end } = readValue(text, from, depth + 1);
    members.push([JSON.parse(text.slice(at, nameEnd)) as string, text.slice(from, end)]);
    return end;
  });
  return { end, value: { kind: "object", members } };
}

function readArray(text: string, start: number, depth: number): { end: number; value: Scanned } {
  const elements: string[] = [];
  const end = readList(text, start, "]", (at) => {
    const { end } = readValue(text, at, depth + 1);
    elements.push(text.slice(at, end));
    return end;
  });
  return { end, value: { kind: "array", elements } };
}

function readList(text: string, start: number, close: string, item: (at: number) => number): number {
  let at = match(SPACE, text, start + 1);
  if (text.charAt(at) === close) return at + 1;
  for (;;) {
    at = match(SPACE, text, item(at));
    if (text.charAt(at) === close) return at + 1;
    if (text.charAt(at) !== ",") throw new Stop(at);
    at = match(SPACE, text, at + 1);
  }
}
