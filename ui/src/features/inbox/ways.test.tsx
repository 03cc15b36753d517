import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";

import { currentNav, select } from "../../places/nav";
import { t } from "../../strings";
import { renderWith } from "../../test/render";
import { changed, type Change } from "../../test/samples";
import type { Accept, No, RequestDetail, RequestState, Settled, Ways } from "../../types";
import { InboxPlace } from "./InboxPlace";
import { heading, open } from "./openInbox";
import { aDetail, aPage, Desk } from "./samples";

const WAYS: Ways = { accept: "content", decline: "told", dismiss: "told", takeBack: false, putAway: false };

// Not by role: that works out the whole tree of accessible names anew for each of some hundred sheets.
const has = (name: string) => [...document.querySelectorAll("button")].some(({ textContent }) => textContent.startsWith(name));

/** A question of a kind that can be answered in one way. */
function asking(ways: Change<Ways>, row: Change<RequestDetail["row"]> = {}): RequestDetail {
  const all = changed(WAYS, ways);
  return aDetail(
    { ...row, ...(all.accept === "page" && { mode: "url" }), ...(all.accept === "text" && { method: "sampling/createMessage" }) },
    { ways: all, ...(all.accept === "page" && { form: undefined, url: aPage() }) },
  );
}

beforeEach(() => select({ request: "r1" }));

describe("what can be said", () => {
  it.each([
    ["content", "Review and send"],
    ["text", "Review and send"],
    ["page", "Open at signing.example.com"],
  ] as const)("%s is said with “%s”", async (accept, name) => {
    open([asking({ accept })]);
    await heading(/Approve/);
    expect(has(name)).toBe(true);
  });

  it("is only a no where nobody knows the kind: the request is shown, and what it is for", async () => {
    open([asking({ accept: undefined, decline: "error", dismiss: undefined }, { mode: "other", method: "future/ask" })]);
    await screen.findByText(t.inbox.refuseOnly);
    expect(screen.getByRole("figure", { name: "Request as received" })).toBeTruthy();
    expect(has("Decline")).toBe(true);
    expect(has("Dismiss")).toBe(false);
    expect(has("Review and send")).toBe(false);
  });

  it("leads to the task that asks", async () => {
    const { user } = open([asking({})]);
    await user.click(await screen.findByRole("button", { name: "Show task" }));
    expect(currentNav()).toMatchObject({ place: "tasks", task: "t1" });
  });

  const NOS: [No, RegExp][] = [
    ["told", /^The server is told that you say no/],
    ["error", /^The server gets an error/],
    ["gives_up", /^Declining gives up the whole call/],
    ["unsaid", /^The server hears nothing\. Its task waits until you cancel it/],
  ];
  it.each(NOS)("a no that is %s says so before it is pressed", async (decline, words) => {
    const { user } = open([asking({ decline, dismiss: undefined })]);
    await screen.findByText(words);
    expect(has("Dismiss")).toBe(false);
    if (decline !== "unsaid") return;
    const [, link] = screen.getAllByRole("button", { name: "Show task" });
    await user.click(link ?? document.body);
    expect(currentNav(), "the task can be cancelled there").toMatchObject({ place: "tasks", task: "t1" });
  });

  it("for an orphan: what will happen, its draft, and the way to put it away", async () => {
    const draft = JSON.stringify({ tab: "form", fields: [["limit", "3"]], json: "{}" });
    const at = "2026-11-21T10:00:00Z";
    const answer = { action: "decline", decidedAt: at, sendAt: at, sentAt: at } as const;
    const over = aDetail({ id: "r3", message: "Keep the cache?", state: "answered", closedAt: at, answer });
    const { desk, user } = open([aDetail(), aDetail({ id: "r2", message: "Go on?", state: "orphaned", stranded: true }, { draft }), over]);
    await heading(/^Approve/);
    expect(screen.getAllByRole("option"), "it needs nobody").toHaveLength(1);
    await user.click(screen.getByRole("tab", { name: /^Answered/ }));
    await heading("Go on?");
    expect(screen.getByText("No longer asked"), "below a line of its own").toBeTruthy();
    expect(screen.getByText("Answered or closed"), "and so are the others").toBeTruthy();
    const [orphan] = screen.getAllByRole("option");
    await screen.findByText(/^This is no longer asked: .* If the server asks again, your draft is here/);
    expect(within(orphan ?? document.body).getAllByText("no longer asked").length, "one phrase everywhere").toBeGreaterThan(0);
    expect(screen.getByRole("heading", { name: "What you had typed" })).toBeTruthy();
    expect(has("Review and send"), "nobody would hear it").toBe(false);
    await user.click(screen.getByRole("button", { name: "Put away" }));
    expect(desk.sent("put_away")).toEqual([{ type: "put_away", request: "r2" }]);
    await waitFor(() => expect(screen.queryByText("No longer asked"), "nothing stands apart any more").toBeNull());
  });

  it("for what becomes one under the fingers: it leaves the list, and its words stay", async () => {
    const { desk, user } = open([aDetail(), aDetail({ id: "r2", message: "And this?" })]);
    await user.type(await screen.findByLabelText(/^Limit/), "4");
    act(() => desk.change("r1", (detail) => ({ ...detail, row: { ...detail.row, state: "orphaned", stranded: true } })));
    await screen.findByText(/^This is no longer asked/);
    expect(await screen.findByRole("heading", { name: "What you had typed" })).toBeTruthy();
    expect((await screen.findByRole("complementary")).textContent, "it stands below the list").toContain("Approve deployment");
    expect(currentNav().request, "what is shown stays").toBe("r1");
  });

  it("for those that nobody asks any more: it is said beside the list until somebody has looked at them", async () => {
    const desk = new Desk([aDetail(), aDetail({ id: "r2", message: "Go on?", state: "orphaned", stranded: true })]);
    desk.overview.tabs = { ...desk.overview.tabs, answered: 1, noLongerAsked: 1 };
    renderWith(desk, <InboxPlace overview={desk.overview} />);
    await screen.findByText("1 question is no longer asked");
    await userEvent.click(screen.getByRole("button", { name: "Show" }));
    await heading("Go on?");
    expect(screen.queryByText("1 question is no longer asked"), "it was seen").toBeNull();
    await userEvent.click(screen.getByRole("tab", { name: /^Needs you/ }));
    await heading(/^Approve/);
    expect(screen.queryByText("1 question is no longer asked"), "once is enough").toBeNull();
  });
});

describe("every combination of ways", () => {
  const ACCEPTS: (Accept | undefined)[] = ["content", "text", "page", undefined];
  const NO: (No | undefined)[] = ["told", "error", "gives_up", "unsaid", undefined];
  const STATES: [Settled, RequestState, string | undefined][] = [
    ["held", "held", undefined],
    ["on_its_way", "sending", undefined],
    ["answered", "answered", "2026-11-21T10:00:00Z"],
    ["closed", "closed", "2026-11-21T10:00:00Z"],
    ["orphaned", "orphaned", undefined],
    ["cut_off", "unknown", "2026-11-21T10:00:00Z"],
  ];
  const at = "2026-11-21T10:00:00Z";

  it("has a button for each thing that can be said, and for nothing else", async () => {
    for (const accept of ACCEPTS) {
      for (const decline of NO) {
        for (const dismiss of NO) {
          if (!accept && !decline && !dismiss) continue;
          open([asking({ accept, decline, dismiss }, accept ? {} : { mode: "other", method: "future/ask" })]);
          await screen.findByText(/Approve/, { selector: "h1 *" });
          const of = JSON.stringify({ accept, decline, dismiss });
          expect(has("Review and send"), of).toBe(accept === "content" || accept === "text");
          expect(has("Open at"), of).toBe(accept === "page");
          expect(has("Decline"), of).toBe(decline !== undefined);
          expect(has("Dismiss"), of).toBe(dismiss !== undefined);
          for (const [no, words] of [[decline, t.inbox.no.decline], [dismiss, t.inbox.no.dismiss]] as const) {
            if (no) expect(screen.getAllByText(words[no]).length, of).toBeGreaterThan(0);
          }
          cleanup();
        }
      }
    }
  }, 60_000);

  it("has a reason in words where nothing can be decided, and a button where something can be done", async () => {
    for (const [settled, state, closedAt] of STATES) {
      for (const takeBack of [false, true]) {
        const answer = { action: "accept", content: "{}", decidedAt: at, sendAt: new Date(Date.now() + 4_000).toISOString() } as const;
        const detail = aDetail({ state, closedAt, answer }, { ways: { takeBack, putAway: settled === "orphaned" || settled === "cut_off", settled } });
        open([detail]);
        await heading(/Approve/);
        const of = `${settled}, ${takeBack}`;
        expect(has("Review and send") || has("Decline") || has("Dismiss"), of).toBe(false);
        const said = {
          held: t.inbox.held.title,
          on_its_way: t.inbox.notHandedOver,
          answered: t.inbox.receipt.title,
          closed: t.inbox.receipt.title,
          orphaned: t.inbox.noLongerAsked.orphaned,
          cut_off: t.inbox.noLongerAsked.cutOff(false),
        }[settled];
        expect(screen.getAllByText(said).length, of).toBeGreaterThan(0);
        if (settled === "held") expect(has("Undo"), of).toBe(true);
        if (settled === "on_its_way" && takeBack) expect(has("Take back"), of).toBe(true);
        expect(has("Put away"), of).toBe(settled === "orphaned" || settled === "cut_off");
        cleanup();
      }
    }
  }, 60_000);
});

describe("a no that is no answer on its wire", () => {
  const at = "2026-11-21T10:00:00Z";
  const WIRES: [RequestDetail["identity"], RegExp, boolean][] = [
    [{ kind: "wire", session: 1, rpc: "7" }, /^It was declined\. The server got an error/, true],
    [{ kind: "round", call: "t1", n: 1, key: "k" }, /^It was declined, which gave up the whole call/, false],
    [{ kind: "task", call: "t1", key: "k" }, /^It was declined\. The server heard nothing of that/, false],
  ];
  it.each(WIRES)("has a receipt that says what the server heard (%o)", async (identity, words, sent) => {
    const answer = { action: "decline", decidedAt: at, sendAt: at, ...(sent && { sentAt: at, acknowledgedAt: at }) } as const;
    const row = { method: "sampling/createMessage", state: "closed", reason: "declined_by_us", closedAt: at, answer } as const;
    open([aDetail(row, { identity, form: undefined })]);
    await screen.findByText(words);
    expect(screen.queryByText("Acknowledged"), "nothing acknowledges it").toBeNull();
    expect(screen.queryByText(t.inbox.receipt.noContent)).toBeNull();
    expect(screen.queryByText("not sent") === null).toBe(sent);
  });

  it("is said while it can be undone, too", async () => {
    const answer = { action: "decline", decidedAt: at, sendAt: new Date(Date.now() + 5_000).toISOString() } as const;
    open([aDetail({ method: "sampling/createMessage", state: "held", answer }, { identity: { kind: "wire", session: 1, rpc: "7" } })]);
    await screen.findByText(t.inbox.no.decline.error);
    expect(screen.queryByText(t.inbox.receipt.noContent)).toBeNull();
  });

  it("and a reply on the connection itself has no acknowledgement", async () => {
    const answer = { action: "accept", content: "{}", decidedAt: at, sendAt: at, sentAt: at, acknowledgedAt: at } as const;
    open([aDetail({ state: "answered", closedAt: at, answer }, { identity: { kind: "wire", session: 1, rpc: "7" } })]);
    await screen.findByText("accepted by you");
    expect(screen.queryByText("Acknowledged")).toBeNull();
    expect(screen.queryByText("Taken"), "it is over with the reply").toBeNull();
  });
});

describe("what a model is asked", () => {
  it("is shown whole, as text, and answered by hand", async () => {
    const sampling = {
      systemPrompt: "You write for engineers on call.",
      messages: [
        {
          role: "user",
          parts: [
            { kind: "text" as const, text: "Summarize <b>last night's</b> outage" },
            { kind: "media" as const, type: "image", mimeType: "image/png", bytes: 2_048 },
            { kind: "other" as const, json: '{"type":"tool_use","id":1}' },
          ],
        },
      ],
      maxTokens: "500",
      stopSequences: ["END"],
      modelHints: ["claude"],
      costPriority: "0.3",
      includeContext: "allServers",
      tools: [],
      cut: false,
    };
    open([{ ...asking({ accept: "text", decline: "error", dismiss: undefined }, { message: "Summarize last night's outage" }), sampling }]);
    await heading("Wants a model's answer: Summarize last night's outage");
    expect(screen.getByText("You write for engineers on call.")).toBeTruthy();
    expect(screen.getByText("Summarize <b>last night's</b> outage"), "text stays text").toBeTruthy();
    expect(screen.getByText("image, image/png, 2.0 KiB")).toBeTruthy();
    expect(screen.getByText(/"type": "tool_use"/)).toBeTruthy();
    expect(screen.getByText("at most 500 tokens")).toBeTruthy();
    expect(screen.getByText("allServers: Signalbox adds none")).toBeTruthy();
    expect(has("Review and send")).toBe(true);
  });
});
