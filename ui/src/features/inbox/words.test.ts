import { describe, expect, it } from "vitest";

import { isDecidable, titleOf } from "./words";

describe("titleOf", () => {
  it.each([
    ["Approve?", "Approve?", false],
    ["\n  Approve?  \n", "Approve?", false],
    ["Approve?\nIt replaces 42 instances.", "Approve?", true],
    ["", "The server asks without saying what", false],
    ["a\u202eb", "a⟨202E⟩b", false],
    [`Approve?${" ".repeat(700)}It deletes production.`, "Approve? It deletes production.", false],
    [`${" ".repeat(700)}late`, "late", false],
  ])("%j", (message, title, more) => {
    expect(titleOf({ method: "elicitation/create", message })).toEqual({ title, more });
  });

  it.each([
    ["sampling/createMessage", "Summarize last night's outage", "Wants a model's answer: Summarize last night's outage"],
    ["sampling/createMessage", "", "Wants a model's answer"],
    ["roots/list", "", "Asks which folders it may see"],
    ["future/ask", "", "Asks something unknown: future/ask"],
  ])("of %s with %j says what it wants", (method, message, title) => {
    expect(titleOf({ method, message })).toEqual({ title, more: false });
  });

  it("cuts what is no title", () => {
    const { title, more } = titleOf({ method: "elicitation/create", message: "word ".repeat(1_000) });
    expect(title.length).toBe(140);
    expect(more).toBe(true);
  });
});

describe("isDecidable", () => {
  it.each([
    ["open", undefined, true],
    ["not_taken", undefined, true],
    ["refused", undefined, true],
    ["unknown", undefined, true],
    ["unknown", true, false],
    ["held", undefined, false],
    ["sending", undefined, false],
    ["orphaned", true, false],
    ["answered", undefined, false],
    ["closed", undefined, false],
  ] as const)("%s, stranded: %s, is %s", (state, stranded, decidable) => {
    expect(isDecidable({ state, ...(stranded && { stranded }) })).toBe(decidable);
  });
});
