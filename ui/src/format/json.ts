/**
 * JSON text with line breaks and indentation, or as it came when it is not JSON.
 * Works on the text alone, so that every number stays as written.
 */
export function pretty(json: string): string {
  const parts = partsOf(json);
  if (!parts) return json;
  let out = "";
  let depth = 0;
  let before = "";
  const line = () => `\n${"  ".repeat(depth)}`;
  for (const part of parts) {
    const first = before === "{" || before === "[";
    if (part === "}" || part === "]") {
      depth -= 1;
      if (!first) out += line();
    } else if (first || before === ",") {
      out += line();
    }
    if (part === "{" || part === "[") depth += 1;
    out += part === ":" ? ": " : part;
    before = part;
  }
  return out;
}

/** JSON text on one line, without the blanks between its parts, or as it came when it is not JSON. Strings stay as written. */
export function compact(json: string): string {
  return partsOf(json)?.join("") ?? json;
}

/** What JSON text is made of, each part as written: punctuation, strings, and other scalars. Undefined when it is not JSON. */
function partsOf(json: string): string[] | undefined {
  try {
    JSON.parse(json);
  } catch {
    return undefined;
  }
  const parts: string[] = [];
  for (let i = 0; i < json.length; ) {
    const end = json.charAt(i) === '"' ? stringEnd(json, i) : scalarEnd(json, i);
    const part = json.slice(i, Math.max(end, i + 1));
    if (!SPACE.test(part)) parts.push(part);
    i += part.length;
  }
  return parts;
}

const SPACE = /^\s$/;

function stringEnd(json: string, start: number): number {
  let i = start + 1;
  while (i < json.length && json.charAt(i) !== '"') i += json.charAt(i) === "\\" ? 2 : 1;
  return i + 1;
}

function scalarEnd(json: string, start: number): number {
  let i = start;
  while (/[\w.+-]/.test(json.charAt(i))) i += 1;
  return i;
}
