import { describe, expect, it } from "vitest";

import { compact, pretty } from "./json";
import { bytes } from "./size";
import { cut, oneLine, visible } from "./text";
import { duration, minutes, roughly } from "./time";

const HOUR = 3_600_000;

describe("lengths of time", () => {
  it.each([
    [0, "0:00"],
    [-5_000, "0:00"],
    [4_900, "0:04"],
    [3_130_000, "52:10"],
    [3.44 * HOUR, "3:26 h"],
    [28 * HOUR, "1 d 4 h"],
    [400 * HOUR, "16 d"],
  ])("%i ms is %s", (ms, text) => expect(duration(ms)).toBe(text));

  it("go by minutes in lists", () => {
    expect([minutes(0), minutes(59_999), minutes(3_130_000), minutes(3.44 * HOUR)]).toEqual(["< 1 min", "< 1 min", "52 min", "3:26 h"]);
  });

  it("are rough in running text", () => {
    expect([roughly(31_000), roughly(18 * 60_000), roughly(30 * HOUR), roughly(72 * HOUR)]).toEqual(["31 s", "18 min", "30 h", "3 d"]);
  });
});

describe("server text", () => {
  it("hides nothing: control characters, direction overrides and invisible ones are spelled out", () => {
    expect(visible("a\u0000b\u001b[31m\u202egpj.exe\u200b")).toBe("a␀b␛[31m⟨202E⟩gpj.exe⟨200B⟩");
    expect(visible("one\r\ntwo\tthree")).toBe("one\ntwo\tthree");
    expect(visible("\u{e0041}")).toBe("⟨E0041⟩");
    expect(visible("ordinary: naïve 日本 🚂")).toBe("ordinary: naïve 日本 🚂");
  });

  it("fits on one line", () => {
    expect(oneLine("  a\n\n b\tc ")).toBe("a b c");
  });

  it("is never cut in the middle of a character", () => {
    expect(cut("ab🚂", 3)).toBe("ab");
    expect(cut("ab🚂", 4)).toBe("ab🚂");
  });
});

describe("JSON", () => {
  it("is put on one line with every number as written", () => {
    const json = '{ "n": 12345678901234567890,\n\t"x": -1.0E+2, "s": "a, {b}:  \\"c\\"", "e": { }, "l": [ true, null ] }';
    expect(compact(json)).toBe('{"n":12345678901234567890,"x":-1.0E+2,"s":"a, {b}:  \\"c\\"","e":{},"l":[true,null]}');
    expect(pretty(compact(json))).toBe(pretty(json));
    for (const other of [" no, JSON ", "}", ""]) expect([compact(other), pretty(other)]).toEqual([other, other]);
  });

  it("is indented with every number as written", () => {
    expect(pretty('{"n":12345678901234567890,"x":1.0,"s":"a, {b}: \\"c\\"","e":{},"l":[1,{"k":[ ]}]}')).toBe(
      `{
  "n": 12345678901234567890,
  "x": 1.0,
  "s": "a, {b}: \\"c\\"",
  "e": {},
  "l": [
    1,
    {
      "k": []
    }
  ]
}`,
    );
  });

  it("stays as it came when it is none", () => {
    expect(pretty("{broken")).toBe("{broken");
  });
});

describe("sizes", () => {
  it("carry units", () => {
    expect([bytes(812), bytes(4_300), bytes(20 * 1024 * 1024)]).toEqual(["812 B", "4.2 KiB", "20 MiB"]);
  });
});
