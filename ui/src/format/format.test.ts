import { describe, expect, it } from "vitest";

import { compact, pretty } from "./json";
import { percent } from "./part";
import { bytes } from "./size";
import { brief, cut, oneLine, visible, withoutGaps } from "./text";
import { apart, duration, exactly, latency, minutes, roughly, roughlyMinutes, secondsLeft } from "./time";

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
    expect([roughly(999), roughly(31_000), roughly(18 * 60_000), roughly(30 * HOUR), roughly(72 * HOUR)]).toEqual(["less than a second", "31 s", "18 min", "30 h", "3 d"]);
  });
});

/** A second, a minute and an hour, with what is just below and above each, and the ends of days. */
const EDGES = [1_000, 60_000, HOUR, 24 * HOUR, 48 * HOUR, 240 * HOUR].flatMap((at) => [at - 1, at, at + 1, at + 999, 1.5 * at, 1.999 * at]);

/** The length that a text names, in ms. */
function named(text: string): number {
  if (text === "less than a second" || text === "< 1 s" || text === "< 1 min") return 0;
  const units: Record<string, number> = { s: 1_000, min: 60_000, h: HOUR, d: 24 * HOUR };
  const clock = /^(\d+):(\d\d)( h)?$/.exec(text);
  if (clock) return Number(clock[1]) * (clock[3] ? HOUR : 60_000) + Number(clock[2]) * (clock[3] ? 60_000 : 1_000);
  return [...text.matchAll(/(\d+) (min|s|h|d)/g)].reduce((sum, [, n, unit]) => sum + Number(n) * (units[unit ?? ""] ?? Number.NaN), 0);
}

describe("how long ago something ended, in lists", () => {
  it.each([
    [0, "< 1 min"],
    [31_000, "< 1 min"],
    [18.5 * 60_000, "18 min"],
    [HOUR, "1 h"],
    [1.99 * HOUR, "1 h"],
    [30 * HOUR, "30 h"],
    [72 * HOUR, "3 d"],
  ])("is told of %i ms as %s: nobody reads a clock in it", (ms, text) => expect(roughlyMinutes(ms)).toBe(text));
});

describe("what rounding may never say", () => {
  it.each(EDGES)("%i ms are never told as more, nor as nothing", (length) => {
    for (const text of [duration(length), minutes(length), roughly(length), roughlyMinutes(length), secondsLeft(length)]) {
      expect(named(text), text).toBeLessThanOrEqual(length);
      expect(text, "something is left of it").not.toMatch(/^0 |^0:00/);
    }
    expect(secondsLeft(length), "and is not over").not.toBe("");
  });

  it("is over once nothing is left", () => {
    expect([secondsLeft(0), secondsLeft(-1), secondsLeft(1), secondsLeft(9_999)]).toEqual(["", "", "less than a second", "9 s"]);
  });

  it.each([
    [0, "0 %"],
    [0.0001, "under 1 %"],
    [0.0099, "under 1 %"],
    [0.01, "1 %"],
    [0.996, "99 %"],
    [0.999999, "99 %"],
    [1, "100 %"],
    [1.2, "100 %"],
    [-0.1, "0 %"],
  ])("a part of %d is %s: it is whole, or none, only when it is", (part, text) => expect(percent(part)).toBe(text));

  it("keeps every whole percentage that a server reports", () => {
    for (let n = 0; n <= 100; n += 1) expect(percent(n / 100)).toBe(`${n} %`);
  });

  it.each([
    [0, "under 1 ms"],
    [0.4, "under 1 ms"],
    [41, "41 ms"],
    [999, "999 ms"],
    [1_240, "1.2 s"],
    [59_960, "59.9 s"],
  ])("an answer after %d ms took %s", (ms, text) => expect(latency(ms)).toBe(text));

  it.each([
    [0, "0 s"],
    [250, "250 ms"],
    [1_500, "1.5 s"],
    [5_000, "5 s"],
    [90_000, "90 s"],
  ])("an interval of %i ms is %s", (ms, text) => expect(exactly(ms)).toBe(text));

  it("tells two clocks apart to the second, from two on", () => {
    expect([apart(0), apart(-1_400), apart(1_600), apart(-90_400)]).toEqual([undefined, undefined, "2 s", "90 s"]);
  });
});

describe("server text", () => {
  it("says how long a gap is: nothing stands out of sight below one", () => {
    expect(withoutGaps(`Approve?${"\n".repeat(201)}It deletes production.`)).toBe("Approve?\n⟨200 empty lines⟩\nIt deletes production.");
    expect(withoutGaps("a\n \n\t\n\u00a0\n\nb"), "spaces fill no line").toBe("a\n⟨4 empty lines⟩\nb");
    expect(withoutGaps("a\n\n\n\nb"), "a person may leave some").toBe("a\n\n\n\nb");
    expect(withoutGaps(`a\n${" ".repeat(200_000)}b`), "in no time").toHaveLength(200_003);
  });

  it("hides nothing: control characters, direction overrides and invisible ones are spelled out", () => {
    expect(visible("a\u0000b\u001b[31m\u202egpj.exe\u200b")).toBe("a␀b␛[31m⟨202E⟩gpj.exe⟨200B⟩");
    expect(visible("one\r\ntwo\tthree")).toBe("one\ntwo\tthree");
    expect(visible("\u{e0041}")).toBe("⟨E0041⟩");
    expect(visible("ordinary: naïve 日本 🚂")).toBe("ordinary: naïve 日本 🚂");
  });

  it.each([
    ["fillers", "a\u3164\uffa0\u115fb", "a⟨3164⟩⟨FFA0⟩⟨115F⟩b"],
    ["half a pair", "a\ud83db", "a⟨D83D⟩b"],
    ["characters that are none", "\ufdd0\uffff", "⟨FDD0⟩⟨FFFF⟩"],
    ["an empty pattern", "a\u2800b", "a⟨2800⟩b"],
    ["selectors that select nothing", "a\ufe0fb\ufe00", "a⟨FE0F⟩b⟨FE00⟩"],
    ["a selector of how a sign is drawn", "\u26a0\ufe0f 1\ufe0f\u20e3", "\u26a0\ufe0f 1\ufe0f\u20e3"],
    ["a heap of marks", `a${"\u0301".repeat(8)}b`, `a${"\u0301".repeat(6)}⟨0301⟩⟨0301⟩b`],
    ["as many marks as languages have", "\u0f67\u0fa8\u0fb3\u0fba\u0fbc\u0fbb\u0f82", "\u0f67\u0fa8\u0fb3\u0fba\u0fbc\u0fbb\u0f82"],
  ])("spells out what shows as nothing or covers what is around it: %s", (_, text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  it("fits on one line", () => {
    expect(oneLine("  a\n\n b\tc ")).toBe("a b c");
  });

  it("is never cut in the middle of a character", () => {
    expect(cut("ab🚂", 3)).toBe("ab");
    expect(cut("ab🚂", 4)).toBe("ab🚂");
    expect([brief("abc", 3), brief("abcd", 3)], "and where it is read, it says so").toEqual(["abc", "abc…"]);
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
    expect([bytes(0), bytes(1), bytes(1023), bytes(1024)], "a unit is never reached too early").toEqual(["0 B", "1 B", "1023 B", "1.0 KiB"]);
    expect([bytes(10_200), bytes(1024 ** 2 - 1), bytes(1024 ** 2)]).toEqual(["9.9 KiB", "1023 KiB", "1.0 MiB"]);
  });
});
