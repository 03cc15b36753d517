import { describe, expect, it } from "vitest";

import { MOST_RUNS, runsOf, type Look } from "./ansi";

const E = "\u001b";

/** The look of what stands behind a code. */
function look(code: string): Look | undefined {
  return runsOf(`a${E}[${code}mb`).at(-1)?.look;
}

describe("colours of a terminal", () => {
  it("become runs, and the codes go", () => {
    expect(runsOf(`${E}[1;31mfailed${E}[0m: 3 of ${E}[32m4${E}[m`)).toEqual([
      { text: "failed", look: { bold: true, colour: "red" } },
      { text: ": 3 of ", look: {} },
      { text: "4", look: { colour: "green" } },
    ]);
    expect(runsOf("plain")).toEqual([{ text: "plain", look: {} }]);
    expect(runsOf("")).toEqual([]);
  });

  it.each<[string, Look]>([
    ["91", { colour: "red" }],
    ["30", {}],
    ["97", {}],
    ["38;5;9", { colour: "red" }],
    ["38;5;46", { colour: "green" }],
    ["38;5;240", {}],
    ["38;2;255;0;200", { colour: "magenta" }],
    ["38:2:0:200:200", { colour: "cyan" }],
    ["38;2;120;120;120", {}],
    ["48;5;196", {}],
    ["48;2;255;0;0;1", { bold: true }],
    ["38;5", {}],
    ["2;3;4;9", { faint: true, italic: true, underline: true, struck: true }],
    ["1;22", {}],
    ["31;39", {}],
    ["8", {}],
    ["7;5", {}],
    ["999", {}],
  ])("%s looks like something that can be read", (code, expected) => {
    expect(look(code)).toEqual(expected);
  });

  it("are nothing else than colours: what a terminal obeys stays in the text", () => {
    for (const code of [`${E}[2K`, `${E}]0;title\u0007`, `${E}]8;;http://x\u0007`, `${E}[?25l`, `${E}c`, `${E}[>4m`]) {
      expect(runsOf(`a${code}b`), JSON.stringify(code)).toEqual([{ text: `a${code}b`, look: {} }]);
    }
  });

  it("are bounded: a text of codes makes no million elements", () => {
    const text = Array.from({ length: 100_000 }, (_, n) => `${E}[3${n % 8}m${n % 10}`).join("");
    const runs = runsOf(text);
    expect(runs.length).toBeLessThanOrEqual(MOST_RUNS);
    expect(runs.map((run) => run.text).join("").length, "no character is lost").toBe(100_000);
  });
});
