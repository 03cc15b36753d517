import { describe, expect, it } from "vitest";

import { argumentLine, titleOf } from "./words";

describe("titleOf", () => {
  it.each([
    ["Approve?", "Approve?", false],
    ["\n  Approve?  \n", "Approve?", false],
    ["Approve?\nIt replaces 42 instances.", "Approve?", true],
    ["", "The server asks without saying what", false],
    ["a\u202eb", "a⟨202E⟩b", false],
  ])("%j", (message, title, more) => {
    expect(titleOf(message)).toEqual({ title, more });
  });

  it("cuts what is no title", () => {
    const { title, more } = titleOf("word ".repeat(1_000));
    expect(title.length).toBe(140);
    expect(more).toBe(true);
  });
});

describe("argumentLine", () => {
  it.each([
    [undefined, ""],
    ["{}", ""],
    ['{"service":"api","n":12345678901234567890,"o":{"a":1}}', 'service: api n: 12345678901234567890 o: {"a":1}'],
    ["[1, 2]", "[1, 2]"],
    ['{"a":"line\\nline"}', "a: line line"],
  ])("%j", (json, line) => {
    expect(argumentLine(json)).toBe(line);
  });
});
