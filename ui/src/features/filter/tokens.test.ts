import { describe, expect, it } from "vitest";

import { filterOf, finishedAtEnd, isToken, tokensOf, withoutTokenAt } from "./tokens";

describe("a filter that is being typed", () => {
  it("is one filter of all its parts", () => {
    expect(filterOf({ tokens: [], text: "" })).toBe("");
    expect(filterOf({ tokens: ["tool:lint", "is:ended"], text: "api " })).toBe("tool:lint is:ended api");
  });

  it("is made of tokens, whose blanks may be quoted", () => {
    expect(tokensOf("failed ended:today")).toEqual(["failed", "ended:today"]);
    expect(tokensOf('server:"Dev box" x')).toEqual(['server:"Dev box"', "x"]);
    const finished = ["server:ci", "-tool:x", "age>1h", 'server:"Dev box"'];
    expect([...finished, "failed", "server:", 'server:"Dev'].filter(isToken)).toEqual(finished);
  });

  it("ends a token with a blank, but for one in quotation marks", () => {
    expect(finishedAtEnd("api server:ci ")).toEqual({ token: "server:ci", before: "api " });
    expect(finishedAtEnd('api  server:"Dev box" ')).toEqual({ token: 'server:"Dev box"', before: "api  " });
    expect(finishedAtEnd('-server:"a b",ci '), "what stands behind the marks belongs to it").toEqual({ token: '-server:"a b",ci', before: "" });
    expect(finishedAtEnd('server:"Dev '), "its marks are open").toBeUndefined();
    expect(finishedAtEnd('"the tool:x '), "it is part of a phrase").toBeUndefined();
    expect(finishedAtEnd('"Dev box" '), "a phrase is no token").toBeUndefined();
    for (const text of ["", " ", "api ", "server:ci", "server:ci  ", "server: "]) expect(finishedAtEnd(text), text).toBeUndefined();
  });

  it("has an offer in the place of the token at the caret", () => {
    expect(withoutTokenAt("api l", 5)).toBe("api");
    expect(withoutTokenAt("api l", 2)).toBe("l");
    expect(withoutTokenAt('x server:"Dev b y', 14), "a mark that is open holds to the end").toBe("x");
    expect(withoutTokenAt("api ", 4)).toBe("api");
  });
});
