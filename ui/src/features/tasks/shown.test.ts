import { describe, expect, it } from "vitest";

import { t } from "../../strings";
import { alsoSortedBy, readShown, sortedBy, sortedOf, USUAL } from "./shown";

describe("what the task list shows", () => {
  it("is read from what any version remembered", () => {
    for (const odd of [undefined, null, 7, "x", [], { tokens: "x" }, { sort: 4 }]) expect(readShown(odd)).toEqual(USUAL);
    const shown = { tokens: ["is:ended", 3], text: "api", sort: "-ended", group: "server" };
    expect(readShown(shown)).toEqual({ tokens: ["is:ended"], text: "api", sort: "-ended", group: "server" });
  });

  it("is as it always is where another version remembered an order or a group that this one does not know", () => {
    for (const sort of ["priority", "server,priority", "--started", "-", "server,,tool", "server,tool,status,started,ended"]) {
      expect(readShown({ text: "api", sort }), `the desk would refuse the whole list for ${sort}`).toEqual({ ...USUAL, text: "api" });
    }
    for (const group of ["priority", "toString"]) expect(readShown({ group })).toEqual(USUAL);
  });

  it("remembers everything that can be chosen", () => {
    for (const sort of [...Object.keys(t.tasks.sorts), "server,tool,-status,-ended", "-origin"]) expect(readShown({ sort }).sort).toBe(sort);
    for (const group of Object.keys(t.tasks.groups)) expect(readShown({ group }).group).toBe(group);
  });

  it("turns its order round at the second press", () => {
    expect(sortedBy("", "started"), "the newest stood first").toBe("started");
    expect(sortedBy("started", "started")).toBe("-started");
    expect(sortedBy("server,-started", "tool")).toBe("tool");
    expect(sortedBy("server,-started", "started"), "only the other column goes").toBe("-started");
  });

  it("adds a column behind the others, or turns it round in its place", () => {
    expect(alsoSortedBy("", "tool"), "behind the order that nobody chose").toBe("-started,tool");
    expect(alsoSortedBy("server", "ended")).toBe("server,ended");
    expect(alsoSortedBy("server,ended,tool", "ended")).toBe("server,-ended,tool");
    expect(alsoSortedBy("-server,ended", "server")).toBe("server,ended");
    const most = "server,tool,status,-started";
    expect(alsoSortedBy(most, "ended"), "the desk takes no more").toBe(most);
    expect(alsoSortedBy(most, "started")).toBe("server,tool,status,started");
  });

  it("says of each column which way, and as which of how many", () => {
    expect(sortedOf("", "started"), "the newest ran shortest").toEqual({ direction: "ascending", nth: 1, of: 1 });
    expect(sortedOf("tool", "tool")).toEqual({ direction: "ascending", nth: 1, of: 1 });
    expect(sortedOf("tool", "started")).toBeUndefined();
    expect(sortedOf("tool,-ended", "ended")).toEqual({ direction: "ascending", nth: 2, of: 2 });
  });
});
