import { describe, expect, it } from "vitest";

import { anyForm, Dice, fault, textsOf, type Known } from "../test/anyForm";
import { oracle } from "../test/oracle";
import type { FormSpec } from "../types";
import { check } from "./check";
import { newDraft, toForm, toJson, type FormDraft } from "./draft";
import { parseDraft, serialiseDraft } from "./kept";
import { emptyOf, mayBeNull, withField, type FieldEntry, type FormValue } from "./value";

const SEEDS = 1_500;

/** A form as somebody may leave it, by what its controls and buttons can do. */
function filled(dice: Dice, spec: FormSpec): FormDraft {
  let draft = newDraft(spec);
  for (let acts = dice.below(8); acts > 0; acts--) {
    const field = dice.of(spec.fields);
    const { kind } = field;
    const texts = textsOf(kind).filter((text) => text !== "" || emptyOf(kind) === "");
    const entries: FieldEntry[] = [dice.of(texts), dice.of(texts)];
    if (mayBeNull(field)) entries.push(null);
    if (!field.required || kind.type === "text") entries.push(undefined);
    draft = { ...draft, value: withField(draft.value, field.name, dice.of(entries)) };
    if (dice.once(6)) draft = thereAndBack(spec, draft);
    if (dice.once(6)) draft = parseDraft(spec, serialiseDraft(draft)) ?? draft;
  }
  return draft;
}

function thereAndBack(spec: FormSpec, draft: FormDraft): FormDraft {
  const back = toForm(spec, toJson(spec, draft));
  if ("why" in back) throw new Error(`what came from the fields goes back to them: ${back.why}`);
  return back;
}

/** The same as JSON text, or whatever else somebody may put there. */
function asText(dice: Dice, { form, contents }: Known, draft: FormDraft): FormDraft {
  const text = toJson(form, draft);
  return dice.once(2) ? { ...text, json: ` ${dice.of(contents)[0]}\n` } : text;
}

/** What the fields show, as it would be written down by hand. */
function shown(spec: FormSpec, value: FormValue): string {
  const members = spec.fields.flatMap(({ name, kind }) => {
    const entry = value.get(name);
    if (entry === undefined) return [];
    return [`${JSON.stringify(name)}:${entry === null ? "null" : kind.type === "text" ? JSON.stringify(entry) : entry.trim()}`];
  });
  return `{${members.join(",")}}`;
}

/** The fields that make it no answer. */
function faults(spec: FormSpec, value: FormValue): string[] {
  const wrong = spec.fields.filter(({ name, kind, required, nullable }) => {
    const entry = value.get(name);
    if (entry === undefined) return required;
    if (entry === null) return !nullable;
    return fault(kind, entry) !== undefined;
  });
  return wrong.map(({ name }) => name);
}

/** Whether something in it would be changed on its way. */
function isLost(spec: FormSpec, value: FormValue): boolean {
  return spec.fields.some(({ name, kind }) => {
    const entry = value.get(name);
    const why = entry === undefined || entry === null ? undefined : fault(kind, entry);
    return why === "notExact" || (why === "notJson" && entry?.includes("1e999") === true);
  });
}

/** Has a draft checked; what is sent of it, what is said, and what the desk was asked about. */
async function sentOf(spec: FormSpec, draft: FormDraft) {
  const asked: string[] = [];
  const checked = await check(spec, draft, (content) => {
    asked.push(content);
    return Promise.resolve(oracle(spec, content));
  });
  // A form sends this and nothing else, and only when nothing is wrong.
  return { sent: checked?.errors.length === 0 ? checked.content : undefined, errors: checked?.errors ?? [], asked };
}

describe("for any form and whatever is filled in", () => {
  it("what is accepted is sent as it is shown, and fits; of what is not, nothing is sent", async () => {
    let accepted = 0;
    let fields = 0;
    for (let seed = 0; seed < SEEDS; seed++) {
      const dice = new Dice(seed);
      const known = anyForm(dice);
      const spec = known.form;
      const draft = filled(dice, spec);
      if (dice.once(3)) continue;
      fields += 1;
      const { sent, errors, asked } = await sentOf(spec, draft);
      const why = `seed ${String(seed)}: ${JSON.stringify(spec.fields)} with ${JSON.stringify([...draft.value])}`;
      const wrong = faults(spec, draft.value);
      if (wrong.length > 0) {
        expect(sent, why).toBeUndefined();
        const said = errors.map(({ field }) => field);
        // Of what cannot be read on its way, nothing else is said before that is mended.
        if (isLost(spec, draft.value)) expect(wrong, why).toEqual(expect.arrayContaining(said));
        else expect(said.sort(), why).toEqual(wrong.sort());
        expect(said, why).not.toEqual([]);
        continue;
      }
      accepted += 1;
      expect(sent, why).toBe(shown(spec, draft.value));
      expect(oracle(spec, sent ?? ""), why).toEqual([]);
      expect(asked, "what the desk said yes to is what is sent").toEqual([sent]);
    }
    expect(accepted, "both happen often").toBeGreaterThan(fields / 5);
    expect(accepted).toBeLessThan((4 * fields) / 5);
  });

  it("JSON text is sent as it stands where the desk says that it fits, and else not at all", async () => {
    let accepted = 0;
    let texts = 0;
    for (let seed = 0; seed < SEEDS; seed++) {
      const dice = new Dice(seed);
      const known = anyForm(dice);
      const before = filled(dice, known.form);
      if (!dice.once(3)) continue;
      texts += 1;
      const draft = asText(dice, known, before);
      const { sent, errors, asked } = await sentOf(known.form, draft);
      const text = draft.json.trim();
      const why = `seed ${String(seed)}: ${known.schema} with ${text}`;
      expect(asked, why).toEqual([text]);
      // Of some the desk's own verdict is known.
      const misfits = known.contents.find(([content]) => content === text)?.[1] ?? oracle(known.form, text).map(({ path }) => path);
      expect(errors.map(({ path }) => path).sort(), why).toEqual([...misfits].sort());
      expect(sent, why).toBe(misfits.length === 0 ? text : undefined);
      accepted += misfits.length === 0 ? 1 : 0;
    }
    expect(accepted, "both happen often").toBeGreaterThan(texts / 5);
    expect(accepted).toBeLessThan((4 * texts) / 5);
  });
});
