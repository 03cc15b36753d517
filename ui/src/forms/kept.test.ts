import { describe, expect, it } from "vitest";

import type { Field, FieldKind, FormSpec } from "../types";
import { contentOf, draftOf, newDraft } from "./draft";
import { fitted, takeOver, without } from "./former";
import { parseDraft, serialiseDraft } from "./kept";

const kind: FieldKind = { type: "number", exclusiveMinimum: false, exclusiveMaximum: false };
const number: Field = { name: "n", label: "N", required: false, nullable: false, kind, default: "1.0" };
const agreed: Field = { ...number, name: "b", kind: { type: "boolean" } };
const spec: FormSpec = { fields: [number, agreed], notes: [] };

describe("a draft", () => {
  it("can be kept and read again", () => {
    const draft = { ...newDraft(spec), value: new Map([["n", "1,"], ["b", "false"]]) };
    expect(parseDraft(spec, serialiseDraft(draft))).toEqual(draft);
  });

  it.each(["null", "[]", "nonsense", '"x"'])("is not read out of %s", (kept) => {
    expect(parseDraft(spec, kept)).toBeUndefined();
  });

  it.each([
    '{"b":true}',
    '{"fields":3}',
    '{"fields":[["b","true"]]}',
    '{"tab":"form","fields":["b"],"json":"{}"}',
    '{"tab":"form","fields":[["b","true"]],"json":{}}',
    '{"tab":"other","fields":[],"json":"{}"}',
    '{"tab":"form","fields":[],"json":"{}","more":1}',
  ])("is read out of an answer that was taken back: %s", (answer) => {
    expect(parseDraft(spec, answer)).toEqual(draftOf(spec, answer));
  });

  it("shows an answer with a property called fields in its field", () => {
    const fields: Field = { ...agreed, name: "fields" };
    expect(parseDraft({ ...spec, fields: [fields] }, '{"fields":true}')).toMatchObject({ tab: "form", value: new Map([["fields", "true"]]) });
  });

  it("is marked as ours, and was not in earlier versions", () => {
    const { v, tab, fields, json } = JSON.parse(serialiseDraft(newDraft(spec))) as Record<string, unknown>;
    expect(v).toBe("signalbox-form/2");
    expect(parseDraft(spec, JSON.stringify({ tab, fields, json }))).toEqual(newDraft(spec));
  });

  it("is read as the first version kept it", () => {
    // As it stood in a database.
    const kept = '{"v":"signalbox-form/1","tab":"form","fields":[["n","0.10"],["b","false"]],"json":"{\\n  \\"n\\": 1.0\\n}"}';
    const read = parseDraft(spec, kept);
    expect(read).toEqual({ ...newDraft(spec), value: new Map([["n", "0.10"], ["b", "false"]]) });
    expect(read && contentOf(spec, read).content).toBe('{"n":0.10,"b":false}');
  });

  it("sends what the first version would have sent for what it left out", () => {
    const maybe: Field = { name: "t", label: "T", required: true, nullable: true, kind: { type: "text", multiline: false } };
    const ticks: Field = { ...maybe, name: "m", nullable: false, kind: { type: "multiSelect", options: [] } };
    const read = parseDraft({ ...spec, fields: [maybe, ticks] }, '{"v":"signalbox-form/1","tab":"form","fields":[],"json":"{}"}');
    expect(read?.value).toEqual(new Map([["t", null], ["m", "[]"]]));
  });

  it("keeps nothing, an empty text and null apart", () => {
    const text: Field = { name: "t", label: "T", required: false, nullable: true, kind: { type: "text", multiline: false } };
    const form = { ...spec, fields: [text] };
    for (const value of [new Map(), new Map([["t", ""]]), new Map([["t", null]])]) {
      expect(parseDraft(form, serialiseDraft({ ...newDraft(form), value }))?.value).toEqual(value);
    }
  });

  it("takes nothing into the form that the form does not have", () => {
    const kept = JSON.stringify({ tab: "form", fields: [["gone", "1"], ["b", "maybe"], ["n", "2"]], json: "{}" });
    expect(parseDraft(spec, kept)?.value).toEqual(new Map([["n", "2"]]));
    expect(parseDraft(spec, kept)?.former?.map(({ name }) => name), "it stands beside the form").toEqual(["gone", "b"]);
  });
});

describe("the draft of a form that has changed", () => {
  const kept = serialiseDraft({ ...newDraft(spec), value: new Map([["n", "0.10"], ["b", "true"]]) });
  const text: Field = { ...agreed, kind: { type: "text", multiline: false } };
  const { default: initial, ...bare } = number;
  const other: FormSpec = { ...spec, fields: [{ ...bare, required: true }, text] };

  it("stands beside the new form, of which nothing is filled in", () => {
    const read = parseDraft(other, kept);
    expect(read?.value.size).toBe(0);
    expect(read?.former).toEqual([
      { name: "n", text: "0.10", json: "0.10" },
      { name: "b", text: "true", json: "true" },
    ]);
    expect(read && parseDraft(other, serialiseDraft(read)), "also after one more restart").toEqual(read);
  });

  it("has nothing in it that the form had opened with by itself", () => {
    const untouched = serialiseDraft({ ...newDraft(spec), value: new Map([["n", "1.0"], ["b", "false"]]) });
    expect(parseDraft(other, untouched)?.former?.map((part) => part.name)).toEqual(["b"]);
  });

  it("is bounded, however often the form changes", () => {
    let draft = newDraft(other);
    for (let n = 0; n < 200; n++) {
      const name = `f${String(n)}`;
      const form: FormSpec = { notes: [], fields: [{ ...text, name }] };
      draft = fitted(form, { ...draft, value: new Map([[name, "x"]]), of: [{ ...text, name, label: "Before" }] });
    }
    expect(draft.former).toHaveLength(64);
    expect(draft.former?.[0]?.name, "the last ones are kept").toBe("f199");
  });

  it("does so where only the words are others, which may mean something else", () => {
    expect(parseDraft({ ...spec, fields: [number, { ...agreed, label: "Delete all?" }] }, kept)?.former).toHaveLength(2);
    expect(parseDraft({ ...spec, fields: [agreed, number] }, kept)?.former, "their order means nothing").toBeUndefined();
  });

  it("gives a part to a field of its name and type, and to no other", () => {
    const read = parseDraft(other, kept) ?? newDraft(other);
    const [n, b] = read.former ?? [];
    if (!n || !b) throw new Error("two parts were filled in");
    const taken = takeOver(other, read, n);
    expect(contentOf(other, taken).content).toBe('{"n":0.10}');
    expect(taken.former).toEqual([b]);
    expect(takeOver(other, taken, b), "a yes is no text").toBe(taken);
    expect(without(taken).former).toBeUndefined();
  });

  it("is kept as text where it was JSON text", () => {
    const json = serialiseDraft({ ...newDraft(spec), tab: "json", json: '{"n":1e999,"x":12345678901234567890}' });
    expect(parseDraft(other, json)?.former?.map((part) => part.json)).toEqual(["1e999", "12345678901234567890"]);
    const broken = serialiseDraft({ ...newDraft(spec), tab: "json", json: '{"n":' });
    expect(parseDraft(other, broken)?.former).toEqual([{ name: undefined, text: '{"n":', json: undefined }]);
  });
});
