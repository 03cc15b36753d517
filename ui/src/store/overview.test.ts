import { describe, expect, it } from "vitest";

import { anOverview, aServer, wholly } from "../test/samples";
import type { Overview, OverviewChange } from "../types";
import { applyOverview } from "./overview";

const OVERVIEW = anOverview({ servers: [aServer(), aServer({ id: "s2", name: "lab", heardAt: "2026-11-21T14:00:00.000Z" })] });

function changeOf(overview: Overview): OverviewChange {
  const data = wholly(overview);
  if (data.type !== "overview") throw new Error("an overview");
  return data.change;
}

/** A task of a server that was started. */
const STARTED: OverviewChange = {
  inbox: 1,
  tabs: { needsYou: 1, expiring: 0, snoozed: 2, answered: 0, noLongerAsked: 0, arrived: 0 },
  held: 2,
  tasks: { needsYou: 0, working: 3, ended: 0 },
  servers: [{ id: "s2", inbox: 1, tasks: { needsYou: 0, working: 2, ended: 0 }, leftOut: 4 }],
  shortcut: "taken",
};

describe("an overview", () => {
  it("is what came first, whole", () => {
    expect(applyOverview(undefined, changeOf(OVERVIEW))).toEqual(OVERVIEW);
  });

  it("takes in what changed, and all else keeps its identity", () => {
    const after = applyOverview(OVERVIEW, STARTED);
    expect(after).toMatchObject({ inbox: 1, held: 2, shortcut: "taken", tabs: { snoozed: 2 }, tasks: { working: 3 }, servers: [{ id: "s1" }, { id: "s2", name: "lab", inbox: 1, tasks: { working: 2 }, leftOut: 4 }] });
    expect(after?.servers[1]?.heardAt, "what is absent there is absent").toBeUndefined();
    expect(after?.servers[0]).toBe(OVERVIEW.servers[0]);
    expect(after?.settings).toBe(OVERVIEW.settings);
    expect(after?.troubles).toBe(OVERVIEW.troubles);
    const until = "2026-11-28T10:00:00.000Z";
    const paused = applyOverview(OVERVIEW, { ...STARTED, notificationsPausedUntil: until });
    expect(paused?.notificationsPausedUntil).toBe(until);
    expect(applyOverview(paused ?? undefined, STARTED), "a pause that is not said is over").not.toHaveProperty("notificationsPausedUntil");
  });

  it("takes in servers that come, go and change places", () => {
    const { servers } = changeOf(anOverview({ servers: [aServer({ id: "s3", name: "new" })] }));
    const after = applyOverview(OVERVIEW, { ...STARTED, servers, order: ["s3", "s2"] });
    expect(after?.servers.map(({ name }) => name)).toEqual(["new", "lab"]);
  });

  it("is asked for afresh when a change goes with another one", () => {
    expect(applyOverview(undefined, STARTED)).toBeNull();
    expect(applyOverview(OVERVIEW, { ...STARTED, servers: [{ id: "s9", inbox: 0, tasks: STARTED.tasks }] })).toBeNull();
    expect(applyOverview(OVERVIEW, { ...STARTED, order: ["s1", "s9"] })).toBeNull();
  });
});
