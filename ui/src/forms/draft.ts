import { compact, pretty } from "../format/json";
import { t } from "../strings";
import type { FieldError, FormSpec, Json } from "../types";
import { scan } from "./json";
import { assemble, disassemble, initialValue, jsonOf, shownAs, unreadable, type FormValue, type Unshowable } from "./value";

/** A form being filled in, as fields or as JSON text. */
export interface FormDraft {
  /** Which of the two is edited, and counts. */
  readonly tab: "form" | "json";
  readonly value: FormValue;
  readonly json: string;
}

/** Whether a schema has fields to show; else only the JSON text can be edited. */
export function hasFields(spec: FormSpec): boolean {
  return spec.fallback === undefined;
}

/** A form as it opens. */
export function newDraft(spec: FormSpec): FormDraft {
  const value = initialValue(spec);
  return { tab: hasFields(spec) ? "form" : "json", value, json: pretty(assemble(spec, value)) };
}

/** A form that shows content that was once entered: as fields where they can show all of it. */
export function draftOf(spec: FormSpec, content: Json): FormDraft {
  const shown = hasFields(spec) ? disassemble(spec, content) : undefined;
  return shown && "value" in shown
    ? { tab: "form", value: shown.value, json: pretty(content) }
    : { tab: "json", value: initialValue(spec), json: pretty(content) };
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
 * Where something is no value yet, the texts stand as they were typed.
 */
export function typedIn(spec: FormSpec, draft: FormDraft, opened: FormDraft): Json | undefined {
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
  if ("unshowable" in shown) return shown.unshowable;
  const value = new Map(shown.value);
  // What was typed and is no value could not go into the text. It comes back where the text says nothing else.
  for (const field of spec.fields) {
    const before = draft.value.get(field.name);
    if (before !== undefined && !value.has(field.name) && jsonOf(field.kind, before) === undefined) value.set(field.name, before);
  }
  return { ...draft, tab: "form", value };
}

/** Tells a draft of ours from an answer that was taken back: both are kept in the same place. Those of earlier versions have none. */
const MARK = "signalbox-form/1";

interface Kept {
  tab: FormDraft["tab"];
  fields: [name: string, text: string][];
  json: string;
}

/** A draft for keeping. */
export function serialiseDraft({ tab, value, json }: FormDraft): Json {
  const kept: Kept = { tab, fields: [...value], json };
  return JSON.stringify({ v: MARK, ...kept });
}

/** Whether it is a draft of ours: exactly its members, each of its type. */
function isKept(kept: object): kept is Kept {
  const { v = MARK, tab, fields, json, ...more } = kept as Record<string, unknown>;
  if (v !== MARK || Object.keys(more).length > 0) return false;
  if ((tab !== "form" && tab !== "json") || typeof json !== "string" || !Array.isArray(fields)) return false;
  return fields.every((entry) => Array.isArray(entry) && entry.length === 2 && entry.every((part) => typeof part === "string"));
}

/** A kept draft, as far as it still fits the form; undefined when it is none. An answer that was taken back is its content. */
export function parseDraft(spec: FormSpec, json: Json): FormDraft | undefined {
  let kept: unknown;
  try {
    kept = JSON.parse(json);
  } catch {
    return undefined;
  }
  if (typeof kept !== "object" || kept === null || Array.isArray(kept)) return undefined;
  if (!isKept(kept)) return draftOf(spec, json);
  const value = new Map<string, string>();
  for (const [name, text] of kept.fields) {
    const kind = spec.fields.find((field) => field.name === name)?.kind;
    if (!kind) continue;
    const choice = kind.type === "boolean" || kind.type === "select" || kind.type === "multiSelect";
    if (!choice || shownAs(kind, text) !== undefined) value.set(name, text);
  }
  return { tab: hasFields(spec) ? kept.tab : "json", value, json: kept.json };
}
