import { act, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { select } from "../../places/nav";
import type { Change } from "../../test/samples";
import type { RequestDetail, RequestRow } from "../../types";
import { open } from "./openInbox";
import { aDetail, aPage, aRound, asksOf, type Desk, FORM } from "./samples";

const before = (row: Change<RequestRow> = {}, change: Change<RequestDetail> = {}) => aDetail({ message: "Deploy to staging?", ...row }, change);
const page = (change: Change<RequestDetail> = {}) =>
  before({ mode: "url" }, { form: undefined, url: aPage(), ways: { accept: "page", decline: "told", takeBack: false, putAway: false }, ...change });

const reworded = (detail: RequestDetail): RequestDetail => {
  const now = { ...detail, row: { ...detail.row, message: "Destroy production?" } };
  return { ...now, asks: asksOf(now) };
};

/** Its server withdraws it and asks it in other words, and the window shows that. */
const shows = (desk: Desk) => act(() => desk.change("r1", reworded));

/** The same. No view tells the window of it before the returned function is called, not even one that a saved draft wakes. */
const knows = (desk: Desk) => {
  let tell = () => {};
  const told = new Promise<void>((resolve) => (tell = resolve));
  desk.late = () => told;
  desk.details = desk.details.map((detail) => (detail.row.id === "r1" ? reworded(detail) : detail));
  return () => {
    tell();
    desk.touch();
  };
};

/** What the foot says of a press that was refused. */
async function refused() {
  const note = (await screen.findByText("The question has changed since you saw it")).parentElement ?? document.body;
  within(note).getByText(/Nothing of this answer was sent/);
  within(note).getByText("Read the question again before you answer. Anything you filled in is kept.");
}

const asks = (desk: Desk) => desk.sent("answer").map((answer) => answer.asks);
const state = (desk: Desk) => desk.details[0]?.row.state;
const note = () => screen.queryByText("This question has changed since you opened it.");

beforeEach(() => select({ request: null }));
afterEach(() => vi.restoreAllMocks());

/** Once it has the focus: a key before that is for what was there before. */
async function dialog(name: string | RegExp = /./): Promise<void> {
  const shown = await screen.findByRole("dialog", { name });
  await waitFor(() => expect(shown.contains(document.activeElement)).toBe(true));
}

describe("a question that is asked in other words while it is open here", () => {
  it("takes the review of the former words away, says why, and keeps what was filled in", async () => {
    const { desk, user } = open([before()]);
    await user.click(await screen.findByLabelText("Yes"));
    await user.keyboard("1");
    await screen.findByRole("dialog");
    shows(desk);
    await waitFor(() => expect(screen.queryByRole("dialog"), "what was looked at is not what is asked").toBeNull());
    expect((await screen.findByRole("alert")).textContent).toBe(
      "This question has changed since you opened it. The server asks something else now, or asks it in other words. Read it again before you answer.",
    );
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Destroy production?");
    expect(screen.getByLabelText("Yes"), "nothing is typed twice").toHaveProperty("checked", true);
    await user.keyboard("{Enter}");
    expect(desk.sent("answer")).toEqual([]);
    await user.keyboard("1");
    await dialog();
    await user.keyboard("{Enter}");
    await waitFor(() => expect(asks(desk), "once it was read again").toEqual([reworded(before()).asks]));
    await waitFor(() => expect(note(), "it is answered").toBeNull());
  });

  it("is not answered by a review that the window does not know to be out of date", async () => {
    const { desk, user } = open([before()]);
    await user.click(await screen.findByLabelText("Yes"));
    await user.keyboard("1");
    await dialog();
    const tell = knows(desk);
    await user.keyboard("{Enter}");
    await refused();
    expect(asks(desk), "it says what its person saw").toEqual([before().asks]);
    expect(state(desk), "and nothing went out").toBe("open");
    act(tell);
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(screen.getByLabelText("Yes")).toHaveProperty("checked", true);
    await refused();
  });

  it.each<[string, RequestDetail, RegExp]>([
    ["declined", before(), /^Decline/],
    ["dismissed", before(), /^Dismiss/],
    ["declined for a model", before({ method: "sampling/createMessage" }), /^Decline/],
  ])("is not %s either", async (_, detail, press) => {
    const { desk, user } = open([detail]);
    await screen.findByRole("heading", { level: 1 });
    knows(desk);
    await user.click(screen.getByRole("button", { name: press }));
    await refused();
    expect(asks(desk)).toEqual([detail.asks]);
    expect(state(desk)).toBe("open");
  });

  it("is not answered by a yes that goes without a review", async () => {
    const yesNo = before({}, { form: { notes: [], fields: FORM.fields.slice(0, 1) } });
    const { desk, user } = open([yesNo], 5_000, { next: false, unreviewed: true });
    await screen.findByRole("button", { name: /^Send/ });
    await user.click(screen.getByLabelText("Yes"));
    await screen.findByText(/^Draft saved/);
    knows(desk);
    await user.click(screen.getByRole("button", { name: /^Send/ }));
    await refused();
    expect(asks(desk)).toEqual([yesNo.asks]);
    expect(screen.getByLabelText("Yes")).toHaveProperty("checked", true);
  });

  it.each([/^Open at/, "Accept, I will open it elsewhere"])("gets no consent to a page that was meant for another one: %s", async (press) => {
    const { desk, user } = open([page()]);
    const button = await screen.findByRole("button", { name: press });
    knows(desk);
    await user.click(button);
    await refused();
    expect(state(desk)).toBe("open");
    expect(desk.details[0]?.row.visitedAt, "no browser was started").toBeUndefined();
  });

  it("sends what was shown of each question of a round, and stops at the one that changed", async () => {
    const round = aRound(["Deploy to staging?", "Which size?"]);
    const { desk, user } = open(round);
    for (const name of [/Deploy to staging/, /Which size/]) {
      await user.click(within(await screen.findByRole("region", { name })).getByLabelText("Yes"));
    }
    await user.click(await screen.findByRole("button", { name: /^Review and send both/ }));
    await dialog("Send both answers?");
    knows(desk);
    await user.keyboard("{Enter}");
    await refused();
    expect(asks(desk), "the other one is looked at again, too").toEqual([round[0]?.asks]);
  });

  it("takes no press that came too soon to be meant for its new words", async () => {
    const now = vi.spyOn(performance, "now").mockReturnValue(10_000);
    const { desk, user } = open([before()]);
    const decline = await screen.findByRole("button", { name: /^Decline/ });
    shows(desk);
    await screen.findByText("This question has changed since you opened it.");
    now.mockReturnValue(10_400);
    await user.click(decline);
    expect(desk.sent("answer"), "the finger was on its way already").toEqual([]);
    now.mockReturnValue(10_600);
    await user.click(decline);
    await waitFor(() => expect(asks(desk)).toEqual([reworded(before()).asks]));
  });

  it("has its page agreed to anew", async () => {
    const { desk, user } = open([page({ askedBefore: ["2026-11-20T10:00:00Z", "2026-11-21T10:00:00Z"] })]);
    await user.click(await screen.findByRole("checkbox"));
    expect(screen.getByRole("button", { name: /^Open at/ })).toHaveProperty("disabled", false);
    shows(desk);
    await screen.findByText("This question has changed since you opened it.");
    expect(screen.getByRole("checkbox")).toHaveProperty("checked", false);
  });
});

it("says nothing of a question that only its task has news of", async () => {
  const { desk } = open([before()]);
  await screen.findByRole("heading", { level: 1 });
  act(() => desk.change("r1", (detail) => ({ ...detail, statusMessage: "Canary is well" })));
  await screen.findByText("Canary is well");
  expect(note()).toBeNull();
});
