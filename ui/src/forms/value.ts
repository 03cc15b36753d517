import { t } from "../strings";
import type { Field, FieldError, FieldKind, FormSpec, Json } from "../types";
import { scan } from "./json";
import { jsonOf, shownAs } from "./kinds";

/** What is sent for a field: the value that its control holds as text, null, or nothing at all. */
export type FieldEntry = string | null | undefined;

/**
 * What a person has put into a form, by field name. A field that is not in the map is not sent.
 *
 * Text and numbers are kept as typed, also while they are no value yet; choices are JSON texts. An empty string is an empty
 * text, which is a value. Nothing in it was ever a JavaScript number.
 */
export type FormValue = ReadonlyMap<string, string | null>;

/** A form as it opens: the defaults. A list of ticks of which none is needed opens as what it shows, an empty list. */
export function initialValue(spec: FormSpec): FormValue {
  const value = new Map<string, string>();
  for (const field of spec.fields) {
    const nothing = field.required && field.kind.type === "multiSelect" ? emptyOf(field.kind) : undefined;
    const text = field.default === undefined ? nothing : shownAs(field.kind, field.default);
    if (text !== undefined) value.set(field.name, text);
  }
  return value;
}

/** What a control holds for an empty text or an empty list; undefined where there is none, or where it never fits. */
export function emptyOf(kind: FieldKind): string | undefined {
  if (kind.type === "text") return kind.minLength === undefined && kind.format === undefined ? "" : undefined;
  return kind.type === "multiSelect" && kind.minItems === undefined ? "[]" : undefined;
}

/** Whether null is something to choose. In a field of JSON one types it. */
export function mayBeNull(field: Field): boolean {
  return field.nullable && field.kind.type !== "json";
}

/** The same with one field changed. */
export function withField(value: FormValue, name: string, entry: FieldEntry): FormValue {
  const next = new Map(value);
  if (entry === undefined) next.delete(name);
  else next.set(name, entry);
  return next;
}

/** What a field's entry is as JSON; undefined where nothing is sent, or where it is no value yet. */
export function sentFor(kind: FieldKind, entry: FieldEntry): Json | undefined {
  if (entry === undefined) return undefined;
  return entry === null ? "null" : jsonOf(kind, entry);
}

/** The entry that is sent as this JSON; undefined when the field cannot show it without changing it. */
export function entryFor(field: Field, json: Json): FieldEntry {
  return json === "null" && mayBeNull(field) ? null : shownAs(field.kind, json);
}

/**
 * The content as JSON text, in the order of the form: one member for each field with an entry, and nothing else. Those
 * that {@link unreadable} names are absent.
 */
export function assemble(spec: FormSpec, value: FormValue): Json {
  const members: string[] = [];
  for (const field of spec.fields) {
    const json = sentFor(field.kind, value.get(field.name));
    if (json !== undefined) members.push(`${JSON.stringify(field.name)}:${json}`);
  }
  return `{${members.join(",")}}`;
}

/** The fields whose text is no value of any kind yet, so that the desk cannot even be asked about them. */
export function unreadable(spec: FormSpec, value: FormValue): FieldError[] {
  return spec.fields.flatMap((field): FieldError[] => {
    const entry = value.get(field.name);
    if (entry === undefined || sentFor(field.kind, entry) !== undefined) return [];
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

/** As much of some content as a form shows, and why it cannot show the rest. */
export interface ShownContent {
  value: FormValue;
  lost: readonly Unshowable[];
}

/** Content as far as a form shows it. */
export function disassembled(spec: FormSpec, content: Json): ShownContent {
  const scanned = scan(content);
  const value = new Map<string, string | null>();
  if (!scanned.ok) return { value, lost: [{ why: "notJson" }] };
  if (scanned.value.kind !== "object") return { value, lost: [{ why: "notAnObject" }] };
  const fields = new Map(spec.fields.map((field) => [field.name, field]));
  const lost: Unshowable[] = [];
  const seen = new Set<string>();
  for (const [name, json] of scanned.value.members) {
    const field = fields.get(name);
    const entry = field && entryFor(field, json);
    if (seen.has(name)) lost.push({ why: "repeated", name });
    else if (!field) lost.push({ why: "unknown", name });
    else if (entry === undefined) lost.push({ why: "value", name });
    else value.set(name, entry);
    seen.add(name);
  }
  // Of what stands there twice nobody knows which one is meant.
  for (const part of lost) if ("name" in part) value.delete(part.name);
  return { value, lost };
}

/** Content as a form shows all of it, or the first reason why it cannot. */
export function disassemble(spec: FormSpec, content: Json): { value: FormValue } | { unshowable: Unshowable } {
  const { value, lost } = disassembled(spec, content);
  return lost[0] ? { unshowable: lost[0] } : { value };
}

function pointer(name: string): string {
  return `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
