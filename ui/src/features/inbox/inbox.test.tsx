import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useEffect } from "react";
import { beforeEach, describe, expect, it } from "vitest";

import { listenForKeys } from "../../actions/keys";
import { currentNav, select } from "../../app/nav";
import { renderWith } from "../../test/render";
import type { RequestDetail } from "../../types";
import { InboxPlace } from "./InboxPlace";
import { aDetail, Desk } from "./samples";

const two = () => [aDetail(), aDetail({ id: "r2", message: "Which dataset version?" })];

function Keys() {
  useEffect(() => listenForKeys(window), []);
  return null;
}

function open(details: RequestDetail[], hold?: number) {
  const desk = new Desk(details, hold);
  const view = renderWith(
    desk,
    <>
      <Keys />
      <InboxPlace overview={desk.overview} />
    </>,
  );
  return { desk, user: userEvent.setup(), ...view };
}

const heading = (name: string | RegExp) => screen.findByRole("heading", { level: 1, name });

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
    expect(within(dialog).getByText(/"limit": 12345678901234567890/)).toBeTruthy();
    expect(desk.sent("answer"), "nothing goes out before it was seen").toEqual([]);
    await user.keyboard("{Enter}");
    const content = '{"approved":true,"limit":12345678901234567890}';
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

  it("keeps decline and cancel apart, and sends no content with either", async () => {
    const { desk, user } = open(two());
    await user.click(await screen.findByLabelText("Yes"));
    await user.keyboard("3");
    await screen.findByText("declined by you");
    act(() => select({ request: "r2" }));
    await heading(/^Which/);
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    await screen.findByText("dismissed by you");
    expect(desk.sent("answer")).toEqual([
      { type: "answer", request: "r1", action: "decline", holdMs: 5_000 },
      { type: "answer", request: "r2", action: "cancel", holdMs: 5_000 },
    ]);
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

describe("a question in the browser", () => {
  const url = { full: "http://user@127.0.0.1:81/sign", before: "http://user@", host: "127.0.0.1", after: ":81/sign", warnings: ["not_https", "user_info"] as const };
  const ask = () => aDetail({ mode: "url", host: "127.0.0.1" }, { form: undefined, url: { ...url, warnings: [...url.warnings] } });

  it("shows the whole address with its warnings and opens nothing unasked", async () => {
    const { desk, user } = open([ask()]);
    const host = await screen.findByText("127.0.0.1", { selector: "strong" });
    expect(host.parentElement?.textContent).toBe(url.full);
    expect(screen.getByText("Not encrypted: it is not https")).toBeTruthy();
    await user.click(screen.getByText("Accept"));
    await screen.findByText("accepted by you");
    expect(desk.sent("answer")).toEqual([{ type: "answer", request: "r1", action: "accept", holdMs: 5_000 }]);
    expect(desk.opened).toEqual([]);
  });

  it("opens it at a press, and answers nothing by that", async () => {
    const { desk, user } = open([ask()]);
    await user.click(await screen.findByRole("button", { name: "Open in browser" }));
    await screen.findByText(/^Handed to your browser/);
    expect(desk.opened).toEqual([url.full]);
    expect(desk.sent("answer")).toEqual([]);
  });

  it("does not open what is no address", async () => {
    const detail = aDetail({ mode: "url" }, { url: { full: "nonsense", before: "nonsense", host: "", after: "", warnings: ["malformed"] } });
    open([detail]);
    expect(await screen.findByRole("button", { name: "Open in browser" })).toHaveProperty("disabled", true);
  });
});

describe("what cannot be answered here", () => {
  it.each([
    ["another kind", aDetail({ mode: "other", method: "sampling/createMessage" }), "Requests of the kind sampling/createMessage cannot be answered here yet"],
    ["a round", aDetail({}, { identity: { kind: "round", call: "t1", n: 1, key: "k" } }), "multi round-trip request"],
    ["an orphan", aDetail({ state: "orphaned" }), "has not asked again"],
  ])("%s is shown as JSON, without buttons", async (_, detail, why) => {
    select({ request: detail.row.id });
    open([detail]);
    await screen.findByText(new RegExp(why));
    expect(screen.getByRole("figure", { name: "Request as received" })).toBeTruthy();
    expect(screen.queryByRole("button", { name: /^Review and send|^Decline|^Accept/ })).toBeNull();
  });
});

describe("a receipt", () => {
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
