import { describe, expect, it } from "vitest";

import { directionOf, readShown, sortedBy, USUAL } from "./shown";

describe("what the task list shows", () => {
  it("is read from what any version remembered", () => {
    for (const odd of [undefined, null, 7, "x", [], { tokens: "x" }, { sort: 4 }]) expect(readShown(odd)).toEqual(USUAL);
    const shown = { tokens: ["is:ended", 3], text: "api", sort: "-ended", group: "server" };
    expect(readShown(shown)).toEqual({ tokens: ["is:ended"], text: "api", sort: "-ended", group: "server" });
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
