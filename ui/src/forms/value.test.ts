import { describe, expect, it } from "vitest";

import type { Field, FieldKind, FormSpec } from "../types";
import { assemble, disassemble, emptyOf, initialValue, unreadable, withField } from "./value";

const text: FieldKind = { type: "text", multiline: false };
const integer: FieldKind = { type: "integer" };
const number: FieldKind = { type: "number", exclusiveMinimum: false, exclusiveMaximum: false };
const boolean: FieldKind = { type: "boolean" };
const json: FieldKind = { type: "json", why: "nested" };
const options = [
  { value: '"eu"', label: "Europe" },
  { value: '"us"', label: "America" },
  { value: "1.0", label: "One" },
];
const select: FieldKind = { type: "select", options };
const multi: FieldKind = { type: "multiSelect", options };

function field(name: string, kind: FieldKind, more: Partial<Field> = {}): Field {
  return { name, label: name, required: false, nullable: false, kind, ...more };
}

function spec(...fields: Field[]): FormSpec {
  return { fields, notes: [] };
}

describe("assemble", () => {
  it.each<[string, FieldKind, string, string]>([
    ["a text is quoted", text, 'say "hi"\n\u2028', '"say \\"hi\\"\\n\u2028"'],
    ["a text of digits stays a text", text, "42", '"42"'],
    ["an integer beyond a double keeps every digit", integer, "9007199254740993", "9007199254740993"],
    ["an integer beyond 64 bits, too", integer, "123456789012345678901234567890", "123456789012345678901234567890"],
    ["a number is kept as typed", number, "1.50", "1.50"],
    ["with its exponent", number, "-1E+5", "-1E+5"],
    ["spaces around a number are not part of it", number, " 7 ", "7"],
    ["yes", boolean, "true", "true"],
    ["a choice is its JSON value", select, '"eu"', '"eu"'],
    ["choices are a list of them", multi, '["eu",1.0]', '["eu",1.0]'],
    ["JSON goes in as it is", json, ' {"a":[1e400]} ', '{"a":[1e400]}'],
  ])("%s", (_, kind, held, expected) => {
    expect(assemble(spec(field("x", kind)), new Map([["x", held]]))).toBe(`{"x":${expected}}`);
  });

  it("keeps the order of the form, whatever was filled in first", () => {
    const form = spec(field("b", text), field("a", text));
    expect(assemble(form, new Map([["a", "1"], ["b", "2"]]))).toBe('{"b":"2","a":"1"}');
  });

  it("leaves out what was left empty", () => {
    expect(assemble(spec(field("a", text), field("b", boolean)), new Map())).toBe("{}");
  });

  it("says null or nothing chosen only where that is what the form shows", () => {
    const form = spec(field("a", text, { required: true, nullable: true }), field("b", multi, { required: true }), field("c", multi));
    expect(assemble(form, new Map()), "what is required is not made up").toBe("{}");
    expect(assemble(form, new Map([["a", null], ["b", "[]"]]))).toBe('{"a":null,"b":[]}');
  });

  it("tells nothing, an empty text and null apart", () => {
    const form = spec(field("a", text, { nullable: true }));
    const sent = (entry: string | null | undefined) => assemble(form, withField(new Map(), "a", entry));
    expect([undefined, "", null].map(sent)).toEqual(["{}", '{"a":""}', '{"a":null}']);
    for (const content of ["{}", '{"a":""}', '{"a":null}']) {
      const shown = disassemble(form, content);
      expect("value" in shown && assemble(form, shown.value), "and the fields show it again").toBe(content);
    }
  });

  it.each(["__proto__", "constructor", 'quo"te', "", "a/b~c", "\ud800", "snow ☃"])("survives the name %j", (name) => {
    const form = spec(field(name, text));
    expect(initialValue(form).size, "an odd name has no default").toBe(0);
    const content = assemble(form, new Map([[name, "v"]]));
    expect(Object.entries(JSON.parse(content) as object)).toEqual([[name, "v"]]);
    expect(disassemble(form, content)).toEqual({ value: new Map([[name, "v"]]) });
  });
});

describe("unreadable", () => {
  it.each(["1,5", "+1", ".5", "1.", "0x10", "1 000", "NaN", "--1", "007", "١"])("does not take %j for a number", (typed) => {
    const form = spec(field("n", number));
    const value = new Map([["n", typed]]);
    expect(unreadable(form, value)).toMatchObject([{ field: "n", path: "/n", code: "type" }]);
    expect(assemble(form, value), "and never sends it").toBe("{}");
  });

  it("does not take unfinished JSON for a value", () => {
    expect(unreadable(spec(field("a/b", json)), new Map([["a/b", "{"]]))).toMatchObject([{ path: "/a~1b", code: "notJson" }]);
  });
});

describe("initialValue", () => {
  it("holds the defaults as their controls show them", () => {
    const form = spec(
      field("t", text, { default: '"hé\\u006c\\nlo"' }),
      field("i", integer, { default: "9007199254740993" }),
      field("b", boolean, { default: "false" }),
      field("s", select, { default: '"\\u0065u"' }),
      field("m", multi, { default: '["us", "eu"]' }),
      field("j", json, { default: '{"a": 1.0}' }),
    );
    expect([...initialValue(form)]).toEqual([
      ["t", "hél\nlo"],
      ["i", "9007199254740993"],
      ["b", "false"],
      ["s", '"eu"'],
      ["m", '["us","eu"]'],
      ["j", '{"a": 1.0}'],
    ]);
  });
});

describe("what is empty", () => {
  it("is a text or a list only where the schema says nothing against it", () => {
    expect(emptyOf(text)).toBe("");
    expect(emptyOf({ ...text, minLength: 1 })).toBeUndefined();
    expect(emptyOf({ ...text, format: "date" }), "no format holds for it").toBeUndefined();
    expect(emptyOf(multi)).toBe("[]");
    expect(emptyOf({ ...multi, minItems: 1 })).toBeUndefined();
    expect(emptyOf(number)).toBeUndefined();
  });

  it("is what a required list of ticks opens with, since that is what it shows", () => {
    expect([...initialValue(spec(field("m", multi, { required: true }), field("o", multi)))]).toEqual([["m", "[]"]]);
  });
});

describe("disassemble", () => {
  const form = spec(field("t", text), field("n", number), field("s", select), field("m", multi), field("b", boolean));

  it("shows content as fields without changing it", () => {
    const content = '{"t":"","n":1.0,"s":"us","m":["eu"],"b":false}';
    const shown = disassemble(form, content);
    expect("value" in shown && assemble(form, shown.value)).toBe(content);
  });

  it.each([
    ["text that is no JSON", "{", "notJson"],
    ["a list", "[]", "notAnObject"],
    ["a member twice", '{"t":"a","t":"b"}', "repeated"],
    ["a member without a field", '{"x":1}', "unknown"],
    ["a number in a text field", '{"t":1}', "value"],
    ["a carriage return, which a text control would change", '{"t":"a\\r\\nb"}', "value"],
    ["a text in a number field", '{"n":"1"}', "value"],
    ["an option that is none", '{"s":"asia"}', "value"],
    ["the same number spelled otherwise", '{"s":1}', "value"],
    ["a choice made twice", '{"m":["eu","eu"]}', "value"],
    ["null where nothing stands for it", '{"b":null}', "value"],
  ])("cannot show %s", (_, content, why) => {
    expect(disassemble(form, content)).toMatchObject({ unshowable: { why } });
  });
});
