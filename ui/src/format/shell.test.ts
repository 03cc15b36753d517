import { describe, expect, it } from "vitest";

import { literal, quoted } from "./shell";

describe("a word at a prompt", () => {
  it.each([
    ["/home/me/.local/share/signalbox", "/home/me/.local/share/signalbox"],
    ["/Users/me/Library/Application Support/signalbox", "'/Users/me/Library/Application Support/signalbox'"],
    ["a mcp", "'a mcp'"],
    ["it's", `'it'\\''s'`],
    ["$(rm -rf ~)", "'$(rm -rf ~)'"],
    ["", "''"],
    ["C:\\Users\\me\\signalbox", "C:\\Users\\me\\signalbox"],
    ["C:\\Users\\some one\\signalbox", '"C:\\Users\\some one\\signalbox"'],
  ])("%s is typed as %s", (word, typed) => expect(quoted(word)).toBe(typed));
});

describe("a word of others", () => {
  it.each([
    ["deploy", "deploy"],
    ["it's $(id) `id`", "'it'\\''s $(id) `id`'"],
    ["C:\\x$(id)", "'C:\\x$(id)'"],
    ["\\\\share$(id)", "'\\\\share$(id)'"],
  ])("%s does nothing at a prompt, whatever it looks like", (word, typed) => expect(literal(word)).toBe(typed));
});
