import { describe, expect, it } from "vitest";

import type { Field, FieldKind, FormSpec } from "../types";
import { contentOf, newDraft, type FormDraft } from "./draft";

const number: FieldKind = { type: "number", exclusiveMinimum: false, exclusiveMaximum: false };

function form(kind: FieldKind, more: Partial<Field> = {}): FormSpec {
  return { fields: [{ name: "n", label: "N", required: false, nullable: false, kind, ...more }], notes: [] };
}

function typed(spec: FormSpec, text: string): FormDraft {
  return { ...newDraft(spec), value: new Map([["n", text]]) };
}

// Each of these is a bug of another client, and must not be one of ours.
describe("a bug of other clients", () => {
  it("number field sent as {}", () => {
    const spec = form(number);
    expect(contentOf(spec, typed(spec, "5")).content).toBe('{"n":5}');
    expect(contentOf(spec, typed(spec, "5,")).errors, "what is no number is said to be none").toHaveLength(1);
  });

  it("optional boolean sent untouched", () => {
    const spec = form({ type: "boolean" });
    expect(contentOf(spec, newDraft(spec))).toEqual({ content: "{}", errors: [] });
  });

  it.each(["1e999", "-1e999", "12345678901234567890", "0.10"])("%s sent as null, or as another number", (text) => {
    const spec = form(number);
    expect(contentOf(spec, typed(spec, text)).content).toBe(`{"n":${text}}`);
    expect(contentOf(spec, { ...newDraft(spec), tab: "json", json: `{"n":${text}}` }).content).toBe(`{"n":${text}}`);
    const given = form(number, { default: text });
    expect(contentOf(given, newDraft(given)).content, "also as a default").toBe(`{"n":${text}}`);
  });
});
