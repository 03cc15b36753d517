import { describe, expect, it } from "vitest";

import { isSaid } from "./said";

describe("a text that says no more than a sentence", () => {
  const sentences = ["tool error", "The tool ran and reported an error."];

  it.each(["the tool reported an error", "Tool error!", "error"])("is left out: %s", (text) => {
    expect(isSaid(text, sentences)).toBe(true);
  });

  it.each(["the tool reported 3 errors", "exit code 1", "an error reported the tool", "ошибка", "…", ""])("says something of its own otherwise: %s", (text) => {
    expect(isSaid(text, sentences)).toBe(false);
  });

  it("is told word by word, in any script, and not letter by letter", () => {
    expect(isSaid("сервер не отвечает", ["Сервер больше не отвечает."])).toBe(true);
    expect(isSaid("or", sentences)).toBe(false);
    expect(isSaid("The server knows it", ["The server no longer knows it."]), "the opposite is something else").toBe(false);
  });
});
