import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";

import { currentNav } from "../../places/nav";
import { ago, aTaskDetail, NOW } from "../../test/samples";
import type { Event, EventKind, Outcome, Stretch, TaskRow } from "../../types";
import { Timeline } from "./Timeline";
import { timeSpent, TimeSpent } from "./TimeSpent";

const event = (kind: EventKind, before: number, change: Partial<Event> = {}): Event => ({ call: "t1", at: ago(before), kind, ...change });

function show(timeline: Event[], outcome?: Outcome, change: Partial<TaskRow> = {}) {
  const row = outcome === undefined ? {} : { outcome, group: "ended" as const, tracking: "done" as const, endedAt: ago(0) };
  render(<Timeline task={aTaskDetail({ ...row, ...change }, { timeline })} below />);
  return screen.getAllByRole("listitem");
}

describe("a timeline", () => {
  it("tells in one line what happened in one moment", () => {
    const lines = show([event("called", 60_000), event("status", 0, { text: "all built" }), event("taken", 0), event("ended", 0)], "ok");
    expect(lines.map((line) => line.textContent.replace(/^[\d:]+/, ""))).toEqual(["Called", "all built · The server took the answer · done"]);
  });

  it.each<[Outcome, string, string]>([
    ["tool_error", "the tool reported an error", "tool error"],
    ["protocol_error", "Exit code 139", "failed"],
    ["ok", "done", "done"],
  ])("does not tell of an end with %s what the ending says: %s", (outcome, text, word) => {
    const lines = show([event("status", 60_000, { text }), event("status", 0, { text }), event("ended", 0)], outcome, { statusMessage: text });
    expect(lines.map((line) => line.textContent.replace(/^[\d:]+/, "")), "what was said before the end stays").toEqual([text, word]);
  });

  it.each<[Outcome, string, string]>([
    ["ok", "done", "done"],
    ["tool_error", "tool error", "tool_error"],
    ["protocol_error", "failed", "failed"],
    ["cancelled", "cancelled", "cancelled"],
    ["expired", "expired", "expired"],
    ["lost", "lost", "lost"],
  ])("ends %s in one word, with the shape and the colour of that", (outcome, word, lamp) => {
    const note = { code: "server_error" as const, reason: { kind: "said" as const, message: "rollback failed" } };
    const [line] = show([event("ended", 0, { note })], outcome, outcome === "ok" ? { statusMessage: "rollback failed" } : { note });
    expect(within(line as HTMLElement).getByText(word), "why is said above").toBeTruthy();
    expect(line?.textContent).not.toContain("rollback");
    expect(line?.querySelector("svg")?.dataset["lamp"]).toBe(lamp);
  });
});

describe("a timeline of a task that waited for a person", () => {
  it("says where the waiting was over how long it was, and says it of nothing else", () => {
    const timeline = [event("called", 300_000), event("asked", 200_000, { request: "r1" }), event("answered", 120_500, { request: "r1", text: "accept" }), event("status", 120_100, { text: "goes on" }), event("asked", 60_000, { request: "r2" })];
    const stretches: Stretch[] = [
      { spent: "working", from: ago(300_000), until: ago(200_000) },
      { spent: "waiting", from: ago(200_000), until: ago(120_500) },
      { spent: "working", from: ago(120_500), until: ago(60_000) },
      { spent: "waiting", from: ago(60_000) },
    ];
    render(<Timeline task={aTaskDetail({}, { timeline, stretches })} />);
    const lines = screen.getAllByRole("listitem").map((line) => line.textContent.replace(/^[\d:]+/, ""));
    expect(lines).toEqual(["Called", "The server asked", "You answered: accepted · goes on · waited for a person 1:19", "The server asked"]);
  });
});

describe("an entry about a question", () => {
  it("leads to it, once in a moment", async () => {
    const [line] = show([event("answered", 1_000, { request: "r3", text: "accept" }), event("taken", 1_000, { request: "r3" })]);
    const ways = within(line as HTMLElement).getAllByRole("button");
    expect(ways.map((way) => way.textContent)).toEqual(["r3"]);
    await userEvent.click(ways[0] as HTMLElement);
    expect([currentNav().place, currentNav().request]).toEqual(["inbox", "r3"]);
  });
});

describe("what a task's time went into", () => {
  const stretches: Stretch[] = [
    { spent: "working", from: ago(330_000), until: ago(200_000) },
    { spent: "waiting", from: ago(200_000), until: ago(120_000) },
    { spent: "working", from: ago(120_000), until: ago(0) },
  ];

  it("is said in words beside the bar", () => {
    render(<TimeSpent stretches={stretches} adopted={false} />);
    expect(screen.getByText("worked 4:10, waited for a person 1:20")).toBeTruthy();
  });

  it("is drawn to scale, the waiting apart from the work", () => {
    const { container } = render(<TimeSpent stretches={stretches} adopted={false} />);
    const drawn = [...container.querySelectorAll<HTMLElement>("[data-spent]")].map(({ dataset, style }) => [dataset["spent"], style.flexGrow]);
    expect(drawn).toEqual([["working", "130000"], ["waiting", "80000"], ["working", "120000"]]);
  });

  it("says from when on it is known, and what is not", () => {
    render(<TimeSpent stretches={[{ spent: "unseen", from: ago(90_000), until: ago(60_000) }, ...stretches.slice(1)]} adopted />);
    expect(screen.getByText(/^Since it was adopted: worked 2:00, waited for a person 1:20, not known 0:30/)).toBeTruthy();
  });

  it("says nothing of what took no time", () => {
    const { container } = render(<TimeSpent stretches={[{ spent: "working", from: ago(0), until: ago(0) }]} adopted={false} />);
    expect(container.textContent).toBe("");
  });

  it("goes on until now, and never back", () => {
    const live: Stretch[] = [{ spent: "waiting", from: ago(10_000) }];
    expect(timeSpent(live, NOW).waiting).toBe(10_000);
    expect(timeSpent(live, NOW - 20_000).waiting, "the clock was set back").toBe(0);
  });
});
