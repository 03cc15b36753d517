import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { lookAlikes } from "./lookAlikes";
import { visible } from "./text";

type Case = [text: string, places: number[], why: string];
const CASES = JSON.parse(readFileSync(new URL("../../../tests/corpus/look-alikes.json", import.meta.url), "utf8")) as Case[];

describe("look-alikes", () => {
  it.each(CASES)("%j: %j, %s", (text, places) => {
    expect(lookAlikes(text)).toEqual(places);
  });

  it("are spelled out where a text is shown", () => {
    expect(visible("p\u0430ypal")).toBe("p⟨0430⟩ypal");
    expect(visible("a \ud835\udc1a\u202e")).toBe("a ⟨1D41A⟩⟨202E⟩");
  });
});
