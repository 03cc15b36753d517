import type { FieldKind, Json } from "../types";
import { isNumber, scan } from "./json";

/** What a control's text means as JSON; undefined while it is no value. */
export function jsonOf(kind: FieldKind, text: string): Json | undefined {
  switch (kind.type) {
    case "text":
      return JSON.stringify(text);
    case "integer":
    case "number":
      return isNumber(text.trim()) ? text.trim() : undefined;
    case "boolean":
    case "select":
    case "multiSelect":
      return text;
    case "json":
      return scan(text).ok ? text.trim() : undefined;
  }
}

/** The text a control shows for a JSON value; undefined when it cannot show it without changing it. */
export function shownAs(kind: FieldKind, json: Json): string | undefined {
  switch (kind.type) {
    case "text":
      // A text control would turn every line end into a line feed.
      return json.startsWith('"') && !/\\r|\\u000d/i.test(json) ? (JSON.parse(json) as string) : undefined;
    case "integer":
    case "number":
      return isNumber(json) ? json : undefined;
    case "boolean":
      return json === "true" || json === "false" ? json : undefined;
    case "select":
      return kind.options.find((option) => sameJson(option.value, json))?.value;
    case "multiSelect": {
      const chosen = chosenIn(kind, json);
      return chosen && `[${chosen.join(",")}]`;
    }
    case "json":
      return json;
  }
}

/** The values chosen of a multi select, as its options write them; undefined when it cannot show them all. */
export function chosenIn(kind: Extract<FieldKind, { type: "multiSelect" }>, json: Json): string[] | undefined {
  const scanned = scan(json);
  if (!scanned.ok || scanned.value.kind !== "array") return undefined;
  const chosen: string[] = [];
  for (const element of scanned.value.elements) {
    const option = kind.options.find((other) => sameJson(other.value, element));
    if (!option || chosen.includes(option.value)) return undefined;
    chosen.push(option.value);
  }
  return chosen;
}

/** Equal texts, or equal strings that are spelled differently. Numbers are never compared as doubles. */
function sameJson(a: Json, b: Json): boolean {
  return a === b || (a.startsWith('"') && b.startsWith('"') && JSON.parse(a) === JSON.parse(b));
}
