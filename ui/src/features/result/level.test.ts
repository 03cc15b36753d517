import { describe, expect, it } from "vitest";

import { childrenOf, countOf, wholeOf, type Place } from "./level";

function whole(json: string): Place {
  const place = wholeOf(json);
  if (!place) throw new Error(`no JSON: ${json.slice(0, 40)}`);
  return place;
}

function read(json: string): string[] {
  return childrenOf(json, whole(json), 1_000).children.map(({ name, start, end }) => `${name ?? ""}=${json.slice(start, end)}`);
}

describe("one level of JSON", () => {
  it.each([
    ['{"a":1.0,"b" : [ 1, {"c":"]}"} ] , "\\u0063":null}', ["a=1.0", 'b=[ 1, {"c":"]}"} ]', "c=null"]],
    [' [9007199254740993,1e400 ,"a\\"b",true] ', ["=9007199254740993", "=1e400", '="a\\"b"', "=true"]],
    ["{}", []],
    ["[ ]", []],
    ['{"":{}}', ["={}"]],
    ["7", []],
    ['"x"', []],
  ])("of %s is read as it is written", (json, expected) => {
    const place = whole(json);
    if (place.kind === "object" || place.kind === "array") expect(read(json)).toEqual(expected);
    expect(countOf(json, place)).toBe(expected.length);
  });

  it("is none of what is no JSON", () => {
    for (const text of ["", "{", "[1,]", "nothing", "{'a':1}"]) expect(wholeOf(text), text).toBeUndefined();
  });

  it("goes on where it was left", () => {
    const json = `[${Array.from({ length: 250 }, (_, n) => n).join(", ")}]`;
    const place = whole(json);
    const first = childrenOf(json, place, 100);
    const second = childrenOf(json, place, 200, first.next);
    expect([first.children.length, second.children.length, second.next]).toEqual([100, 150, undefined]);
    const [next] = second.children;
    expect(next && json.slice(next.start, next.end)).toBe("100");
  });

  it("of a million, and of ten thousand levels, is read at once", () => {
    const wide = `[${"1,".repeat(999_999)}1]`;
    const place = whole(wide);
    expect(countOf(wide, place)).toBe(1_000_000);
    expect(childrenOf(wide, place, 100).children.length, "no more is made than is shown").toBe(100);
    const deep = `${"[".repeat(10_000)}${"]".repeat(10_000)}`;
    const { children } = childrenOf(deep, whole(deep), 100);
    expect(children).toEqual([{ start: 1, end: 19_999, kind: "array" }]);
  });
});
