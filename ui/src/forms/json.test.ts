import { describe, expect, it } from "vitest";

import { isNumber, scan } from "./json";

describe("scan", () => {
  it("gives the members of an object as they are written", () => {
    expect(scan(' { "a" : 1.0 , "\\u0062":[ 1e999, "]" ] } ')).toEqual({
      ok: true,
      value: { kind: "object", members: [["a", "1.0"], ["b", '[ 1e999, "]" ]']] },
    });
  });

  it("gives the elements of a list as they are written", () => {
    expect(scan('[9007199254740993,{"a":{}},[]]')).toEqual({
      ok: true,
      value: { kind: "array", elements: ["9007199254740993", '{"a":{}}', "[]"] },
    });
  });

  it.each(["", "{", "{,}", '{"a"}', '{"a":1,}', "[1,]", "[1 2]", "01", "1.", "nul", '"\n"', '"\\x"', '"', "{} {}", "'a'", "NaN", "\u00a01"])(
    "takes %j for no JSON, as the platform does",
    (text) => {
      expect(() => JSON.parse(text) as unknown).toThrow();
      expect(scan(text).ok).toBe(false);
    },
  );

  it.each(['""', "0", "-0.5e-7", "true", " null ", '"\\u00e9\\/"', "[[[]]]"])("takes %j for JSON, as the platform does", (text) => {
    expect(() => JSON.parse(text) as unknown).not.toThrow();
    expect(scan(text).ok).toBe(true);
  });

  it("says where the text stops being JSON", () => {
    expect(scan('{\n  "a": 1,\n  b\n}')).toEqual({ ok: false, fault: { line: 3, column: 3 } });
  });

  it("does not follow nesting without end", () => {
    expect(scan("[".repeat(100_000)).ok).toBe(false);
  });
});

describe("isNumber", () => {
  it.each([["1", true], ["-0", true], ["1e5", true], ["", false], ["1 ", false], ["1-", false]])("%j: %s", (text, expected) => {
    expect(isNumber(text)).toBe(expected);
  });
});
