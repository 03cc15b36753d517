import { readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

const TOKENS = readFileSync(join(import.meta.dirname, "tokens.css"), "utf8");
const MORE = TOKENS.indexOf(':root[data-contrast="more"]');
const GROUNDS = ["ground", "sheet", "raised", "raised-hover", "row-hover", "selected"];
const SCHEMES = ["light", "dark"] as const;

type Scheme = (typeof SCHEMES)[number];

/** The colour of a token in a scheme, as `#rrggbb`; under high contrast its own, where it has one. */
function colour(token: string, scheme: Scheme, more: boolean): string {
  const pattern = new RegExp(`--${token}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\)`);
  const found = (more ? pattern.exec(TOKENS.slice(MORE)) : null) ?? pattern.exec(TOKENS.slice(0, MORE));
  const value = found?.[scheme === "light" ? 1 : 2];
  if (value === undefined) throw new Error(`--${token} is no colour of tokens.css`);
  return value;
}

/** WCAG 2.2: relative luminance. */
function luminance(hex: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

/** The pairs that do not reach a contrast, for the message. */
function short(tokens: readonly string[], grounds: readonly string[], least: number, more = false): string[] {
  return SCHEMES.flatMap((scheme) =>
    tokens.flatMap((token) =>
      grounds.flatMap((ground) => {
        const reached = contrast(colour(token, scheme, more), colour(ground, scheme, more));
        return reached < least ? [`${scheme}: ${token} on ${ground} reaches ${reached.toFixed(2)}`] : [];
      }),
    ),
  );
}

describe("contrast", () => {
  it("of a pair that is known is what it is known to be", () => {
    expect(contrast("#ffffff", "#000000")).toBeCloseTo(21);
    expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
  });

  it("of text is 4.5 or more on every ground", () => {
    expect(short(["text", "text-2", "text-3", "accent", "warn", "good", "bad", "magenta", "cyan"], GROUNDS, 4.5)).toEqual([]);
    expect(short(["text", "text-2", "bad"], ["bad-ground"], 4.5)).toEqual([]);
    expect(short(["text", "text-2", "warn"], ["warn-ground"], 4.5)).toEqual([]);
    expect([...short(["on-accent"], ["accent", "accent-hover"], 4.5), ...short(["on-lamp"], ["lamp"], 4.5)]).toEqual([]);
  });

  it("of text is 7 or more under high contrast, and of borders 4.5", () => {
    expect(MORE, "the tokens are found").toBeGreaterThan(0);
    expect(short(["text", "text-2", "text-3", "accent", "warn", "good", "bad", "magenta", "cyan"], GROUNDS, 7, true)).toEqual([]);
    expect(short(["text", "text-2", "bad"], ["bad-ground"], 7, true)).toEqual([]);
    expect(short(["text", "text-2", "warn"], ["warn-ground"], 7, true)).toEqual([]);
    expect([...short(["on-accent"], ["accent", "accent-hover"], 7, true), ...short(["on-lamp"], ["lamp"], 7, true)]).toEqual([]);
    expect(short(["control", "lamp", "idle"], GROUNDS, 4.5, true)).toEqual([]);
  });

  it("of the border of a control, and of a lamp, is 3 or more on every ground", () => {
    expect(short(["control", "lamp", "idle"], GROUNDS, 3)).toEqual([]);
  });
});
