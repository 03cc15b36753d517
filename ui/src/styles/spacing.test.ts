import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

interface Declaration {
  /** Where it stands, for the message. */
  at: string;
  property: string;
  value: string;
}

const SRC = join(import.meta.dirname, "..");

function stylesheets(): string[] {
  return readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".css"));
}

/** Every declaration of the window's stylesheets; conditions such as `@media` are none. */
const DECLARATIONS: Declaration[] = stylesheets().flatMap((file) => {
  const text = readFileSync(join(SRC, file), "utf8").replaceAll(/\/\*[^]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, " "));
  return [...text.matchAll(/(?<=[{;]\s*)([a-z-]+[0-9]*)\s*:([^;{}]*);/g)].map((found) => {
    const line = text.slice(0, found.index).split("\n").length;
    return { at: `${file}:${line}`, property: found[1] ?? "", value: (found[2] ?? "").trim() };
  });
});

const told = ({ at, property, value }: Declaration) => `${at} ${property}: ${value}`;
const px = (value: string) => [...value.matchAll(/(\d*\.?\d+)px/g)].map((found) => Number(found[1]));

describe("the stylesheets", () => {
  it("space things by tokens, never in a unit of length", () => {
    const spacing = /^(padding|margin|gap|row-gap|column-gap)(-|$)/;
    const length = /\d(px|r?em|r?lh|ch|ex|[sld]?v[hwib]|vmin|vmax)\b/;
    const raw = DECLARATIONS.filter(({ property, value }) => spacing.test(property) && length.test(value));
    expect(raw.map(told)).toEqual([]);
  });

  it("stay on the 4 px grid with everything but hairlines and round corners", () => {
    const off = DECLARATIONS.filter(({ property, value }) => !/radius/.test(property) && px(value).some((n) => n > 2 && n % 4 !== 0));
    expect(off.map(told)).toEqual([]);
  });

  it("ask for the width of a container in rem, which zoom enlarges as it does the container", () => {
    const conditions = stylesheets().flatMap((file) => readFileSync(join(SRC, file), "utf8").match(/@container[^{]*/g) ?? []);
    expect(conditions.length, "they are found").toBeGreaterThan(5);
    expect(conditions.filter((condition) => !/^@container (?:\((?:min|max)-width: [\d.]+rem\)(?: and )?)+ $/.test(condition))).toEqual([]);
  });

  it("name a spacing token after its number of 4 px steps", () => {
    const tokens = DECLARATIONS.filter(({ property }) => property.startsWith("--space-"));
    expect(tokens.length, "the tokens are found").toBeGreaterThan(0);
    for (const { property, value } of tokens) expect(value, property).toBe(`${4 * Number(property.slice("--space-".length))}px`);
  });
});
