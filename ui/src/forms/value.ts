import { t } from "../strings";
import type { Field, FieldError, FieldKind, FormSpec, Json } from "../types";
import { isNumber, scan } from "./json";

/**
 * What a person has put into a form: by field name, the text that its control holds.
 *
 * Text and numbers are kept as typed, also while they are no value yet; choices are JSON texts. A field that is not
 * in the map is left empty. Nothing in it was ever a JavaScript number.
 */
export type FormValue = ReadonlyMap<string, string>;

/** A form as it opens: the defaults. */
export function initialValue(spec: FormSpec): FormValue {
  const value = new Map<string, string>();
  for (const field of spec.fields) {
    const text = field.default === undefined ? undefined : shownAs(field.kind, field.default);
    if (text !== undefined) value.set(field.name, text);
  }
  return value;
}

/** The same with one field changed; undefined leaves it empty. */
export function withField(value: FormValue, name: string, text: string | undefined): FormValue {
  const next = new Map(value);
  if (text === undefined) next.delete(name);
  else next.set(name, text);
  return next;
}

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

/** What stands for a field that was left empty; undefined leaves it out. */
function whenEmpty(field: Field): Json | undefined {
  if (!field.required) return undefined;
  if (field.nullable) return "null";
  return field.kind.type === "multiSelect" ? "[]" : undefined;
}

/**
 * The content as JSON text, in the order of the form. Fields that are left empty, and those that {@link unreadable}
 * names, are absent.
 */
export function assemble(spec: FormSpec, value: FormValue): Json {
  const members: string[] = [];
  for (const field of spec.fields) {
    const text = value.get(field.name);
    const json = text === undefined ? whenEmpty(field) : jsonOf(field.kind, text);
    if (json !== undefined) members.push(`${JSON.stringify(field.name)}:${json}`);
  }
  return `{${members.join(",")}}`;
}

/** The fields whose text is no value of any kind yet, so that the desk cannot even be asked about them. */
export function unreadable(spec: FormSpec, value: FormValue): FieldError[] {
  return spec.fields.flatMap((field): FieldError[] => {
    const text = value.get(field.name);
    if (text === undefined || jsonOf(field.kind, text) !== undefined) return [];
    const number = field.kind.type !== "json";
    return [
      {
        field: field.name,
        path: pointer(field.name),
        code: number ? "type" : "notJson",
        message: number ? t.forms.notANumber : t.forms.notJson,
      },
    ];
  });
}

/** Why content cannot be shown as fields. */
export type Unshowable =
  | { why: "notJson" | "notAnObject" }
  | { why: "repeated" | "unknown" | "value"; name: string };

/** Content as a form shows it, or why it cannot. */
export function disassemble(spec: FormSpec, content: Json): { value: FormValue } | { unshowable: Unshowable } {
  const scanned = scan(content);
  if (!scanned.ok) return { unshowable: { why: "notJson" } };
  if (scanned.value.kind !== "object") return { unshowable: { why: "notAnObject" } };
  const value = new Map<string, string>();
  const seen = new Set<string>();
  for (const [name, json] of scanned.value.members) {
    if (seen.has(name)) return { unshowable: { why: "repeated", name } };
    seen.add(name);
    const field = spec.fields.find((other) => other.name === name);
    if (!field) return { unshowable: { why: "unknown", name } };
    if (json === whenEmpty(field)) continue;
    const text = shownAs(field.kind, json);
    if (text === undefined) return { unshowable: { why: "value", name } };
    value.set(name, text);
  }
  return { value };
}

function pointer(name: string): string {
  return `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
