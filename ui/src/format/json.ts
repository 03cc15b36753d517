/**
 * JSON text with line breaks and indentation, or as it came when it is not JSON.
 * Works on the text alone, so that every number stays as written.
 */
export function pretty(json: string): string {
  try {
    JSON.parse(json);
  } catch {
    return json;
  }
  let out = "";
  let depth = 0;
  const line = () => `\n${"  ".repeat(depth)}`;
  for (let i = 0; i < json.length; i += 1) {
    const char = json.charAt(i);
    if (char === '"') {
      const end = stringEnd(json, i);
      out += json.slice(i, end);
      i = end - 1;
    } else if (char === "{" || char === "[") {
      const next = skipSpace(json, i + 1);
      const close = json.charAt(next);
      if (close === "}" || close === "]") {
        out += char + close;
        i = next;
      } else {
        depth += 1;
        out += char + line();
      }
    } else if (char === "}" || char === "]") {
      depth -= 1;
      out += line() + char;
    } else if (char === ",") {
      out += char + line();
    } else if (char === ":") {
      out += ": ";
    } else if (!/\s/.test(char)) {
      out += char;
    }
  }
  return out;
}

function stringEnd(json: string, start: number): number {
  let i = start + 1;
  while (i < json.length && json.charAt(i) !== '"') i += json.charAt(i) === "\\" ? 2 : 1;
  return i + 1;
}

function skipSpace(json: string, start: number): number {
  let i = start;
  while (/\s/.test(json.charAt(i))) i += 1;
  return i;
}

/** JSON text on one line, without the blanks between its parts, or as it came when it is not JSON. Strings stay as written. */
export function compact(json: string): string {
  try {
    JSON.parse(json);
  } catch {
    return json;
  }
  let out = "";
  for (let i = 0; i < json.length; i += 1) {
    const char = json.charAt(i);
    if (char === '"') {
      const end = stringEnd(json, i);
      out += json.slice(i, end);
      i = end - 1;
    } else if (!/\s/.test(char)) {
      out += char;
    }
  }
  return out;
}
