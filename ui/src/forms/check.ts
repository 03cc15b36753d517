import type { FieldError, FormSpec, Json } from "../types";
import { contentOf, type FormDraft } from "./draft";

/** What a draft amounts to. */
export interface Checked {
  /** The content, to be sent as it is and only when nothing is wrong. */
  content: Json;
  errors: FieldError[];
}

/**
 * Checks a draft. The desk decides; only what is no value at all is found here, because it cannot be asked about.
 * Undefined when the desk could not be asked.
 */
export async function check(
  spec: FormSpec,
  draft: FormDraft,
  ask: (content: Json) => Promise<readonly FieldError[] | undefined>,
): Promise<Checked | undefined> {
  const own = contentOf(spec, draft);
  if (own.errors.some((error) => error.field === undefined)) return own;
  const asked = await ask(own.content);
  if (!asked) return undefined;
  const known = new Set(own.errors.map((error) => error.field));
  const errors = [...own.errors, ...asked.filter((error) => error.field === undefined || !known.has(error.field))];
  const place = (error: FieldError) => {
    const index = spec.fields.findIndex((field) => field.name === error.field);
    return index < 0 ? spec.fields.length : index;
  };
  return { content: own.content, errors: errors.sort((a, b) => place(a) - place(b)) };
}

/** The errors that may still hold after a change: those of fields that were not touched. */
export function stillWrong(errors: readonly FieldError[], before: FormDraft, after: FormDraft): readonly FieldError[] {
  if (errors.length === 0) return errors;
  if (before.tab !== after.tab || after.tab === "json") return before.json === after.json && before.tab === after.tab ? errors : [];
  const left = errors.filter(({ field }) => field !== undefined && before.value.get(field) === after.value.get(field));
  return left.length === errors.length ? errors : left;
}
