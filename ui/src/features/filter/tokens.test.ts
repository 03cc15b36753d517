import { describe, expect, it } from "vitest";

import { filterOf, isToken, tokensOf, withoutTokenAt } from "./tokens";

describe("a filter that is being typed", () => {
  it("is one filter of all its parts", () => {
    expect(filterOf(undefined, { tokens: [], text: "" })).toBe("");
    expect(filterOf("server:s1", { tokens: ["is:ended"], text: "api " })).toBe("server:s1 is:ended api");
  });

  it("is made of tokens, whose blanks may be quoted", () => {
    expect(tokensOf("failed ended:today")).toEqual(["failed", "ended:today"]);
    expect(tokensOf('server:"Dev box" x')).toEqual(['server:"Dev box"', "x"]);
    const finished = ["server:ci", "-tool:x", "age>1h", 'server:"Dev box"'];
    expect([...finished, "failed", "server:", 'server:"Dev'].filter(isToken)).toEqual(finished);
  });

  it("has an offer in the place of the token at the caret", () => {
    expect(withoutTokenAt("api l", 5)).toBe("api");
    expect(withoutTokenAt("api l", 2)).toBe("l");
    expect(withoutTokenAt('x server:"Dev b y', 14), "a mark that is open holds to the end").toBe("x");
    expect(withoutTokenAt("api ", 4)).toBe("api");
  });
});
