import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";

import { select } from "../../places/nav";
import { aTaskDetail } from "../../test/samples";
import { heading, open } from "./openInbox";
import { aDetail } from "./samples";

beforeEach(() => select({ request: null }));

describe("why it is asked", () => {
  const at = "2026-11-20T10:00:00Z";
  const answered = (id: string, message: string, tool = "deploy") =>
    aDetail({ id, message, tool, state: "answered", closedAt: at, decidedBy: "person", summary: `run ${id}`, answer: { action: "decline", decidedAt: at, sendAt: at, sentAt: at } });

  it("is a key away: the earlier answers to the same question of the same tool, and what happened to the task", async () => {
    const asked = aDetail();
    const details = [asked, answered("r5", asked.row.message), answered("r6", "Something else?"), answered("r7", asked.row.message, "build")];
    const { desk, user } = open(details);
    desk.tasks.set("t1", aTaskDetail({}, { timeline: [{ call: "t1", at, kind: "status", text: "Canary is at 5 %" }] }));
    await heading(/^Approve/);
    await user.keyboard("w");
    const dialog = within(await screen.findByRole("dialog", { name: "Why is this asked?" }));
    await dialog.findByText("Canary is at 5 %");
    await dialog.findByText("run r5", { exact: false });
    expect(dialog.queryByText("run r6", { exact: false }), "that was another question").toBeNull();
    expect(dialog.queryByText("run r7", { exact: false }), "that was another tool").toBeNull();
    fireEvent.keyDown(document.activeElement ?? document.body, { key: "Escape" });
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  it("says so where there is none", async () => {
    const { user } = open([aDetail(), answered("r6", "Something else?"), answered("r7", "Another thing?")]);
    await heading(/^Approve/);
    await user.click(screen.getByRole("button", { name: "Why is this asked?" }));
    await screen.findByText("None are kept here.");
    expect(screen.getByText("The task that asks is no longer kept."), "the desk has no such task").toBeTruthy();
  });
});
