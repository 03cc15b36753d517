import { describe, expect, it } from "vitest";

import type { Field, FieldKind, FormSpec } from "../types";
import { contentOf, draftOf, newDraft, toForm, toJson } from "./draft";

const kind: FieldKind = { type: "number", exclusiveMinimum: false, exclusiveMaximum: false };
const number: Field = { name: "n", label: "N", required: false, nullable: false, kind, default: "1.0" };
const agreed: Field = { ...number, name: "b", kind: { type: "boolean" } };
const spec: FormSpec = { fields: [number, agreed], notes: [] };
const bare: FormSpec = { ...spec, fields: [], fallback: { why: "freeForm" } };

describe("a draft", () => {
  it("opens with the defaults, and as JSON text where there are no fields", () => {
    expect(contentOf(spec, newDraft(spec))).toEqual({ content: '{"n":1.0}', errors: [] });
    expect(newDraft(bare)).toMatchObject({ tab: "json", json: "{}" });
  });

  it("goes to JSON and back, with what is no value yet", () => {
    const typed = { ...newDraft(spec), value: new Map([["n", "1,5"], ["b", "true"]]) };
    const asJson = toJson(spec, typed);
    expect(asJson.json).toBe('{\n  "b": true\n}');
    expect(toForm(spec, asJson)).toMatchObject({ tab: "form", value: typed.value });
  });

  it("takes over what was written into the JSON text", () => {
    const edited = { ...toJson(spec, newDraft(spec)), json: '{"b":false,"n":9007199254740993}' };
    const back = toForm(spec, edited);
    expect("tab" in back && contentOf(spec, back).content).toBe('{"n":9007199254740993,"b":false}');
  });

  it("stays JSON where fields would lose something", () => {
    expect(toForm(spec, { ...newDraft(spec), tab: "json", json: '{"other":1}' })).toEqual({ why: "unknown", name: "other" });
  });

  it("sends the JSON text as it was written", () => {
    expect(contentOf(spec, { ...newDraft(spec), tab: "json", json: ' {"n": 1e400 }\n' }).content).toBe('{"n": 1e400 }');
  });

  it("says where the JSON text is none", () => {
    expect(contentOf(spec, { ...newDraft(spec), tab: "json", json: "{" }).errors).toMatchObject([{ code: "notJson" }]);
  });

  it("shows an earlier answer as fields where they can show it, else as JSON", () => {
    expect(draftOf(spec, '{"b":true}')).toMatchObject({ tab: "form", value: new Map([["b", "true"]]) });
    expect(draftOf(spec, '{"b":"maybe"}')).toMatchObject({ tab: "json", json: '{\n  "b": "maybe"\n}' });
  });
});
