import { readFileSync } from "node:fs";
import { join } from "node:path";

import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";

import { select } from "../../places/nav";
import { t } from "../../strings";
import { ago } from "../../test/samples";
import { heading, open } from "./openInbox";
import { aDetail } from "./samples";
import { backAt, inAnHour, LAST_CALL, tomorrow } from "./snooze";

beforeEach(() => select({ request: null }));

const choice = (name: string | RegExp) => screen.findByRole("button", { name });

describe("snooze", () => {
  it("asks until when, by the keyboard alone, and gives the focus back", async () => {
    const { desk, user } = open([aDetail(), aDetail({ id: "r2", message: "And this?" })]);
    await heading(/^Approve/);
    const opener = await choice(/^Snooze/);
    opener.focus();
    await user.keyboard("h");
    const dialog = await screen.findByRole("dialog");
    await waitFor(() => expect(document.activeElement?.textContent).toMatch(/^In 1 hour/));
    await user.keyboard("{ArrowDown}{ArrowDown}");
    expect(document.activeElement?.textContent, "the arrow keys move").toMatch(/^When its task changes/);
    await user.keyboard("{Enter}");
    await waitFor(() => expect(dialog.isConnected).toBe(false));
    expect(desk.sent("snooze")).toEqual([{ type: "snooze", request: "r1", until: { until: "change" } }]);
    expect(desk.sent("answer"), "nothing is answered by it").toEqual([]);
    await waitFor(() => expect(document.activeElement, "the focus is not lost").toBe(opener));
    await heading(/^Approve/);
    expect(await screen.findByText(/^until its task changes/), "what is in hand stays, and says so").toBeTruthy();
  });

  it("offers no deadline where there is none, and brings back only what was put off", async () => {
    const { desk, user } = open([aDetail({ expiresAt: undefined })]);
    await heading(/^Approve/);
    await user.keyboard("h");
    await choice(/^In 1 hour/);
    expect(screen.queryByRole("button", { name: /^5 minutes before it expires/ })).toBeNull();
    expect(screen.queryByRole("button", { name: "Bring it back now" })).toBeNull();
    await user.keyboard("{Escape}");
    expect(desk.sent("snooze")).toEqual([]);
  });

  it("offers to wait for a change only where there is a task", async () => {
    const { user } = open([aDetail({}, { hasTask: undefined })]);
    await heading(/^Approve/);
    await user.keyboard("h");
    await choice(/^In 1 hour/);
    expect(screen.queryByRole("button", { name: /^When its task changes/ }), "nothing of it could change").toBeNull();
  });

  it("says of each choice when the question is back", async () => {
    const expiresAt = ago(-40 * 86_400_000, Date.now());
    const { user } = open([aDetail({ expiresAt })]);
    await heading(/^Approve/);
    await user.keyboard("h");
    const time = async (name: RegExp) => within(await choice(name)).getByRole("time").getAttribute("datetime");
    expect(Date.parse((await time(/^In 1 hour/)) ?? "") / 60_000).toBeCloseTo(Date.now() / 60_000 + 60, -1);
    expect(await time(/^Tomorrow at 9:00/)).toBe(tomorrow(new Date()));
    expect((await choice(/^Tomorrow at 9:00/)).textContent, "with its day").toMatch(/\d+ [A-Z][a-z]+, 09:00$/);
    const lastCall = new Date(Date.parse(expiresAt) - 300_000).toISOString();
    expect(await time(/^5 minutes before it expires/)).toBe(lastCall);
    expect(await time(/^When its task changes at the latest/)).toBe(lastCall);
  });

  it("goes by the same time before a deadline as the desk, and says so", () => {
    const desk = readFileSync(join(import.meta.dirname, "../../../../src-tauri/crates/model/src/attention.rs"), "utf8");
    const minutes = Number(/LAST_CALL_MS: i64 = (\d+) \* 60_000;/.exec(desk)?.[1]);
    expect(LAST_CALL).toBe(minutes * 60_000);
    expect(t.inbox.snooze.beforeExpiry).toBe(`${minutes} minutes before it expires`);
  });

  it("is back before the deadline, whatever was chosen", () => {
    const [now, soon, late] = [new Date(2026, 10, 30, 2), ago(-1_800_000, Date.UTC(2026, 10, 30, 2)), new Date(2026, 11, 9).toISOString()];
    const at = tomorrow(now);
    expect(backAt({ until: "at", at }, undefined)).toBe(at);
    expect(backAt({ until: "at", at }, late)).toBe(at);
    expect(Date.parse(backAt({ until: "at", at }, soon) ?? ""), "five minutes before it").toBe(Date.parse(soon) - 300_000);
    expect(backAt({ until: "change" }, undefined), "no time brings it back").toBeUndefined();
  });

  it("shows what was put off on a tab of its own, from where it is brought back", async () => {
    const { desk, user } = open([
      aDetail(),
      aDetail({ id: "r2", message: "Later?", attention: "snoozed", snoozed: { until: "before_expiry" }, returnsAt: ago(-402_000) }),
    ]);
    await heading(/^Approve/);
    expect(screen.queryByText("Later?"), "it is not among what needs you").toBeNull();
    await user.click(screen.getByRole("tab", { name: /^Snoozed/ }));
    await heading("Later?"); // the first of the list comes to the pane
    await user.keyboard("h");
    await user.click(await choice("Bring it back now"));
    await waitFor(() => expect(desk.sent("snooze")).toEqual([{ type: "snooze", request: "r2" }]));
  });

  it("counts on each tab what the desk counts", async () => {
    const { desk } = open([aDetail()]);
    await heading(/^Approve/);
    expect(desk.overview.tabs).toEqual({ needsYou: 1, expiring: 0, snoozed: 0, answered: 0, noLongerAsked: 0, arrived: 0 });
    const tabs = within(screen.getByRole("tablist", { name: "Which questions" }));
    expect(tabs.getAllByRole("tab").map((tab) => tab.textContent)).toEqual(["Needs you1", "Expiring", "Snoozed", "Answered"]);
  });

  it("means an hour, and nine o'clock on the next morning", () => {
    const now = new Date(2026, 10, 30, 23, 59, 30);
    expect(Date.parse(inAnHour(now)) - now.getTime()).toBe(3_600_000);
    expect(tomorrow(now), "also at the end of a month").toBe(new Date(2026, 11, 1, 9).toISOString());
  });
});
