import { act, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";

import { DeskError } from "../../host/error";
import { select } from "../../places/nav";
import type { Change } from "../../test/samples";
import type { RequestRow } from "../../types";
import { Elsewhere } from "./elsewhere";
import { heading, open } from "./openInbox";
import { aDetail, aRound, type Desk } from "./samples";

const two = () => [aDetail(), aDetail({ id: "r2", message: "Which dataset version?" })];
const AT = "2026-11-21T10:00:00.000Z";
const no = { action: "decline", decidedAt: AT, sendAt: AT, sentAt: AT } as const;
const DECLINED: Change<RequestRow> = { state: "answered", answer: no, decidedBy: "person", closedAt: AT };

const becomes = (desk: Desk, row: Change<RequestRow>, id = "r1") =>
  act(() => desk.change(id, (detail) => ({ ...detail, row: { ...detail.row, ...row } as RequestRow })));

beforeEach(() => select({ request: null }));

describe("a question that others decide while it is open here", () => {
  it("takes the review away, and says what became of it and that nothing was sent", async () => {
    const { desk, user } = open(two());
    await user.click(await screen.findByLabelText("Yes"));
    await user.keyboard("1");
    await screen.findByRole("dialog");
    becomes(desk, DECLINED);
    await waitFor(() => expect(screen.queryByRole("dialog"), "there is nothing left to send").toBeNull());
    const said = await screen.findByRole("alert");
    expect(said.textContent).toBe(
      "This question was answered meanwhile from another window or command: declined. What you filled in here was not sent.",
    );
    expect(screen.getByText("declined from another window or command")).toBeTruthy();
    expect(screen.queryByText("declined by you"), "they would think that they did it here").toBeNull();
    await user.keyboard("{Enter}");
    expect(desk.sent("answer")).toEqual([]);
  });

  it("does not come back under a review when it is open again", async () => {
    const { desk, user } = open(two());
    await user.click(await screen.findByLabelText("Yes"));
    await user.keyboard("1");
    await screen.findByRole("dialog");
    becomes(desk, { ...DECLINED, state: "held" });
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    becomes(desk, { state: "open", answer: undefined, decidedBy: undefined, closedAt: undefined });
    await screen.findByLabelText("Yes");
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(screen.queryByRole("alert"), "that is over").toBeNull();
  });

  it("says so where the form alone was open and something was typed", async () => {
    const { desk, user } = open(two());
    await user.type(await screen.findByLabelText(/^Limit/), "4");
    becomes(desk, { ...DECLINED, answer: { ...no, action: "accept", content: "{}" } });
    await screen.findByText("This question was answered meanwhile from another window or command: accepted.");
    await screen.findByText("What you filled in here was not sent.");
  });

  it("tells who decided, and nothing of an answer that nobody began", async () => {
    const { desk } = open(two());
    await heading(/^Approve/);
    becomes(desk, DECLINED);
    await screen.findByText("declined from another window or command");
    expect(screen.queryByText(/not sent/)).toBeNull();
    act(() => select({ request: "r2" }));
    await heading(/^Which/);
    act(() => select({ request: "r1" }));
    await screen.findByText("declined from another window or command");
  });

  it.each([
    ["ends with its task", { state: "closed", reason: "task_ended", closedAt: AT }, "This question was closed meanwhile."],
    ["loses its connection", { state: "orphaned" }, "This question is no longer asked."],
    ["is answered by a rule", { ...DECLINED, decidedBy: "signalbox" }, "This question was answered meanwhile by a rule of Signalbox: declined."],
  ] as const)("says it, too, of one that %s", async (_, row, words) => {
    const { desk, user } = open(two());
    await user.click(await screen.findByLabelText("Yes"));
    await user.keyboard("1");
    await screen.findByRole("dialog");
    becomes(desk, row);
    await screen.findByText(words);
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("takes the review of a whole round away", async () => {
    const { desk, user } = open(aRound(["Which region?", "Which size?"]));
    for (const name of [/Which region/, /Which size/]) {
      await user.click(within(await screen.findByRole("region", { name })).getByLabelText("Yes"));
    }
    await user.click(await screen.findByRole("button", { name: /^Review and send both/ }));
    await screen.findByRole("dialog", { name: "Send both answers?" });
    becomes(desk, { ...DECLINED, state: "held" }, "r2");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await screen.findByText(/^This question was answered meanwhile/);
    expect(desk.sent("answer")).toEqual([]);
  });

  it("says it where the desk knows before the view does", async () => {
    const { desk, user } = open(two());
    await user.click(await screen.findByLabelText("Yes"));
    await user.keyboard("1");
    await screen.findByRole("dialog");
    const { act: carryOut } = desk;
    desk.act = (command) => {
      if (command.type !== "answer") return carryOut(command);
      throw new DeskError({ code: "answered_meanwhile", message: "r1 was answered from another window or command.", retry: "never" });
    };
    await user.keyboard("{Enter}");
    await screen.findByText("The question was answered in the meantime");
    becomes(desk, DECLINED);
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(screen.getAllByRole("alert"), "it is said once").toHaveLength(1);
    await screen.findByText("declined from another window or command");
  });
});

it("is by you where this window did it", async () => {
  const { user } = open(two());
  await user.type(await screen.findByLabelText(/^Limit/), "4");
  await user.click(screen.getByRole("button", { name: /^Decline/ }));
  await screen.findByText("declined by you");
  expect(screen.queryByText(/meanwhile/)).toBeNull();
});

it("is forgotten of the oldest where it happened to very many", () => {
  const elsewhere = new Elsewhere();
  for (let n = 1; n <= 257; n += 1) {
    elsewhere.isOpen(`r${n}`, undefined, false);
    elsewhere.isOver(`r${n}`, AT, false);
  }
  expect(elsewhere.get("r1")).toBeUndefined();
  expect(elsewhere.get("r2")).toMatchObject({ at: AT });
});
