import { compact, pretty } from "../format/json";
import { t } from "../strings";
import type { Field, FieldError, FormSpec, Json } from "../types";
import type { Former } from "./former";
import { scan } from "./json";
import { assemble, disassemble, disassembled, initialValue, sentFor, unreadable, type FormValue, type Unshowable } from "./value";

/** A form being filled in, as fields or as JSON text. */
export interface FormDraft {
  /** Which of the two is edited, and counts. */
  readonly tab: "form" | "json";
  readonly value: FormValue;
  readonly json: string;
  /** The fields that it was filled in for. */
  readonly of: readonly Field[];
  /** What was filled in before they were other ones; undefined where nothing is left of it. */
  readonly former?: Former;
}

/** Whether a schema has fields to show; else only the JSON text can be edited. */
export function hasFields(spec: FormSpec): boolean {
  return spec.fallback === undefined;
}

/** A form as it opens. */
export function newDraft(spec: FormSpec): FormDraft {
  const value = initialValue(spec);
  return { tab: hasFields(spec) ? "form" : "json", value, json: pretty(assemble(spec, value)), of: spec.fields };
}

/** A form that shows content that was once entered: as fields where they can show all of it. */
export function draftOf(spec: FormSpec, content: Json): FormDraft {
  const shown = hasFields(spec) ? disassemble(spec, content) : undefined;
  return shown && "value" in shown
    ? { tab: "form", value: shown.value, json: pretty(content), of: spec.fields }
    : { tab: "json", value: initialValue(spec), json: pretty(content), of: spec.fields };
}

/** The content as JSON text, and what is wrong with it that the desk cannot be asked about. */
export function contentOf(spec: FormSpec, draft: FormDraft): { content: Json; errors: FieldError[] } {
  if (draft.tab === "form") return { content: assemble(spec, draft.value), errors: unreadable(spec, draft.value) };
  const scanned = scan(draft.json);
  if (scanned.ok) return { content: draft.json.trim(), errors: [] };
  const { line, column } = scanned.fault;
  return { content: "{}", errors: [{ path: "", code: "notJson", message: t.forms.notJsonAt(line, column) }] };
}

/**
 * What a person has put in, as JSON text: without what the form opened with, which nobody typed. Undefined when that is nothing.
 * Where something is no value yet, the texts stand as they were typed; where nothing was typed, what was into an earlier form.
 */
export function typedIn(spec: FormSpec, draft: FormDraft, opened: FormDraft): Json | undefined {
  const own = ownIn(spec, draft, opened);
  if (own !== undefined || !draft.former) return own;
  const [first] = draft.former;
  if (first?.name === undefined) return first?.text;
  return `{${draft.former.map(({ name, text, json }) => `${JSON.stringify(name ?? "")}:${json ?? JSON.stringify(text)}`).join(",")}}`;
}

function ownIn(spec: FormSpec, draft: FormDraft, opened: FormDraft): Json | undefined {
  if (draft.tab === "json") {
    const typed = membersOf(draft.json);
    if (!typed) return draft.json.trim() === "" ? undefined : draft.json;
    const before = new Map(membersOf(contentOf(spec, opened).content));
    const own = typed.filter(([name, json]) => compact(json) !== compact(before.get(name) ?? ""));
    return own.length === 0 ? undefined : `{${own.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(",")}}`;
  }
  const own = new Map([...draft.value].filter(([name, text]) => opened.value.get(name) !== text));
  if (own.size === 0) return undefined;
  if (unreadable(spec, own).length > 0) return JSON.stringify(Object.fromEntries(own));
  return assemble({ ...spec, fields: spec.fields.filter((field) => own.has(field.name)) }, own);
}

function membersOf(json: Json): readonly (readonly [name: string, json: Json])[] | undefined {
  const scanned = scan(json);
  return scanned.ok && scanned.value.kind === "object" ? scanned.value.members : undefined;
}

/** Goes on as JSON text. The fields are kept beside it, also what is no value yet. */
export function toJson(spec: FormSpec, draft: FormDraft): FormDraft {
  return { ...draft, tab: "json", json: pretty(assemble(spec, draft.value)) };
}

/** Goes on as fields, or says why the text cannot be shown as fields without losing something. */
export function toForm(spec: FormSpec, draft: FormDraft): FormDraft | Unshowable {
  const shown = disassemble(spec, draft.json);
  return "unshowable" in shown ? shown.unshowable : asFields(spec, draft, shown.value);
}

/** Goes on as fields with as much as they can show. Where the text has no members, they are as they were before it. */
export function toFormWithout(spec: FormSpec, draft: FormDraft): FormDraft {
  const { value, lost } = disassembled(spec, draft.json);
  return lost.some((part) => !("name" in part)) ? { ...draft, tab: "form" } : asFields(spec, draft, value);
}

/** The labels of the fields whose text is no value yet, so that it cannot stand in the JSON text. */
export function notInJson(spec: FormSpec, draft: FormDraft): string[] {
  const members = new Set(membersOf(draft.json)?.map(([name]) => name));
  const halves = new Set(unreadable(spec, draft.value).map(({ field }) => field));
  return spec.fields.filter(({ name }) => halves.has(name) && !members.has(name)).map(({ label }) => label);
}

function asFields(spec: FormSpec, draft: FormDraft, shown: FormValue): FormDraft {
  const value = new Map(shown);
  // What was typed and is no value could not go into the text. It comes back where the text says nothing else.
  for (const field of spec.fields) {
    const before = draft.value.get(field.name);
    if (before !== undefined && !value.has(field.name) && sentFor(field.kind, before) === undefined) value.set(field.name, before);
  }
  return { ...draft, tab: "form", value };
}
