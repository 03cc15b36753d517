import type { Field, FieldKind, FormSpec, Json } from "../types";
import { draftOf, hasFields, type FormDraft } from "./draft";
import { beside, partsOf, wasOf, type Former, type FormerPart, type Was } from "./former";
import { scan } from "./json";
import { shownAs } from "./kinds";
import { printOf } from "./print";
import { isSecret, secretsIn, withoutAt } from "./secrets";
import { mayBeNull, type FieldEntry } from "./value";

/** Tells a draft of ours from an answer that was taken back: both are kept in the same place. */
const MARK = "signalbox-form/2";
/** The version without null, and without a word on the form that it was for. The very first ones had no mark at all. */
const FIRST = "signalbox-form/1";

type Typed = [name: string, entry: string | null][];

interface First {
  tab: FormDraft["tab"];
  fields: Typed;
  json: string;
}

interface Kept extends First {
  /** The kinds of these fields, in their order; null for one that stands as the form had opened with it. */
  kinds: (string | null)[];
  /** The print of the form. */
  of: string;
  former?: [name: string | null, text: string, json: Json | null][];
}

/** A draft for keeping: without secrets, which have to be typed again. */
export function serialiseDraft(draft: FormDraft): Json {
  const { tab, value, json, of, former } = withoutSecrets(draft);
  const was = wasOf({ of, value });
  const kept: Kept = {
    tab,
    fields: [...value],
    kinds: [...value.keys()].map((name) => kindOf(was.get(name))),
    json,
    of: printOf(of),
    ...(former && { former: former.map(({ name, text, json }) => [name ?? null, text, json ?? null]) }),
  };
  return JSON.stringify({ v: MARK, ...kept });
}

/** The same without what must not be shown or kept. */
export function withoutSecrets(draft: FormDraft): FormDraft {
  const secrets = new Set(draft.of.filter(isSecret).map(({ name }) => name));
  if (secrets.size === 0) return draft;
  const value = new Map([...draft.value].filter(([name]) => !secrets.has(name)));
  // Of text that is no JSON yet nobody can tell where in it the secret is.
  const json = draft.tab === "json" && scan(draft.json).ok ? withoutAt(draft.json, secretsIn({ fields: draft.of }, draft.json)) : "{}";
  return { ...draft, value, json };
}

function kindOf(was: Was | undefined): string | null {
  if (!was) return "json";
  return was.untouched ? null : was.kind.type;
}

/** A kept draft, for the form as it is now; undefined when it is none. An answer that was taken back is its content. */
export function parseDraft(spec: FormSpec, json: Json): FormDraft | undefined {
  let kept: unknown;
  try {
    kept = JSON.parse(json);
  } catch {
    return undefined;
  }
  if (typeof kept !== "object" || kept === null || Array.isArray(kept)) return undefined;
  const { v, ...members } = kept as Record<string, unknown>;
  if (v === MARK && isKept(members)) return read(spec, members);
  if ((v === undefined || v === FIRST) && isFirst(members)) return readFirst(spec, members);
  return draftOf(spec, json);
}

function read(spec: FormSpec, { tab, fields, kinds, json, of, former = [] }: Kept): FormDraft {
  const before = former.map(([name, text, json]): FormerPart => ({ name: name ?? undefined, text, json: json ?? undefined }));
  const value = new Map(fields);
  if (of !== printOf(spec.fields)) {
    const was = fields.map(([name], index): [string, Was] => [name, { kind: bare(kinds[index]), untouched: kinds[index] === null }]);
    return beside(spec, [...partsOf({ tab, value, json }, new Map(was)), ...before]);
  }
  const draft: FormDraft = { tab: hasFields(spec) ? tab : "json", value, json, of: spec.fields };
  return before.length === 0 ? draft : { ...draft, former: before };
}

/** What is not in the form any more stands beside it. */
function readFirst(spec: FormSpec, { tab, fields, json }: First): FormDraft {
  const value = new Map<string, string | null>();
  const lost: FormerPart[] = [];
  for (const [name, text] of fields) {
    const kind = spec.fields.find((field) => field.name === name)?.kind;
    const choice = kind?.type === "boolean" || kind?.type === "select" || kind?.type === "multiSelect";
    if (kind && text !== null && (!choice || shownAs(kind, text) !== undefined)) value.set(name, text);
    else lost.push({ name, text: text ?? "", json: undefined });
  }
  for (const field of spec.fields) {
    const meant = meantByNothing(field);
    if (meant !== undefined && !value.has(field.name)) value.set(field.name, meant);
  }
  const draft: FormDraft = { tab: hasFields(spec) ? tab : "json", value, json, of: spec.fields };
  return lost.length === 0 ? draft : { ...draft, former: lost satisfies Former };
}

/** What the first version of our drafts meant by a field that it left out: there a required one went out all the same. */
function meantByNothing(field: Field): FieldEntry {
  if (!field.required) return undefined;
  if (mayBeNull(field)) return null;
  return field.kind.type === "multiSelect" ? "[]" : undefined;
}

/** A kind of which only the type is known: enough to read what was typed. */
function bare(type: string | null | undefined): FieldKind {
  switch (type) {
    case "text":
      return { type, multiline: false };
    case "integer":
    case "boolean":
      return { type };
    case "number":
      return { type, exclusiveMinimum: false, exclusiveMaximum: false };
    case "select":
    case "multiSelect":
      return { type, options: [] };
    default:
      return { type: "json", why: "untyped" };
  }
}

/** Whether it has exactly the members of the first version, each of its type. */
function isFirst(kept: object): kept is First {
  const { tab, fields, json, ...more } = kept as Record<string, unknown>;
  return Object.keys(more).length === 0 && isTab(tab) && typeof json === "string" && isListOf(fields, [isText, isText]);
}

function isKept(kept: object): kept is Kept {
  const { kinds, of, former = [], fields, ...first } = kept as Record<string, unknown>;
  if (!isFirst({ ...first, fields: [] }) || typeof of !== "string" || !Array.isArray(kinds)) return false;
  if (!isListOf(fields, [isText, isTextOrNull]) || kinds.length !== fields.length || !kinds.every(isTextOrNull)) return false;
  return isListOf(former, [isTextOrNull, isText, isTextOrNull]);
}

function isListOf(list: unknown, parts: readonly ((part: unknown) => boolean)[]): list is unknown[][] {
  const fits = (entry: unknown) => Array.isArray(entry) && entry.length === parts.length && parts.every((is, at) => is(entry[at]));
  return Array.isArray(list) && list.every(fits);
}

function isTab(tab: unknown): boolean {
  return tab === "form" || tab === "json";
}

function isText(part: unknown): part is string {
  return typeof part === "string";
}

function isTextOrNull(part: unknown): boolean {
  return part === null || isText(part);
}
