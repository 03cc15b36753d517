import { act, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";

import { choose } from "../../actions/chosen";
import { currentNav, select } from "../../places/nav";
import { renderWith } from "../../test/render";
import { InboxPlace } from "./InboxPlace";
import { heading, open } from "./openInbox";
import { aDetail, Desk } from "./samples";

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

  it("counts beside a question what its tab counts", async () => {
    const orphan = aDetail({ id: "r3", message: "Nobody asks this", state: "orphaned", stranded: true });
    const answer = { action: "accept", content: "{}", decidedAt: new Date().toISOString(), sendAt: new Date(Date.now() + 60_000).toISOString() } as const;
    open([...two(), orphan, aDetail({ id: "r4", message: "On its way", state: "held", answer })]);
    await heading(/^Approve/);
    await screen.findByText("1 of 2");
    const held = screen.getAllByRole("option").find((option) => option.textContent.includes("On its way"));
    expect(held?.textContent, "said once").toMatch(/undo for \d+ s/);
    expect(held?.textContent).not.toContain("can be undone");
    act(() => select({ request: "r3" }));
    await heading(/^Nobody asks/);
    expect(screen.queryByText(/^\d of \d$/), "it is counted nowhere").toBeNull();
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
    const space = screen.getByRole("listbox", { name: "Questions" }).querySelector<HTMLElement>('[role="presentation"]');
    expect(space?.style.height, "as long as all cards, whether their rows are here or not").toBe(`${1_000 * 84}px`);
    expect(screen.getAllByRole("option").length, "only what is in sight exists").toBeLessThan(60);
    const limits = desk.looks.flatMap(({ view }) => (view.type === "inbox" ? [view.limit] : []));
    expect(Math.max(...limits), "and the desk is never asked for all").toBeLessThanOrEqual(500);
  });

  it("says why it cannot be shown while the desk is away, and comes back", async () => {
    const desk = new Desk(two());
    desk.fail({ code: "owner_gone", message: "The socket was closed.", retry: "later" });
    renderWith(desk, <InboxPlace overview={undefined} />);
    await screen.findByText("The program that held the data directory has gone");
    desk.fail(undefined);
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findAllByRole("option")).toHaveLength(2);
  });
});

describe("a question that asks again", () => {
  const former = { action: "accept", content: '{"approved":false,"limit":3}', decidedAt: "2026-11-21T10:00:00Z", sendAt: "2026-11-21T10:00:05Z" } as const;

  it.each([
    ["not_taken", "confirmed that it got your answer, but it still asks"],
    ["refused", "refused your answer"],
    ["unknown", "the server may get two answers"],
  ] as const)("in the state %s says why, and holds the former answer", async (state, why) => {
    open([aDetail({ state, answer: { ...former, ...(state === "refused" && { refusal: { code: "server_error", reason: { kind: "said", message: "limit is frozen" } } }) } })]);
    expect((await screen.findByText(new RegExp(why))).textContent).toBeTruthy();
    expect(screen.getByLabelText("No")).toHaveProperty("checked", true);
    expect(screen.getByLabelText(/^Limit/)).toHaveProperty("value", "3");
    expect(screen.queryByText("limit is frozen") !== null).toBe(state === "refused");
    expect(screen.getByRole("button", { name: /^Review and send/ })).toHaveProperty("disabled", false);
  });

  it("says both, where another answer to it was not sent in time, and holds that one", async () => {
    open([aDetail({ state: "unknown", reason: "lapsed", answer: former }, { draft: '{"approved":true,"limit":4}' })]);
    expect(await screen.findByText(/Your answer was not sent/)).toBeTruthy();
    expect(screen.getByText(/the server may get two answers/)).toBeTruthy();
    expect(screen.getByLabelText(/^Limit/)).toHaveProperty("value", "4");
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
    expect(screen.getByText(/asks, for an unknown task/)).toBeTruthy();
    for (const claim of [/adopted/, "Arguments", "Deadline", "no limit"]) expect(screen.queryByText(claim)).toBeNull();
  });

  it("has its deadline said where it has one, in the list and at its head", async () => {
    const detail = aDetail({ tool: "", summary: "" });
    delete detail.row.call;
    delete detail.arguments;
    open([detail]);
    await heading(/^Approve/);
    const [card] = await screen.findAllByRole("option");
    expect(card?.querySelector("time")?.dateTime, "it is sorted by it").toBe(detail.row.expiresAt);
    expect(card?.textContent).toContain("left");
    expect(screen.getByText("Deadline")).toBeTruthy();
    expect(screen.queryByText("Arguments")).toBeNull();
  });
});

describe("an answer that has not gone out", () => {
  const decidedAt = "2026-11-20T10:00:00Z";
  const waiting = () => aDetail({ state: "sending", answer: { action: "accept", content: '{"approved":true}', decidedAt, sendAt: decidedAt } });

  it("is never said to be on its way: it waits for the server, since when, and can be taken back", async () => {
    const desk = new Desk([waiting()]);
    desk.overview.servers = desk.overview.servers.map((server) => ({
      ...server,
      health: { state: "unreachable", code: "unreachable", reason: { kind: "said", message: "No route to host" }, since: decidedAt, retryAt: decidedAt },
    }));
    renderWith(desk, <InboxPlace overview={desk.overview} />);
    await screen.findByText(/^Still waiting to be sent since/);
    expect(screen.getByText("kept, not sent yet")).toBeTruthy();
    expect(screen.queryByText(/on its way|Sending in/i)).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: /^Take back/ }));
    expect(desk.sent("undo")).toEqual([{ type: "undo", request: "r1", decidedAt }]);
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
    await screen.findByText(/^Your answer was not sent, because Signalbox was closed or not running when it was due/);
    expect(screen.getByLabelText("No")).toHaveProperty("checked", true);
  });
});

describe("the empty inbox", () => {
  const NOTIFIED = "The question appears here and in a notification";
  it.each([
    ["on", "everything", [], true],
    ["off", "nothing", [], false],
    ["on and do not work", "needs_me", [{ code: "notifications_failed", message: "" }], false],
  ] as const)("speaks of notifications where they are %s as it is", async (_, level, troubles, says) => {
    const desk = new Desk([]);
    const overview = { ...desk.overview, settings: { ...desk.overview.settings, notifications: { level, rules: [], contents: true } }, troubles: [...troubles] };
    renderWith(desk, <InboxPlace overview={overview} />);
    expect((await screen.findByText(/^A tool may ask/)).textContent.includes(NOTIFIED)).toBe(says);
    expect((await screen.findByText(/^When a server asks/)).textContent.includes("and in a notification")).toBe(says);
  });

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
    ["accept", "signalbox", "accepted automatically by Signalbox", "done"],
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
    expect(screen.getByText("accepted from another window or command")).toBeTruthy();
    expect(screen.getByText(/"keep": 1\.0/)).toBeTruthy();
    const facts = Object.fromEntries(
      screen.getAllByRole("term").map((term) => [term.textContent, term.nextElementSibling?.querySelector("time")?.dateTime ?? term.nextElementSibling?.textContent]),
    );
    expect(facts).toMatchObject({ Decided: at(0), Sent: at(5), Acknowledged: at(6), Taken: "not seen yet: the server may still ask" });
    expect(currentNav().request, "what a person looks at stays").toBe("r1");
    await user.click(screen.getByRole("button", { name: /^Next question/ }));
    await heading(/^Which/);
  });

  it("names the key that leads on, and none while it would be typed into a field", async () => {
    select({ request: "r1" });
    const { user } = open([aDetail({ state: "closed", reason: "task_ended", closedAt: "2026-11-21T10:00:00Z" }), aDetail({ id: "r2", message: "Which dataset version?" })]);
    const onward = await screen.findByRole("button", { name: /^Next question/ });
    expect(onward.textContent).toBe("Next questionn");
    act(() => choose({ "request.next": "m" }));
    expect(onward.textContent, "as it was chosen").toBe("Next questionm");
    expect(onward.getAttribute("aria-keyshortcuts")).toBe("m");
    await user.click(screen.getByRole("combobox"));
    expect(onward.querySelector("[data-off]")?.textContent, "it is text there").toBe("m");
    act(() => choose({}));
  });

  it.each([
    ["task_ended", "The task ended"],
    ["answered_elsewhere", "Somebody else probably answered it"],
    ["superseded", "A later question took its place"],
  ] as const)("of a question closed by %s says so", async (reason, words) => {
    select({ request: "r1" });
    open([aDetail({ state: "closed", reason, closedAt: "2026-11-21T10:00:00Z" })]);
    await screen.findByText(new RegExp(words));
    expect(screen.getByText("Nothing else needs you")).toBeTruthy();
  });
});
