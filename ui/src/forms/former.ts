import type { FieldKind, FormSpec, Json } from "../types";
import { newDraft, type FormDraft } from "./draft";
import { scan } from "./json";
import { printOf } from "./print";
import { isSecret } from "./secrets";
import { entryFor, initialValue, sentFor, withField, type FieldEntry } from "./value";

/** What was filled in for one field of a form that has others now. */
export interface FormerPart {
  /** The field's name; undefined for text that has no parts. */
  readonly name: string | undefined;
  /** It as it was typed. */
  readonly text: string;
  /** It as JSON, where it was a value. */
  readonly json: Json | undefined;
}

/** A draft of a form that has other fields now. It is never sent, and goes only when the person says so. */
export type Former = readonly FormerPart[];

/** So many parts are kept of forms that changed again and again: the last ones. */
const MOST = 64;

/** What is needed of a field that there was. */
export interface Was {
  kind: FieldKind;
  /** Whether it stood as the form had opened with it: nobody typed that. */
  untouched: boolean;
  secret?: boolean;
}

/** The parts of what was filled in, by the fields that there were. Secrets were meant for those alone, and go with them. */
export function partsOf({ tab, value, json }: Pick<FormDraft, "tab" | "value" | "json">, was: ReadonlyMap<string, Was>): Former {
  if (tab === "form") {
    const typed = [...value].filter(([name]) => !was.get(name)?.untouched && !was.get(name)?.secret);
    return typed.map(([name, entry]) => partOf(name, entry, was.get(name)?.kind));
  }
  const scanned = scan(json);
  if (scanned.ok && scanned.value.kind === "object") {
    return scanned.value.members.filter(([name]) => !was.get(name)?.secret).map(([name, json]) => ({ name, text: json, json }));
  }
  if ([...was.values()].some(({ secret }) => secret)) return [];
  return json.trim() === "" ? [] : [{ name: undefined, text: json, json: scanned.ok ? json : undefined }];
}

function partOf(name: string, entry: string | null, kind: FieldKind | undefined): FormerPart {
  return { name, text: entry ?? "null", json: kind && sentFor(kind, entry) };
}

/**
 * A draft for the form as it is now. What was filled in for other fields stands beside it: the same name may mean something
 * else, so nothing of it is taken over unasked.
 */
export function fitted(spec: FormSpec, draft: FormDraft): FormDraft {
  if (draft.of === spec.fields || printOf(draft.of) === printOf(spec.fields)) return draft;
  return beside(spec, [...partsOf(draft, wasOf(draft)), ...(draft.former ?? [])]);
}

/** The fields that a draft was filled in for, as it left them. */
export function wasOf({ of, value }: Pick<FormDraft, "of" | "value">): ReadonlyMap<string, Was> {
  const opened = initialValue({ fields: [...of], notes: [] });
  const untouched = (name: string) => opened.has(name) && opened.get(name) === value.get(name);
  return new Map(of.map((field) => [field.name, { kind: field.kind, untouched: untouched(field.name), secret: isSecret(field) }]));
}

/** The form as it opens, with a former draft beside it. */
export function beside(spec: FormSpec, former: Former): FormDraft {
  return former.length === 0 ? newDraft(spec) : { ...newDraft(spec), former: former.slice(0, MOST) };
}

/** What a field would hold if it took over this part; undefined where the form has no such field, or it is of another type. */
export function entryOf(spec: FormSpec, { name, json }: FormerPart): FieldEntry {
  const field = spec.fields.find((other) => other.name === name);
  return field && json !== undefined ? entryFor(field, json) : undefined;
}

/** Takes a part over into its field. */
export function takeOver(spec: FormSpec, draft: FormDraft, part: FormerPart): FormDraft {
  const entry = entryOf(spec, part);
  if (entry === undefined || part.name === undefined) return draft;
  return { ...without(draft, part), value: withField(draft.value, part.name, entry) };
}

/** Drops a part; undefined drops all of them. */
export function without({ former, ...draft }: FormDraft, part?: FormerPart): FormDraft {
  const left = part === undefined ? [] : (former ?? []).filter((other) => other !== part);
  return left.length === 0 ? draft : { ...draft, former: left };
}
