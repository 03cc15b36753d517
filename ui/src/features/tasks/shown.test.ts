import { describe, expect, it } from "vitest";

import { directionOf, filterOf, isToken, readShown, sortedBy, tokensOf, USUAL, withoutTokenAt } from "./shown";

describe("what the task list shows", () => {
  it("is read from what any version remembered", () => {
    for (const odd of [undefined, null, 7, "x", [], { tokens: "x" }, { sort: 4 }]) expect(readShown(odd)).toEqual(USUAL);
    const shown = { tokens: ["is:ended", 3], text: "api", sort: "-ended", group: "server" };
    expect(readShown(shown)).toEqual({ tokens: ["is:ended"], text: "api", sort: "-ended", group: "server" });
  });

  it("is one filter of all its parts", () => {
    expect(filterOf(null, [], "")).toBe("");
    expect(filterOf("s1", ["is:ended"], "api ")).toBe("server:s1 is:ended api");
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

  it("turns its order round at the second press", () => {
    expect(sortedBy("", "started"), "the newest stood first").toBe("started");
    expect(sortedBy("started", "started")).toBe("-started");
    expect(sortedBy("server,-started", "tool")).toBe("tool");
    expect(directionOf("", "started")).toBe("descending");
    expect(directionOf("tool", "tool")).toBe("ascending");
    expect(directionOf("tool", "started")).toBeUndefined();
  });
});
