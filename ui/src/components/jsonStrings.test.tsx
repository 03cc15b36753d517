import { render } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import { jsonStrings } from "./jsonStrings";

const shown = (json: string) => render(<pre>{jsonStrings(json)}</pre>).container;

describe("JSON that is read", () => {
  it("keeps a text from right to left between its own quotes", () => {
    const json = '{\n  "לאשר": "הגרסה 1.2.3",\n  "plain": "a \\" ב",\n  "n": 7\n}';
    const container = shown(json);
    const isolated = [...container.querySelectorAll("bdi")];
    expect(isolated.map((part) => part.textContent)).toEqual(['"לאשר"', '"הגרסה 1.2.3"', '"a \\" ב"']);
    expect(isolated.every((part) => part.dir === "ltr"), "the quotes stand where they were sent").toBe(true);
    expect(container.textContent, "nothing is lost, and nothing added").toBe(json);
  });

  it("is one text where nothing runs from right to left", () => {
    expect(shown('{ "a": "é" }').querySelector("bdi")).toBeNull();
  });

  it("isolates also what was cut before its end", () => {
    expect(shown('{ "a": "הגרס').querySelector("bdi")?.textContent).toBe('"הגרס');
  });
});
