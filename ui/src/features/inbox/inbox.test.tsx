import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";

import { currentNav, select } from "../../app/nav";
import { renderWith } from "../../test/render";
import { InboxPlace } from "./InboxPlace";
import { heading, open } from "./openInbox";
import { aDetail, Desk, sent } from "./samples";

const two = () => [aDetail(), aDetail({ id: "r2", message: "Which dataset version?" })];

beforeEach(() => select({ request: null }));

describe("the list", () => {
  it("shows who asks what, and opens the first question", async () => {
    open(two());
    const options = await screen.findAllByRole("option");
    expect(options.map((option) => option.textContent)).toEqual([
      expect.stringContaining("Approve deployment to production?"),
      expect.stringContaining("Which dataset version?"),
    ]);
    expect(options[0]?.textContent).toContain("ci · deploy · api-gateway 4.18.2");
    await heading("Approve deployment to production?");
    expect(screen.getByText("1 of 2")).toBeTruthy();
  });

  it("moves with j and k, and to the next open question with n", async () => {
    const { user } = open(two());
    await heading(/^Approve/);
    await user.keyboard("j");
    await heading(/^Which/);
    await user.keyboard("k");
    await heading(/^Approve/);
    await user.keyboard("n");
    await heading(/^Which/);
  });

  it("goes to the form with Enter", async () => {
    const { user } = open(two());
    await heading(/^Approve/);
    await user.keyboard("{Enter}");
    expect(document.activeElement).toBe(screen.getByLabelText("Yes"));
  });

  it("says what comes next when nothing is open", async () => {
    open([]);
    await screen.findByText("Nothing needs you");
    expect(screen.getByRole("button", { name: "Start a tool" })).toBeTruthy();
  });

  it("holds a window of rows around what is in sight", async () => {
    const many = Array.from({ length: 1_000 }, (_, n) => aDetail({ id: `r${n}`, message: `Question ${n}` }));
    const { desk } = open(many);
    await heading("Question 0");
    expect(screen.getByText("1 of 1,000")).toBeTruthy();
    expect(screen.getAllByRole("option").length, "only what is in sight exists").toBeLessThan(60);
    const limits = desk.looks.flatMap(({ view }) => (view.type === "inbox" ? [view.limit] : []));
    expect(Math.max(...limits), "and the desk is never asked for all").toBeLessThanOrEqual(500);
  });

  it("says why it cannot be shown while the desk is away, and comes back", async () => {
    const desk = new Desk(two());
    desk.fail({ code: "owner_gone", message: "The socket was closed.", retry: "later" });
    renderWith(desk, <InboxPlace overview={undefined} />);
    await screen.findByText("The program that holds the data directory went away");
    desk.fail(undefined);
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findAllByRole("option")).toHaveLength(2);
  });
});

describe("answering a form", () => {
  it("reviews the very text that is sent, holds it, and shows it afterwards", async () => {
    const { desk, user } = open(two());
    await user.click(await screen.findByLabelText("Yes"));
    await user.type(screen.getByLabelText(/^Limit/), "12345678901234567890");
    await user.keyboard("{Control>}{Enter}{/Control}");
    const dialog = await screen.findByRole("dialog", { name: "Send this answer?" });
    const content = '{"approved":true,"limit":12345678901234567890}';
    const shown = within(dialog).getByRole("figure", { name: "Content that is sent" }).querySelector("pre")?.textContent;
    expect(shown?.replaceAll(/\s/g, ""), "the review shows the server's own shape, which the desk made").toBe(sent("accept", content));
    expect(desk.sent("answer"), "nothing goes out before it was seen").toEqual([]);
    await user.keyboard("{Enter}");
    await waitFor(() =>
      expect(desk.sent("answer")).toEqual([{ type: "answer", request: "r1", action: "accept", content, holdMs: 5_000 }]),
    );
    await screen.findByText(/^Sending in/);
    expect(screen.getByText("accepted by you")).toBeTruthy();
    expect(screen.getByRole("heading", { level: 1 }).textContent, "nothing jumps by itself").toBe("Approve deployment to production?");
  });

  it("leaves a field with Escape, so that the plain keys work again", async () => {
    const { user } = open(two());
    await user.type(await screen.findByLabelText(/^Limit/), "7n{Escape}n");
    await heading(/^Which/);
  });

  it("is not sent by the key that opened the review and is still held", async () => {
    const { desk, user } = open(two());
    await user.click(await screen.findByLabelText("Yes"));
    await user.keyboard("1");
    const dialog = await screen.findByRole("dialog");
    fireEvent.keyDown(dialog, { key: "Enter", repeat: true });
    fireEvent.keyDown(within(dialog).getByRole("button", { name: /^Send/ }), { key: "Enter", repeat: true });
    expect(desk.sent("answer")).toEqual([]);
  });

  it("can be taken back while it is held, with all that was filled in", async () => {
    const { desk, user } = open(two());
    await user.click(await screen.findByLabelText("No"));
    await user.keyboard("1");
    await screen.findByRole("dialog");
    await user.keyboard("{Enter}");
    await screen.findByText(/^Sending in/);
    await user.keyboard("u");
    expect(await screen.findByLabelText("No")).toHaveProperty("checked", true);
    expect(desk.sent("undo")).toEqual([{ type: "undo", request: "r1" }]);
  });

  it("shows what does not fit at its field, goes there, and sends nothing", async () => {
    const { desk, user } = open(two());
    desk.misfits = [{ field: "limit", path: "/limit", code: "tooLarge", message: "At most 5" }];
    await user.click(await screen.findByLabelText("Yes"));
    await user.type(screen.getByLabelText(/^Limit/), "7");
    await user.click(screen.getByRole("button", { name: /^Review and send/ }));
    await screen.findByText("At most 5");
    expect(screen.getByText("1 value does not fit. Nothing was sent.").className, "it is seen, not only heard").not.toContain("unseen");
    const limit = screen.getByLabelText(/^Limit/);
    expect(document.activeElement).toBe(limit);
    expect(limit.getAttribute("aria-invalid")).toBe("true");
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(desk.sent("answer")).toEqual([]);
    await user.type(limit, "{Backspace}5");
    expect(screen.queryByText("At most 5"), "a field that changed is not wrong any more until it is checked again").toBeNull();
  });

  it("does not even ask the desk to send what is no number", async () => {
    const { desk, user } = open(two());
    await user.click(await screen.findByLabelText("Yes"));
    await user.type(screen.getByLabelText(/^Limit/), "many");
    await user.click(screen.getByRole("button", { name: /^Review and send/ }));
    await screen.findByText(/^Not a number/);
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(desk.sent("answer")).toEqual([]);
  });

  it("keeps decline and dismiss apart, and sends no content with either", async () => {
    const { desk, user } = open(two());
    await user.click(await screen.findByLabelText("Yes"));
    await user.keyboard("3");
    await screen.findByText("declined by you");
    act(() => select({ request: "r2" }));
    await heading(/^Which/);
    await user.click(screen.getByRole("button", { name: "Dismiss" }));
    await screen.findByText("dismissed by you");
    expect(desk.sent("answer")).toEqual([
      { type: "answer", request: "r1", action: "decline", holdMs: 5_000 },
      { type: "answer", request: "r2", action: "cancel", holdMs: 5_000 },
    ]);
  });

  it("says what the server hears of a no before it is pressed", async () => {
    open(two());
    const said = (name: RegExp) =>
      document.getElementById(screen.getByRole("button", { name }).getAttribute("aria-describedby") ?? "")?.textContent;
    await heading(/^Approve/);
    expect(said(/^Decline/)).toBe("The server is told that you say no.");
    expect(said(/^Dismiss/)).toBe("The server is told that you leave it undecided. It may ask again or give up.");
  });

  it("names the key that works where the focus is", async () => {
    const { user } = open(two());
    await heading(/^Approve/);
    const keys = (name: RegExp) => screen.getByRole("button", { name }).querySelector(".hint")?.getAttribute("data-off");
    expect(screen.getByRole("button", { name: /^Review and send\s*Ctrl\s*Enter$/ }), "it works everywhere").toBeTruthy();
    expect(keys(/^Decline/)).toBeNull();
    await user.click(screen.getByLabelText(/^Limit/));
    expect(keys(/^Decline/), "3 would be typed into the field").toBe("true");
    expect(keys(/^Review/)).toBeNull();
  });

  it("offers to take back without standing out, for no longer than was given", async () => {
    const { user } = open(two());
    await user.click(await screen.findByLabelText("Yes"));
    await user.keyboard("1");
    await screen.findByRole("dialog");
    await user.keyboard("{Enter}");
    const counting = await screen.findByText(/^Sending in \d+ s$/);
    expect(Number(/\d+/.exec(counting.textContent)?.[0])).toBeLessThanOrEqual(5);
    expect(screen.getByRole("button", { name: /^Undo/ }).className).not.toContain("primary");
  });

  it("sends nothing that was changed while it was looked at", async () => {
    const { desk, user } = open(two());
    await user.click(await screen.findByLabelText("Yes"));
    await user.keyboard("1");
    await screen.findByRole("dialog");
    fireEvent.click(screen.getByLabelText("No"));
    await user.keyboard("{Enter}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(desk.sent("answer")).toEqual([]);
  });

  it("sends nothing when the review or the window is closed", async () => {
    const { desk, user, unmount } = open(two());
    await user.click(await screen.findByLabelText("Yes"));
    await user.keyboard("1");
    await screen.findByRole("dialog");
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await user.keyboard("1");
    await screen.findByRole("dialog");
    unmount();
    expect(desk.sent("answer")).toEqual([]);
  });

  it("says what failed and keeps the form", async () => {
    const { desk, user } = open(two());
    await user.click(await screen.findByLabelText("Yes"));
    desk.act = () => Promise.reject(Object.assign(new Error("The task ended."), { code: "already_closed", retry: "never" }));
    await user.keyboard("3");
    await screen.findByText("It is over already");
    expect(screen.getByLabelText("Yes")).toHaveProperty("checked", true);
  });
});

describe("drafts", () => {
  it("are saved soon after the last change, as texts", async () => {
    const { desk, user } = open(two());
    await user.type(await screen.findByLabelText(/^Limit/), "1e");
    await screen.findByText(/^Draft saved/);
    const [saved, ...more] = desk.sent("save_draft");
    expect(more, "one save for several keys").toEqual([]);
    expect(saved?.request).toBe("r1");
    expect(JSON.parse(saved?.draft ?? "")).toMatchObject({ tab: "form", fields: [["limit", "1e"]] });
  });

  it("are saved at once when another question is opened", async () => {
    const { desk, user } = open(two());
    await user.click(await screen.findByLabelText("Yes"));
    act(() => select({ request: "r2" }));
    await waitFor(() => expect(desk.sent("save_draft").map((command) => command.request)).toEqual(["r1"]));
  });

  it("come back after a restart", async () => {
    const draft = JSON.stringify({ tab: "form", fields: [["approved", "false"], ["limit", "7,5"]], json: "{}" });
    open([aDetail({ hasDraft: true }, { draft })]);
    expect(await screen.findByLabelText("No")).toHaveProperty("checked", true);
    expect(screen.getByLabelText(/^Limit/)).toHaveProperty("value", "7,5");
    expect(screen.getByText("Draft kept")).toBeTruthy();
  });

  it("are not taken back by a view that comes while the person types", async () => {
    const { desk, user } = open(two());
    const limit = await screen.findByLabelText(/^Limit/);
    await user.type(limit, "12");
    const stale = JSON.stringify({ tab: "form", fields: [["limit", "1"]], json: "{}" });
    act(() => desk.change("r1", (detail) => ({ ...detail, draft: stale, statusMessage: "Canary is still healthy" })));
    await screen.findByText("Canary is still healthy");
    expect(screen.getByLabelText(/^Limit/)).toBe(limit);
    expect(limit).toHaveProperty("value", "12");
  });

  it("say so when they cannot be saved", async () => {
    const { desk, user } = open(two());
    await user.click(await screen.findByLabelText("Yes"));
    desk.act = () => Promise.reject(Object.assign(new Error("No space left."), { code: "storage_full", retry: "after_fix" }));
    await screen.findByText("Draft not saved");
  });
});

describe("a question that asks again", () => {
  const former = { action: "accept", content: '{"approved":false,"limit":3}', decidedAt: "2026-11-21T10:00:00Z", sendAt: "2026-11-21T10:00:05Z" } as const;

  it.each([
    ["not_taken", "It has not taken it"],
    ["refused", "refused your answer"],
    ["unknown", "the server may get two answers"],
  ] as const)("in the state %s says why, and holds the former answer", async (state, why) => {
    open([aDetail({ state, answer: { ...former, ...(state === "refused" && { refusal: "limit is frozen" }) } })]);
    expect((await screen.findByText(new RegExp(why))).textContent).toBeTruthy();
    expect(screen.getByLabelText("No")).toHaveProperty("checked", true);
    expect(screen.getByLabelText(/^Limit/)).toHaveProperty("value", "3");
    expect(screen.queryByText("limit is frozen") !== null).toBe(state === "refused");
    expect(screen.getByRole("button", { name: /^Review and send/ })).toHaveProperty("disabled", false);
  });
});

describe("what was typed into a question that ended", () => {
  it("stays readable, and can be copied", async () => {
    select({ request: "r1" });
    const draft = JSON.stringify({ tab: "form", fields: [["approved", "false"], ["limit", "7,5"]], json: "{}" });
    const { desk, user } = open([aDetail({ state: "closed", reason: "task_ended", closedAt: "2026-11-21T10:00:00Z" }, { draft })]);
    const typed = (await screen.findByRole("heading", { name: "What you had typed" })).parentElement ?? document.body;
    expect(within(typed).getByText('"7,5"')).toBeTruthy();
    expect(within(typed).queryByRole("textbox"), "it is not for editing").toBeNull();
    await user.click(within(typed).getByRole("button", { name: "Copy" }));
    expect(desk.copied).toEqual(['{"approved":"false","limit":"7,5"}']);
  });

  it("stays when it ends while one types", async () => {
    const { desk, user } = open(two());
    await user.type(await screen.findByLabelText(/^Limit/), "42");
    act(() => desk.change("r1", (detail) => ({ ...detail, row: { ...detail.row, state: "closed", reason: "task_ended", closedAt: "2026-11-21T10:00:00Z" } })));
    const typed = (await screen.findByRole("heading", { name: "What you had typed" })).parentElement ?? document.body;
    expect(within(typed).getByText("42")).toBeTruthy();
  });

  it("is not told of one in which nothing was typed", async () => {
    select({ request: "r1" });
    open([aDetail({ state: "closed", reason: "task_ended", closedAt: "2026-11-21T10:00:00Z" })]);
    await screen.findByText(/The task ended/);
    expect(screen.queryByText("What you had typed")).toBeNull();
  });
});

describe("a question of which it is not known for what it is", () => {
  it("claims no task, no arguments and no deadline", async () => {
    const detail = aDetail({ tool: "", summary: "" });
    delete detail.row.call;
    delete detail.row.expiresAt;
    delete detail.arguments;
    open([detail]);
    await heading(/^Approve/);
    expect(screen.getByText(/asks, for which task is not known/)).toBeTruthy();
    for (const claim of [/adopted/, "Arguments", "Deadline", "no limit"]) expect(screen.queryByText(claim)).toBeNull();
  });
});

describe("an answer that has not gone out", () => {
  const decidedAt = "2026-11-20T10:00:00Z";
  const waiting = () => aDetail({ state: "sending", answer: { action: "accept", content: '{"approved":true}', decidedAt, sendAt: decidedAt } });

  it("is never said to be on its way: it waits for the server, since when, and can be taken back", async () => {
    const desk = new Desk([waiting()]);
    desk.overview.servers = desk.overview.servers.map((server) => ({
      ...server,
      health: { state: "unreachable", code: "unreachable", message: "No route to host", since: decidedAt, retryAt: decidedAt },
    }));
    renderWith(desk, <InboxPlace overview={desk.overview} />);
    await screen.findByText(/^Still waiting to be sent since/);
    expect(screen.getByText("kept, not sent yet")).toBeTruthy();
    expect(screen.queryByText(/on its way|Sending in/i)).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: /^Take back/ }));
    expect(desk.sent("undo")).toEqual([{ type: "undo", request: "r1" }]);
    expect(await screen.findByLabelText("Yes"), "what was said is the draft").toHaveProperty("checked", true);
  });

  it("is being sent while the server answers", async () => {
    open([waiting()]);
    await screen.findByText("Being sent: the server does not have it yet.");
  });
});

describe("an answer that nobody was there to send", () => {
  it("is a draft again, and says so", async () => {
    open([aDetail({ reason: "lapsed" }, { draft: '{"approved":false}' })]);
    await screen.findByText(/^Your answer was not sent: nobody was there to send it in time/);
    expect(screen.getByLabelText("No")).toHaveProperty("checked", true);
  });
});

describe("the empty inbox", () => {
  it("says what this place is for, in both panes", async () => {
    open([]);
    await screen.findByText("This is where servers reach you");
    await screen.findByText("Nothing needs you");
  });
});

describe("a receipt", () => {
  it.each([
    ["accept", "person", "accepted by you", "done"],
    ["decline", "person", "declined by you", "cancelled"],
    ["cancel", "person", "dismissed by you", "cancelled"],
    ["accept", "signalbox", "accepted by Signalbox, by its rules", "done"],
  ] as const)("of %s by %s says %s, with a lamp of its own", async (action, decidedBy, words, lamp) => {
    const at = "2026-11-21T10:00:00Z";
    select({ request: "r1" });
    open([aDetail({ state: "answered", closedAt: at, decidedBy, answer: { action, decidedAt: at, sendAt: at, sentAt: at } })]);
    const said = await screen.findByText(words);
    expect(said.parentElement?.querySelector("[data-lamp]")?.getAttribute("data-lamp")).toBe(lamp);
  });

  it("says what was answered and how far it got, and leads on only when asked to", async () => {
    const start = Date.now() - 60_000;
    const at = (second: number) => new Date(start + second * 1_000).toISOString();
    const answer = { action: "accept", content: '{"keep":1.0}', decidedAt: at(0), sendAt: at(5), sentAt: at(5), acknowledgedAt: at(6) } as const;
    const { desk, user } = open(two());
    await heading(/^Approve/);
    act(() => desk.change("r1", (detail) => ({ ...detail, row: { ...detail.row, state: "answered", closedAt: at(6), answer } })));
    await screen.findByRole("heading", { name: "Receipt" });
    expect(screen.getByText("accepted by you")).toBeTruthy();
    expect(screen.getByText(/"keep": 1\.0/)).toBeTruthy();
    const facts = Object.fromEntries(
      screen.getAllByRole("term").map((term) => [term.textContent, term.nextElementSibling?.querySelector("time")?.dateTime ?? term.nextElementSibling?.textContent]),
    );
    expect(facts).toMatchObject({ Decided: at(0), Sent: at(5), Acknowledged: at(6), Taken: "not seen yet: the server may still ask" });
    expect(currentNav().request, "what a person looks at stays").toBe("r1");
    await user.click(screen.getByRole("button", { name: /^Next question/ }));
    await heading(/^Which/);
  });

  it.each([
    ["task_ended", "The task ended"],
    ["answered_elsewhere", "somebody else answered it"],
    ["superseded", "A later question took its place"],
  ] as const)("of a question closed by %s says so", async (reason, words) => {
    select({ request: "r1" });
    open([aDetail({ state: "closed", reason, closedAt: "2026-11-21T10:00:00Z" })]);
    await screen.findByText(new RegExp(words));
    expect(screen.getByText("Nothing else needs you")).toBeTruthy();
  });
});
