import { describe, expect, it } from "vitest";

import { anyForm, Dice, fault, textsOf } from "../test/anyForm";
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

describe("for any form and whatever is filled in", () => {
  it("what is accepted is sent as it is shown, and fits; of what is not, nothing is sent", async () => {
    let accepted = 0;
    for (let seed = 0; seed < SEEDS; seed++) {
      const dice = new Dice(seed);
      const spec = anyForm(dice);
      const draft = filled(dice, spec);
      const asked: string[] = [];
      const checked = await check(spec, draft, (content) => {
        asked.push(content);
        return Promise.resolve(oracle(spec, content));
      });
      // A form sends this and nothing else, and only when nothing is wrong.
      const sent = checked?.errors.length === 0 ? checked.content : undefined;
      const why = `seed ${String(seed)}: ${JSON.stringify(spec.fields)} with ${JSON.stringify([...draft.value])}`;
      if (faults(spec, draft.value).length > 0) {
        expect(sent, why).toBeUndefined();
        expect(checked?.errors.map(({ field }) => field).sort(), why).toEqual(faults(spec, draft.value).sort());
        continue;
      }
      accepted += 1;
      expect(sent, why).toBe(shown(spec, draft.value));
      expect(oracle(spec, sent ?? ""), why).toEqual([]);
      expect(asked, "what the desk said yes to is what is sent").toEqual([sent]);
    }
    expect(accepted, "both happen often").toBeGreaterThan(SEEDS / 5);
    expect(accepted).toBeLessThan((4 * SEEDS) / 5);
  });
});
