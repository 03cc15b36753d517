import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { ACTIONS } from "../../actions/table";
import { App } from "../../app/App";
import { answerRequest, currentNav, go, listAllServers, NOTHING_SOUGHT, openItem, openRequest, seek, select } from "../../places/nav";
import { renderWith } from "../../test/render";
import type { FormSpec, RequestDetail } from "../../types";
import { heading, open } from "./openInbox";
import { aDetail, aRound, Desk, FORM } from "./samples";

const YES_NO: FormSpec = { notes: [], fields: FORM.fields.slice(0, 1) };

const three = () => [
  aDetail({}, { form: YES_NO }),
  aDetail({ id: "r2", message: "Which dataset version?" }),
  aDetail({ id: "r3", message: "Migrate the database?", server: "s2", serverName: "lab" }),
];

/** How the question in hand is answered with yes, by the mouse. */
async function accept({ user }: Pick<ReturnType<typeof open>, "user">) {
  await user.click(await screen.findByLabelText("Yes"));
  await user.click(screen.getByRole("button", { name: /^Review and send/ }));
  await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: /^Send/ }));
}

const last = () => screen.queryByRole("region", { name: "Your last answer" });

beforeEach(() => {
  go("inbox");
  select({ request: null });
  listAllServers("inbox");
  seek(NOTHING_SOUGHT);
});
afterEach(() => vi.restoreAllMocks());

describe("after an answer", () => {
  it("shows the next question by itself where nobody says otherwise, with the undo beside it", async () => {
    const opened = open(three(), undefined, {});
    await heading(/^Approve/);
    await accept(opened);
    await heading(/^Which/);
    const toast = within(await screen.findByRole("region", { name: "Your last answer" }));
    expect(toast.getByText("accepted")).toBeTruthy();
    expect(toast.getByText(/^Sending in \d s$/)).toBeTruthy();
    await opened.user.keyboard("u");
    await heading(/^Approve/);
    expect(await screen.findByLabelText("Yes"), "it is open again, as it was filled in").toHaveProperty("checked", true);
    expect(opened.desk.sent("undo")).toMatchObject([{ request: "r1" }]);
    expect(last(), "there is nothing left to undo").toBeNull();
  });

  it("leads back to it by its title, and gives the key to the question that is shown", async () => {
    const opened = open(three(), undefined, {});
    await heading(/^Approve/);
    await accept(opened);
    await heading(/^Which/);
    await opened.user.click(within(await screen.findByRole("region", { name: "Your last answer" })).getByRole("button", { name: /^Approve/ }));
    await heading(/^Approve/);
    expect(last(), "it is shown itself").toBeNull();
    await opened.user.keyboard("u");
    await waitFor(() => expect(opened.desk.sent("undo")).toHaveLength(1));
  });

  it("stays where somebody wants it to, or where nothing else waits", async () => {
    const opened = open(three(), undefined, { next: false });
    await heading(/^Approve/);
    await accept(opened);
    await screen.findByText("accepted by you");
    expect(currentNav().request).toBe("r1");
    opened.unmount();
    select({ request: null });
    const alone = open(three().slice(0, 1), undefined, {});
    await accept(alone);
    await screen.findByText("accepted by you");
    expect(currentNav().request).toBe("r1");
  });

  it("takes no press that came too soon to be meant for the question that has just come", async () => {
    const now = vi.spyOn(performance, "now").mockReturnValue(10_000);
    const { desk, user } = open(three(), undefined, {});
    await heading(/^Approve/);
    await user.keyboard("3");
    await heading(/^Which/);
    await user.keyboard("3");
    await user.click(screen.getByRole("button", { name: "Dismiss" }));
    expect(desk.sent("answer").map(({ request }) => request), "the second press was for the first question").toEqual(["r1"]);
    now.mockReturnValue(10_600);
    await user.keyboard("3");
    await waitFor(() => expect(desk.sent("answer").map(({ request }) => request)).toEqual(["r1", "r2"]));
  });

  it("stays at a round until all of it is decided", async () => {
    const round = aRound(["Which region?", "Which size?"]);
    const { user } = open([...round, aDetail({ id: "r9", message: "Something else?" })], undefined, {});
    await user.click(within(await screen.findByRole("region", { name: /Which region/ })).getByLabelText("Yes"));
    await user.click(screen.getByRole("button", { name: /^Decline/ }));
    await within(screen.getByRole("region", { name: /Which region/ })).findByText(/undo for/);
    expect(currentNav().request).toBe("r1");
    await user.click(within(screen.getByRole("region", { name: /Which size/ })).getByRole("button", { name: "Answer this" }));
    await user.click(screen.getByRole("button", { name: /^Decline/ }));
    await heading(/^Something else/);
  });

  it("leaves the keys where they reach the next question", async () => {
    const desk = new Desk(three());
    renderWith(desk, <App />);
    await heading(/^Approve/);
    await userEvent.keyboard("{Enter}");
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText("Yes")));
    await userEvent.keyboard(" 1");
    await screen.findByRole("dialog");
    await userEvent.keyboard("{Enter}");
    await heading(/^Which/);
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await waitFor(() => expect(document.activeElement?.closest("[data-pane]"), "a pane has the focus").toBeTruthy());
    expect(document.activeElement?.matches("input, textarea, select"), "no key becomes text unasked").toBe(false);
    await userEvent.keyboard("n");
    await heading(/^Migrate/);
  });

  it("is not moved on from by an answer that was refused", async () => {
    const opened = open(three(), undefined, {});
    await heading(/^Approve/);
    opened.desk.act = () => Promise.reject(Object.assign(new Error("The task ended."), { code: "already_closed", retry: "never" }));
    await opened.user.keyboard("3");
    await screen.findByText("The task or question is already over");
    expect(currentNav().request).toBe("r1");
  });
});

describe("after a snooze", () => {
  const snooze = async ({ user }: Pick<ReturnType<typeof open>, "user">) => {
    await user.keyboard("h");
    await screen.findByRole("dialog", { name: "Snooze until when?" });
    await user.click(screen.getByRole("button", { name: /^In 1 hour/ }));
  };

  it("shows the next question by itself, as after an answer", async () => {
    const opened = open(three(), undefined, {});
    await heading(/^Approve/);
    await snooze(opened);
    await heading(/^Which/);
    expect(opened.desk.sent("snooze")).toMatchObject([{ request: "r1" }]);
    expect(last(), "nothing was answered").toBeNull();
    await waitFor(() => expect(document.activeElement?.closest("[data-pane]"), "the focus is not lost").toBeTruthy());
  });

  it("leaves the undo of the last answer where it is", async () => {
    const now = vi.spyOn(performance, "now").mockReturnValue(10_000);
    const opened = open(three(), 60_000, {});
    await heading(/^Approve/);
    await opened.user.keyboard("3");
    await heading(/^Which/);
    expect(last()).toBeTruthy();
    now.mockReturnValue(10_600);
    await snooze(opened);
    await heading(/^Migrate/);
    expect(last(), "that can still be taken back").toBeTruthy();
  });

  it("stays where somebody wants it to", async () => {
    const opened = open(three(), undefined, { next: false });
    await heading(/^Approve/);
    await snooze(opened);
    await waitFor(() => expect(screen.getAllByRole("option"), "it has left the list").toHaveLength(2));
    await heading(/^Approve/);
    expect(currentNav().request).toBe("r1");
  });

  it("takes no press that came too soon to be meant for the question that has just come", async () => {
    const now = vi.spyOn(performance, "now").mockReturnValue(10_000);
    const opened = open(three(), undefined, {});
    await heading(/^Approve/);
    await snooze(opened);
    await heading(/^Which/);
    await opened.user.keyboard("h");
    expect(screen.queryByRole("dialog", { name: "Snooze until when?" })).toBeNull();
    now.mockReturnValue(10_600);
    await opened.user.keyboard("h");
    await screen.findByRole("dialog", { name: "Snooze until when?" });
  });
});

describe("what is shown beside the list", () => {
  const at = new Date().toISOString();
  const over: RequestDetail["row"]["answer"] = { action: "decline", decidedAt: at, sendAt: at, sentAt: at };
  const withAnswered = () => [...three(), aDetail({ id: "r4", message: "Keep the cache?", state: "answered", closedAt: at, answer: over })];

  it("follows the tab, and is what it was when one comes back", async () => {
    const { user } = open(withAnswered());
    await heading(/^Approve/);
    await user.keyboard("j");
    await heading(/^Which/);
    await user.click(screen.getByRole("tab", { name: /^Answered/ }));
    await heading(/^Keep the cache/);
    await user.click(screen.getByRole("tab", { name: /^Needs you/ }));
    await heading(/^Which/);
  });

  it("follows the filter, to nothing where nothing matches", async () => {
    const { user } = open(three());
    await heading(/^Approve/);
    await user.keyboard("/Migrate");
    await heading(/^Migrate/);
    await user.keyboard(" nothing");
    await screen.findByText("No question matches");
    await waitFor(() => expect(screen.queryByRole("heading", { level: 1 })).toBeNull());
  });

  it("stays where the list still has it", async () => {
    const { user } = open(three());
    await heading(/^Approve/);
    await user.keyboard("/Approve");
    await waitFor(() => expect(screen.getAllByRole("option")).toHaveLength(1));
    await heading(/^Approve/);
  });

  it("is never moved by what others do: what has left the list stands below it", async () => {
    const { desk } = open(three());
    await heading(/^Approve/);
    expect(screen.queryByRole("complementary"), "the list has it").toBeNull();
    act(() => desk.change("r1", (detail) => ({ ...detail, row: { ...detail.row, state: "closed", reason: "task_ended", closedAt: at } })));
    await waitFor(() => expect(screen.getAllByRole("option")).toHaveLength(2));
    const unlisted = await screen.findByRole("complementary", { name: "Selected, but not in this list" });
    expect(unlisted.textContent).toContain("Approve deployment");
    expect(currentNav().request).toBe("r1");
  });

  it("is what a notification points at, whatever the list is narrowed to", async () => {
    const { user } = open(three());
    await heading(/^Approve/);
    await user.keyboard("/Migrate");
    await heading(/^Migrate/);
    await act(async () => {
      openRequest("r2");
      await Promise.resolve();
    });
    await heading(/^Which/);
    expect((await screen.findByRole("complementary")).textContent).toContain("Which dataset");
  });
});

describe("n", () => {
  /** As long as it takes for what was asked for to be here, in promises. */
  const settled = () =>
    act(async () => {
      for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
    });

  it("goes through a hundred questions, each of them there in the same render as the move", { timeout: 120_000 }, async () => {
    const { desk } = open(Array.from({ length: 100 }, (_, n) => aDetail({ id: `r${n}`, message: `Question ${n}` })));
    await heading("Question 0");
    const seen = () => new Set(desk.looks.flatMap(({ view }) => (view.type === "request" ? [view.request] : [])));
    for (let n = 1; n < 100; n += 1) {
      await settled();
      expect(seen().size, "no more is asked for than what is shown, and two that a key leads to").toBeLessThanOrEqual(n + 2);
      fireEvent.keyDown(document.body, { key: "n" });
      expect(screen.getByRole("heading", { level: 1 }).textContent).toBe(`Question ${n}`);
      expect(screen.getByLabelText("Yes"), "with all there is to fill in").toBeTruthy();
    }
  });
});

describe("n in a long inbox", () => {
  const MANY = 320;
  const long = () => Array.from({ length: MANY }, (_, n) => aDetail({ id: `r${n}`, message: `Question ${n}` }));
  const press = async () => {
    const before = currentNav().request;
    await waitFor(() => {
      if (currentNav().request === before) fireEvent.keyDown(document.body, { key: "n" });
      expect(currentNav().request).not.toBe(before);
    });
    return currentNav().request;
  };

  it("goes on where the first of them end, and from the last to the first", { timeout: 120_000 }, async () => {
    open(long());
    act(() => select({ request: "r290" }));
    await heading("Question 290");
    for (let n = 291; n < MANY; n += 1) expect(await press()).toBe(`r${n}`);
    expect(await press(), "there is always a next one").toBe("r0");
  });
});

describe("from a notification's Review", () => {
  const kind = { type: "text", multiline: false } as const;
  const asksText = () => {
    const [first, ...others] = three();
    const form: FormSpec = { notes: [], fields: [{ name: "why", label: "Why", required: true, nullable: false, kind }] };
    return first ? [{ ...first, form }, ...others] : [];
  };
  const pane = () => screen.getByRole("region", { name: "Question" });

  it("plain keys are keys, whatever is to be filled in first", async () => {
    const { user } = open(asksText(), undefined, {});
    await heading(/^Approve/);
    act(() => openItem({ kind: "request", id: "r1" }));
    await waitFor(() => expect(document.activeElement).toBe(pane()));
    await user.keyboard("j");
    await heading(/^Which/);
    await user.keyboard("k{Enter}");
    await waitFor(() => expect(document.activeElement, "Enter is the way in").toBe(screen.getByLabelText("Why")));
  });

  it("nobody is taken out of a dialog, and goes into the question after it", async () => {
    const { user } = open(asksText(), undefined, {});
    await heading(/^Approve/);
    await user.keyboard("h");
    const dialog = await screen.findByRole("dialog");
    await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true));
    act(() => openItem({ kind: "request", id: "r1" }));
    expect(dialog.contains(document.activeElement), "no key acts on what lies behind").toBe(true);
    await user.keyboard("{Escape}");
    await waitFor(() => expect(document.activeElement).toBe(pane()));
  });

  it("nobody is taken out of the field that they type into", async () => {
    const { user } = open(asksText(), undefined, {});
    await user.type(await screen.findByLabelText("Why"), "be");
    act(() => openItem({ kind: "request", id: "r1" }));
    await user.keyboard("cause");
    expect(screen.getByLabelText("Why")).toHaveProperty("value", "because");
  });

  it("whoever wants to answer goes into the form", async () => {
    open(asksText(), undefined, {});
    await heading(/^Approve/);
    act(() => answerRequest("r1"));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText("Why")));
  });

  it("the question is seen from its beginning, however far down its form is", async () => {
    const scrolled = vi.spyOn(Element.prototype, "scrollIntoView");
    open(three(), undefined, {});
    await heading(/^Approve/);
    const yes = screen.getByLabelText("Yes");
    for (const enter of [() => openItem({ kind: "request", id: "r1" }), () => answerRequest("r1")]) {
      pane().scrollTop = 300;
      const focused = vi.spyOn(yes, "focus");
      act(enter);
      await waitFor(() => expect(focused.mock.calls, "nothing scrolls to the field").toEqual([[{ preventScroll: true }]]));
      expect(document.activeElement).toBe(yes);
      expect(pane().scrollTop, "who asks is in sight").toBe(0);
      expect(scrolled.mock.contexts.every((element) => element instanceof Element && element.matches("[data-pane]")), "of a narrow window this pane is seen").toBe(true);
      focused.mockRestore();
    }
  });

  it("what a key changes out of sight comes into sight", async () => {
    const { user } = open(three(), undefined, {});
    await heading(/^Approve/);
    act(() => openItem({ kind: "request", id: "r1" }));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText("Yes")));
    const scrolled = vi.spyOn(Element.prototype, "scrollIntoView");
    await user.keyboard(" ");
    expect(scrolled.mock.contexts.some((element) => element instanceof Element && element.contains(screen.getByLabelText("Yes")))).toBe(true);
  });

  it("it is three keys to the receipt of a yes or no", async () => {
    const { desk, user } = open(three().slice(0, 1), undefined, {});
    await heading(/^Approve/);
    act(() => openItem({ kind: "request", id: "r1" }));
    await waitFor(() => expect(document.activeElement, "it takes no text").toBe(screen.getByLabelText("Yes")));
    expect(ACTIONS["request.submit"].keys, "the key is the table's").toContain("1");
    const keys = [" ", "1", "{Enter}"];
    for (const [index, key] of keys.entries()) {
      await user.keyboard(key);
      if (index === 1) await screen.findByRole("dialog");
    }
    await screen.findByText("accepted by you");
    expect(desk.sent("answer")).toMatchObject([{ request: "r1", action: "accept", content: '{"approved":true}' }]);
    expect(keys).toHaveLength(3);
  });
});
