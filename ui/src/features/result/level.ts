// JSON that is known to be JSON, one level at a time. Nothing is parsed but names: numbers stay as written, and depth costs
// nothing, since nothing calls itself.

/** A value in a JSON text. */
export interface Place {
  /** Where it begins and ends in the text. */
  start: number;
  end: number;
  kind: "object" | "array" | "string" | "other";
}

/** A value within another. */
export interface Child extends Place {
  /** Its name in an object. */
  name?: string;
}

const QUOTE = 34;
const BACKSLASH = 92;

/** The value that a text is; undefined where it is no JSON. */
export function wholeOf(json: string): Place | undefined {
  try {
    JSON.parse(json);
  } catch {
    return undefined;
  }
  const start = blanks(json, 0);
  return { start, end: valueEnd(json, start), kind: kindAt(json, start) };
}

/** As many of its children as are wanted, and where the next one begins. */
export function childrenOf(json: string, place: Place, most: number, from = place.start + 1): { children: Child[]; next?: number } {
  const children: Child[] = [];
  const next = eachChild(json, place, (child) => children.push(child) < most, from);
  return { children, ...(next !== undefined && { next }) };
}

/** Goes through its children as long as `more` says so; where the next one begins is what comes back. */
export function eachChild(json: string, { start, end, kind }: Place, more: (child: Child) => boolean, from = start + 1): number | undefined {
  let at = blanks(json, from);
  while (at < end - 1) {
    let name: string | undefined;
    if (kind === "object") {
      const nameEnd = stringEnd(json, at);
      name = named(json.slice(at, nameEnd));
      at = blanks(json, blanks(json, nameEnd) + 1);
    }
    const valueTo = valueEnd(json, at);
    const goesOn = more({ ...(name !== undefined && { name }), start: at, end: valueTo, kind: kindAt(json, at) });
    at = blanks(json, valueTo);
    // The comma, or the end.
    if (json.charAt(at) === ",") at = blanks(json, at + 1);
    if (!goesOn) return at < end - 1 ? at : undefined;
  }
  return undefined;
}

/** How many children it has. */
export function countOf(json: string, { start, end, kind }: Place): number {
  if (kind !== "object" && kind !== "array") return 0;
  if (blanks(json, start + 1) >= end - 1) return 0;
  let [depth, count] = [0, 1];
  for (let at = start + 1; at < end - 1; at += 1) {
    const char = json.charCodeAt(at);
    if (char === QUOTE) at = stringEnd(json, at) - 1;
    else if (isOpening(char)) depth += 1;
    else if (isClosing(char)) depth -= 1;
    else if (char === 44 && depth === 0) count += 1;
  }
  return count;
}

/** A JSON string as text; as written where half of a pair makes it none. */
export function named(quoted: string): string {
  if (!quoted.includes("\\")) return quoted.slice(1, -1);
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return quoted;
  }
}

function kindAt(json: string, at: number): Place["kind"] {
  const first = json.charAt(at);
  return first === "{" ? "object" : first === "[" ? "array" : first === '"' ? "string" : "other";
}

function blanks(json: string, start: number): number {
  let at = start;
  while (at < json.length && json.charCodeAt(at) <= 32) at += 1;
  return at;
}

function stringEnd(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json.charCodeAt(at) !== QUOTE) at += json.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return Math.min(at + 1, json.length);
}

function isOpening(char: number): boolean {
  return char === 123 || char === 91;
}

function isClosing(char: number): boolean {
  return char === 125 || char === 93;
}

function valueEnd(json: string, start: number): number {
  let [at, depth] = [start, 0];
  while (at < json.length) {
    const char = json.charCodeAt(at);
    if (char === QUOTE) {
      at = stringEnd(json, at);
      if (depth === 0) return at;
    } else if (isOpening(char)) {
      depth += 1;
      at += 1;
    } else if (isClosing(char)) {
      // Behind a number that is the last of its list.
      if (depth === 0) return at;
      depth -= 1;
      at += 1;
      if (depth === 0) return at;
    } else if (depth === 0 && (char === 44 || char <= 32)) return at;
    else at += 1;
  }
  return at;
}
