import { act, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";

import { answerRequest, currentNav, openItem, select } from "../../places/nav";
import { changed } from "../../test/samples";
import { heading, open } from "./openInbox";
import { FORM, aDetail, aPage, aRound } from "./samples";

const QUESTIONS = ["Which snapshot is the last good one?", "Type the volume's name to confirm"];
const section = (name: RegExp) => screen.findByRole("region", { name });
const none = () => expect(screen.queryByText(/on its way/i), "nothing is said to be on its way that is not").toBeNull();

beforeEach(() => select({ request: "r1" }));

describe("a round", () => {
  it("stands on one sheet, each question with its own form", async () => {
    open(aRound(QUESTIONS));
    await heading("Two questions at once");
    for (const name of [/Which snapshot/, /Type the volume/]) {
      expect(within(await section(name)).getByLabelText("Yes")).toBeTruthy();
      expect(within(await section(name)).getByText("still open", { exact: false })).toBeTruthy();
    }
  });

  it.each([
    [/Which snapshot/, "r1", /Type the volume/, "r2"],
    [/Type the volume/, "r2", /Which snapshot/, "r1"],
  ])("is answered in either order, %s first", async (first, firstId, second, secondId) => {
    const round = aRound(QUESTIONS);
    const asks = (id: string) => round.find(({ row }) => row.id === id)?.asks;
    const { desk, user } = open(round, 0);
    await user.click(within(await section(first)).getByLabelText("Yes"));
    await waitFor(() => expect(currentNav().request, "what has the focus is in hand").toBe(firstId));
    await user.keyboard("1");
    await screen.findByRole("dialog", { name: "Keep this answer?" });
    await user.keyboard("{Enter}");
    await screen.findByText("Kept: it goes out with the other one, which is still open.");
    expect(within(await section(first)).getByText("kept · goes out with the other", { exact: false })).toBeTruthy();
    none();
    await user.click(screen.getByRole("button", { name: "Answer the open question" }));
    await waitFor(() => expect(currentNav().request).toBe(secondId));
    await user.click(within(await section(second)).getByLabelText("No"));
    await user.keyboard("1");
    const dialog = await screen.findByRole("dialog", { name: "Send this answer?" });
    const [now, kept] = within(dialog).getAllByRole("figure");
    expect(now?.textContent).toContain('"approved": false');
    expect(kept?.textContent, "what goes out is shown whole").toContain('"action": "accept"');
    expect(kept?.textContent).toContain('"approved": true');
    expect(within(dialog).getByRole("region", { name: /^What you kept/ }).textContent).toMatch(first);
    await user.keyboard("{Enter}");
    await waitFor(() =>
      expect(desk.sent("answer")).toEqual([
        { type: "answer", request: firstId, action: "accept", content: '{"approved":true}', holdMs: 0, asks: asks(firstId) },
        { type: "answer", request: secondId, action: "accept", content: '{"approved":false}', holdMs: 0, asks: asks(secondId) },
      ]),
    );
    await waitFor(() => expect(screen.queryByText(/^Kept/), "nothing keeps them back any more").toBeNull());
  });

  it("is come to where it stands below another, by whoever comes to answer it", async () => {
    open(aRound(QUESTIONS));
    const yes = () => within(second).getByLabelText("Yes");
    const second = await section(/Type the volume/);
    const focused = vi.spyOn(yes(), "focus");
    act(() => answerRequest("r2"));
    await waitFor(() => expect(document.activeElement).toBe(yes()));
    expect(focused.mock.calls).toEqual([[]]);
    focused.mockClear();
    act(() => openItem({ kind: "request", id: "r2" }));
    await waitFor(() => expect(focused.mock.calls, "to look at it begins with who asks").toEqual([[{ preventScroll: true }]]));
  });

  it("is gone on with where “Answer this” was pressed, which stays where it is until then", async () => {
    const { user } = open(aRound(QUESTIONS));
    const second = await section(/Type the volume/);
    const press = within(second).getByRole("button", { name: "Answer this" });
    act(() => press.focus());
    expect(document.activeElement, "it does not vanish under the focus").toBe(press);
    expect(currentNav().request).toBe("r1");
    await user.keyboard("{Enter}");
    await waitFor(() => expect(currentNav().request).toBe("r2"));
    expect(document.activeElement, "in the form").toBe(within(second).getByLabelText("Yes"));
  });

  it("of pages is gone on with there, too", async () => {
    const [first, page] = aRound(QUESTIONS);
    if (!first || !page) throw new Error("two questions");
    const { user } = open([first, changed(page, { row: { ...page.row, mode: "url" }, form: undefined, url: aPage(), ways: { ...page.ways, accept: "page" } })]);
    const second = await section(/Type the volume/);
    await user.click(within(second).getByRole("button", { name: "Answer this" }));
    await waitFor(() => expect(currentNav().request).toBe("r2"));
    expect(document.activeElement).toBe(within(second).getByRole("heading", { level: 2 }));
  });

  it("changes a kept answer, with what was said", async () => {
    const { desk, user } = open(aRound(QUESTIONS), 0);
    await user.click(within(await section(/Which snapshot/)).getByLabelText("No"));
    await user.keyboard("1");
    await screen.findByRole("dialog");
    await user.keyboard("{Enter}");
    await user.click(within(await section(/Which snapshot/)).getByRole("button", { name: "Change" }));
    expect(desk.sent("undo")).toMatchObject([{ type: "undo", request: "r1" }]);
    expect(await within(await section(/Which snapshot/)).findByLabelText("No")).toHaveProperty("checked", true);
  });

  it("goes with one press where all of it is filled in, and every answer is shown before", async () => {
    const { desk, user } = open(aRound(QUESTIONS), 0);
    await user.click(within(await section(/Which snapshot/)).getByLabelText("Yes"));
    expect(screen.getByRole("button", { name: /^Review and send/ }).textContent, "the other one is not filled in").not.toContain("both");
    await user.click(within(await section(/Type the volume/)).getByLabelText("No"));
    await user.click(await screen.findByRole("button", { name: /^Review and send both/ }));
    const dialog = await screen.findByRole("dialog", { name: "Send both answers?" });
    expect(within(dialog).getAllByRole("figure")).toHaveLength(2);
    expect(desk.sent("answer")).toEqual([]);
    await user.keyboard("{Enter}");
    await waitFor(() => expect(desk.sent("answer").map((command) => command.request)).toEqual(["r1", "r2"]));
  });

  it("leaves out an optional answer that nobody thought of", async () => {
    const optional = { notes: [], fields: FORM.fields.filter((field) => !field.required) };
    const { user } = open(
      aRound(QUESTIONS).map((detail, n) => (n === 1 ? { ...detail, form: optional } : detail)),
      0,
    );
    await user.click(within(await section(/Which snapshot/)).getByLabelText("Yes"));
    const review = () => screen.getByRole("button", { name: /^Review and send/ }).textContent;
    await waitFor(() => expect(screen.getByText(/^Draft saved/)).toBeTruthy());
    expect(review()).not.toContain("both");
    await user.type(within(await section(/Type the volume/)).getByLabelText(/^Limit/), "9");
    await waitFor(() => expect(review()).toContain("both"));
  });

  it("stops at the first answer that fails, and shows what is left", async () => {
    const { desk, user } = open(aRound(QUESTIONS), 0);
    await user.click(within(await section(/Which snapshot/)).getByLabelText("Yes"));
    await user.click(within(await section(/Type the volume/)).getByLabelText("No"));
    await user.click(await screen.findByRole("button", { name: /^Review and send both/ }));
    await screen.findByRole("dialog");
    const { act: carryOut } = desk;
    desk.act = (command) =>
      command.type === "answer" && command.request === "r2"
        ? Promise.reject(Object.assign(new Error("The task ended."), { code: "already_closed", retry: "never" }))
        : carryOut(command);
    await user.keyboard("{Enter}");
    const dialog = await screen.findByRole("dialog", { name: "Send this answer?" });
    await within(dialog).findByText("The task or question is already over");
    const kept = await within(dialog).findByRole("region", { name: /^What you kept/ });
    expect(within(kept).getAllByRole("figure"), "the one that was taken is not offered again: it is kept").toHaveLength(1);
    expect(within(dialog).getAllByRole("figure")).toHaveLength(2);
  });

  it("shows a kept no with the last answer, too", async () => {
    const at = new Date().toISOString();
    const { user } = open(aRound(QUESTIONS, [{}, { state: "sending", answer: { action: "decline", decidedAt: at, sendAt: at } }]), 0);
    await user.click(within(await section(/Which snapshot/)).getByLabelText("Yes"));
    await user.keyboard("1");
    const figures = within(await screen.findByRole("dialog")).getAllByRole("figure");
    expect(figures.map((figure) => figure.textContent.includes('"action": "decline"'))).toEqual([false, true]);
  });

  it("of very many keeps an answer as long as one that is not shown is open, and counts what goes with it", async () => {
    const at = new Date().toISOString();
    const sent = { state: "sending", answer: { action: "decline", decidedAt: at, sendAt: at } } as const;
    const rows = (open: number) => Array.from({ length: 20 }, (_, n) => (n === 0 || n === open ? {} : sent));
    const messages = rows(0).map((_, n) => `Question ${n + 1}?`);
    for (const [other, title] of [
      [19, "Keep this answer?"],
      [0, "Send this answer?"],
    ] as const) {
      const { user, unmount } = open(aRound(messages, rows(other)), 0);
      await user.click(within(await section(/^Question 1\?/)).getByLabelText("Yes"));
      await user.keyboard("1");
      const dialog = await screen.findByRole("dialog", { name: title });
      expect(within(dialog).queryByText("19 more answers that you kept, which are not shown here.") !== null).toBe(other === 0);
      unmount();
    }
  });

  it("says which one the buttons are about, not by its colour alone", async () => {
    const { user } = open(aRound(QUESTIONS));
    const [first, second] = [await section(/Which snapshot/), await section(/Type the volume/)];
    const decline = () => {
      const ids = screen.getByRole("button", { name: /^Decline/ }).getAttribute("aria-describedby") ?? "";
      return ids.split(" ").map((id) => document.getElementById(id)?.textContent).join(" ");
    };
    expect(within(first).getByText("selected")).toBeTruthy();
    expect(first.getAttribute("aria-current")).toBe("true");
    expect(decline()).toBe(`This question${QUESTIONS[0] ?? ""} The server is told that you say no.`);
    await user.click(within(second).getByRole("button", { name: "Answer this" }));
    await within(second).findByText("selected");
    expect(within(first).queryByText("selected")).toBeNull();
    expect(decline()).toContain(QUESTIONS[1]);
  });

  it("keeps what was typed into one while another is taken in hand", async () => {
    const { user } = open(aRound(QUESTIONS));
    await user.type(within(await section(/Which snapshot/)).getByLabelText(/^Limit/), "7");
    await user.type(within(await section(/Type the volume/)).getByLabelText(/^Limit/), "9");
    expect(currentNav().request).toBe("r2");
    expect(document.activeElement, "the focus stays in the field").toBe(within(await section(/Type the volume/)).getByLabelText(/^Limit/));
    expect(within(await section(/Which snapshot/)).getByLabelText(/^Limit/)).toHaveProperty("value", "7");
  });

  it("leaves no review open while the desk's reply waits for the tool", async () => {
    const { desk, user } = open(aRound(QUESTIONS), 0);
    await user.click(within(await section(/Which snapshot/)).getByLabelText("Yes"));
    await user.click(within(await section(/Type the volume/)).getByLabelText("No"));
    await user.click(await screen.findByRole("button", { name: /^Review and send both/ }));
    await screen.findByRole("dialog");
    const { act: carryOut } = desk;
    desk.act = async (command) => {
      const reply = await carryOut(command);
      return command.type === "answer" && command.request === "r2" ? new Promise<never>(() => undefined) : reply;
    };
    await user.keyboard("{Enter}");
    await waitFor(() => expect(desk.sent("answer").map((command) => command.request)).toEqual(["r1", "r2"]));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    const [change] = within(await section(/Which snapshot/)).getAllByRole("button", { name: "Change" });
    expect(change, "what has not gone out can still be changed").toHaveProperty("disabled", false);
  });

  it("within the undo window of the other says so", async () => {
    const at = new Date().toISOString();
    const held = { state: "held", answer: { action: "accept", content: "{}", decidedAt: at, sendAt: new Date(Date.now() + 5_000).toISOString() } } as const;
    open(aRound(QUESTIONS, [{ state: "sending", answer: { action: "decline", decidedAt: at, sendAt: at } }, held]));
    await screen.findByText("Kept: it goes out with the other one, which can still be undone.");
    expect(within(await section(/Which snapshot/)).getByText("declined by you")).toBeTruthy();
    none();
  });

  it("follows what another window decides", async () => {
    const { desk } = open(aRound(QUESTIONS));
    await section(/Type the volume/);
    const at = new Date().toISOString();
    act(() =>
      desk.change("r2", (detail) => ({
        ...detail,
        row: { ...detail.row, state: "sending", answer: { action: "accept", content: '{"approved":true}', decidedAt: at, sendAt: at } },
      })),
    );
    await waitFor(async () => expect(within(await section(/Type the volume/)).getByText(/^kept/)).toBeTruthy());
  });

  it("shows twelve side by side, and no more", async () => {
    for (const [count, shown] of [
      [12, 12],
      [13, 1],
    ] as const) {
      const { unmount } = open(aRound(Array.from({ length: count }, (_, n) => `Question ${n + 1}?`)));
      await waitFor(() => expect(screen.getAllByRole("region", { name: /^Question \d+\?$/ })).toHaveLength(shown));
      unmount();
    }
  });

  it("of very many shows the one in hand, and the way to the others", async () => {
    open(aRound(Array.from({ length: 20 }, (_, n) => `Question ${n + 1}?`)));
    await heading("20 questions at once");
    expect(screen.getAllByRole("region", { name: /^Question \d+\?$/ }).length).toBe(1);
    expect(screen.getAllByRole("button", { name: /^Question \d+ of 20$/ })).toHaveLength(20);
  });
});

describe("several questions of one task", () => {
  it("are answered each on its own", async () => {
    open([aDetail({}, { siblings: ["r2"] }), aDetail({ id: "r2", message: "Which dataset version?" })]);
    await heading(/^Approve/);
    expect(screen.getByText(/Each is answered on its own/)).toBeTruthy();
  });
});
