import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";

import { select } from "../../places/nav";
import { newDraft, serialiseDraft } from "../../forms";
import { FakeHost } from "../../test/FakeHost";
import type { FormSpec } from "../../types";
import { Drafts, draftsSettled } from "./drafts";
import { open } from "./openInbox";
import { aDetail, FORM } from "./samples";

const two = () => [aDetail(), aDetail({ id: "r2", message: "Which dataset version?" })];

beforeEach(() => select({ request: null }));

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

  it("are saved before the window goes", async () => {
    const { desk, user } = open(two());
    await user.type(await screen.findByLabelText(/^Limit/), "1e");
    expect(await act(() => draftsSettled(desk))).toBe(true);
    const saved = desk.sent("save_draft");
    expect(JSON.parse(saved.at(-1)?.draft ?? "")).toMatchObject({ fields: [["limit", "1e"]] });
    await act(() => draftsSettled(desk));
    expect(desk.sent("save_draft"), "nothing is left to save").toEqual(saved);
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

describe("what is said of a draft", () => {
  it("pushes nothing: it stands in the bar above the question, and the foot has buttons alone", async () => {
    const { user } = open(two());
    await user.type(await screen.findByLabelText(/^Limit/), "1");
    const note = await screen.findByText(/^Draft saved/);
    expect(note.closest("header"), "the bar is as high as ever").toBeTruthy();
    const foot = screen.getByRole("button", { name: /^Decline/ }).closest("footer");
    expect([...(foot?.children ?? [])].map(({ tagName }) => tagName)).not.toContain("SPAN");
  });

  it("is said of a form that can be answered alone", async () => {
    open([aDetail({ state: "answered", closedAt: new Date().toISOString() }, { draft: serialiseDraft(newDraft(FORM)) })]);
    act(() => select({ request: "r1" }));
    await screen.findByRole("heading", { level: 1 });
    expect(screen.queryByText(/^Draft/)).toBeNull();
  });
});

describe("the draft of a question that comes back with another form", () => {
  const other: FormSpec = {
    notes: [],
    fields: [
      { name: "limit", label: "Limit of the day", required: true, nullable: false, kind: { type: "integer" } },
      { name: "approved", label: "Who approved", required: false, nullable: false, kind: { type: "text", multiline: false } },
    ],
  };

  it("keeps the lines of a text that is used in a field of one line", async () => {
    const named = (maxLength?: number): FormSpec => {
      const kind = { type: "text", multiline: maxLength === undefined, ...(maxLength !== undefined && { maxLength }) } as const;
      return { notes: [], fields: [{ name: "reason", label: "Reason", required: true, nullable: false, kind }] };
    };
    const { desk, user } = open([aDetail({}, { form: named() })]);
    await user.type(await screen.findByLabelText("Reason"), "first{Enter}second");
    await screen.findByText(/^Draft saved/);
    act(() => desk.change("r1", (detail) => ({ ...detail, form: FORM })));
    await screen.findByRole("region", { name: "Your draft of an earlier form" });
    act(() => desk.change("r1", (detail) => ({ ...detail, form: named(80) })));
    expect((await screen.findByLabelText("Reason")).tagName).toBe("INPUT");
    const former = screen.getByRole("region", { name: "Your draft of an earlier form" });
    await user.click(within(former).getByRole("button", { name: "Use this" }));
    const reason = screen.getByLabelText("Reason");
    expect(reason, "what it shows is what is sent").toHaveProperty("value", "first\nsecond");
    await waitFor(() => expect(document.activeElement).toBe(reason));
    await user.type(reason, "!");
    await user.click(screen.getByRole("button", { name: /^Review and send/ }));
    await screen.findByRole("dialog");
    await user.keyboard("{Enter}");
    await waitFor(() => expect(desk.sent("answer").map((answer) => answer.content)).toEqual(['{"reason":"first\\nsecond!"}']));
  });

  it("stands beside the new form, is used part by part, and is never sent by itself", async () => {
    const { desk, user } = open(two());
    await user.click(await screen.findByLabelText("Yes"));
    await user.type(screen.getByLabelText(/^Limit/), "42");
    await screen.findByText(/^Draft saved/);
    act(() => desk.change("r1", (detail) => ({ ...detail, form: other })));
    const former = await screen.findByRole("region", { name: "Your draft of an earlier form" });
    const limit = screen.getByLabelText("Limit of the day");
    expect(limit, "the same name may mean something else").toHaveProperty("value", "");
    expect(within(former).getByText("true")).toBeTruthy();
    expect(within(former).queryByRole("textbox"), "it is not for editing").toBeNull();
    const takes = within(former).getAllByRole("button", { name: "Use this" });
    expect(takes, "a yes fits no text").toHaveLength(1);
    await user.click(takes[0] ?? former);
    expect(limit).toHaveProperty("value", "42");
    expect(document.activeElement).toBe(limit);
    await user.click(screen.getByRole("button", { name: /^Review and send/ }));
    await screen.findByRole("dialog");
    await user.keyboard("{Enter}");
    await waitFor(() => expect(desk.sent("answer").map((answer) => answer.content)).toEqual(['{"limit":42}']));
  });

  it("is still there after a restart, and goes when it is discarded", async () => {
    const { desk, user } = open(two());
    await user.type(await screen.findByLabelText(/^Limit/), "42");
    await screen.findByText(/^Draft saved/);
    const [saved] = desk.sent("save_draft");
    cleanup();
    const again = open([aDetail({ hasDraft: true }, { form: other, draft: saved?.draft ?? "" })]);
    await again.user.click(await screen.findByRole("button", { name: "Discard this draft" }));
    expect(screen.queryByText("Your draft of an earlier form")).toBeNull();
    await waitFor(() => expect(again.desk.sent("save_draft").at(-1)?.draft).not.toContain("42"));
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

  it("stays readable where what was asked is no longer kept", async () => {
    select({ request: "r1" });
    const draft = serialiseDraft({ ...newDraft(FORM), value: new Map([["approved", "false"], ["limit", "7"]]) });
    open([aDetail({ state: "closed", reason: "task_ended", closedAt: "2026-11-21T10:00:00Z" }, { form: undefined, draft })]);
    const typed = (await screen.findByRole("heading", { name: "What you had typed" })).parentElement;
    expect(typed?.textContent).toContain("approvedfalselimit7");
  });

  it("stays when it ends while one types", async () => {
    const { desk, user } = open(two());
    await user.type(await screen.findByLabelText(/^Limit/), "42");
    act(() => desk.change("r1", (detail) => ({ ...detail, row: { ...detail.row, state: "closed", reason: "task_ended", closedAt: "2026-11-21T10:00:00Z" } })));
    const typed = (await screen.findByRole("heading", { name: "What you had typed" })).parentElement ?? document.body;
    expect(within(typed).getByText("42")).toBeTruthy();
  });

  describe("of a form that opens with values", () => {
    const form: FormSpec = {
      notes: [],
      fields: [
        { name: "rollout", label: "Rollout", required: true, nullable: false, kind: { type: "text", multiline: false }, default: '"gradual"' },
        { name: "limit", label: "Limit", required: false, nullable: false, kind: { type: "integer" }, default: "5" },
      ],
    };
    const ended = { state: "closed", reason: "task_ended", closedAt: "2026-11-21T10:00:00Z" } as const;
    const draftOf = (tab: "form" | "json", fields: string[][], json = "{}") => JSON.stringify({ tab, fields, json });
    const typed = async () => (await screen.findByRole("heading", { name: "What you had typed" })).parentElement?.textContent;

    beforeEach(() => select({ request: "r1" }));

    it("tells only what was typed", async () => {
      open([aDetail(ended, { form, draft: draftOf("form", [["rollout", "gradual"], ["limit", "7"]]) })]);
      expect(await typed()).toContain("limit7");
      expect(await typed(), "the form had it there by itself").not.toContain("rollout");
    });

    it("tells only what was typed as JSON, too", async () => {
      open([aDetail(ended, { form, draft: draftOf("json", [], '{\n  "rollout": "gradual",\n  "limit": 7, "why": null\n}') })]);
      expect(await typed()).toContain("limit7whynull");
      expect(await typed(), "the form had it there by itself").not.toContain("rollout");
    });

    it("tells text that is no JSON as it is", async () => {
      open([aDetail(ended, { form, draft: draftOf("json", [], '{"rollout": "grad') })]);
      expect(await typed()).toContain('{"rollout": "grad');
    });

    it.each([
      ["form", draftOf("form", [["rollout", "gradual"], ["limit", "5"]])],
      ["json", draftOf("json", [], '{"rollout":"gradual","limit":5}')],
    ] as const)("tells nothing where all stands as it was (%s)", async (_, draft) => {
      open([aDetail(ended, { form, draft })]);
      await screen.findByText(/The task ended/);
      expect(screen.queryByText("What you had typed")).toBeNull();
    });

    it("tells nothing again of an answer that was sent", async () => {
      const at = new Date(Date.now() - 60_000).toISOString();
      const answer = { action: "accept", content: '{"rollout":"all","limit":3}', decidedAt: at, sendAt: at, sentAt: at, refusal: { code: "server_error", reason: { kind: "said", message: "too few" } } } as const;
      const { desk, user } = open([aDetail({ state: "refused", answer }, { form })]);
      await user.type(await screen.findByLabelText(/^Limit/), "7");
      act(() => desk.change("r1", (detail) => ({ ...detail, row: { ...detail.row, ...ended } })));
      expect(await typed()).toContain("limit37");
      expect(await typed(), "the receipt has it").not.toContain("rollout");
    });
  });

  it("is not told of one in which nothing was typed", async () => {
    select({ request: "r1" });
    open([aDetail({ state: "closed", reason: "task_ended", closedAt: "2026-11-21T10:00:00Z" })]);
    await screen.findByText(/The task ended/);
    expect(screen.queryByText("What you had typed")).toBeNull();
  });

  it.each([
    ["an answer that ended with its task", { state: "closed", reason: "task_ended" }],
    ["an answer whose arrival is not known", { state: "unknown", stranded: true }],
  ] as const)("is not told of %s: that was sent", async (_, how) => {
    select({ request: "r1" });
    const at = "2026-11-21T10:00:00Z";
    const answer = { action: "accept", content: '{"approved":false}', decidedAt: at, sendAt: at, sentAt: at } as const;
    const draft = JSON.stringify({ tab: "form", fields: [["approved", "false"]], json: "{}" });
    open([aDetail({ ...how, closedAt: at, answer }, { draft })]);
    await screen.findByText("accepted by you");
    expect(screen.queryByText("What you had typed")).toBeNull();
    expect(screen.queryByText("It was not sent.")).toBeNull();
  });

  it("stays where it was typed after an answer that was refused", async () => {
    const at = new Date(Date.now() - 60_000).toISOString();
    const answer = { action: "accept", content: '{"limit":3}', decidedAt: at, sendAt: at, sentAt: at, refusal: { code: "server_error", reason: { kind: "said", message: "too few" } } } as const;
    const { desk, user } = open([aDetail({ state: "refused", answer })]);
    await user.type(await screen.findByLabelText(/^Limit/), "7");
    act(() => desk.change("r1", (detail) => ({ ...detail, row: { ...detail.row, state: "closed", reason: "task_ended", closedAt: at } })));
    const typed = (await screen.findByRole("heading", { name: "What you had typed" })).parentElement ?? document.body;
    expect(within(typed).getByText("37")).toBeTruthy();
  });
});

describe("what is kept here of what was typed", () => {
  const spec: FormSpec = { fields: [], notes: [] };
  const ids = Array.from({ length: 40 }, (_, index) => `r${String(index + 1)}`);

  /** Types into each question, one after the other, and closes it. */
  function typed(host: FakeHost): Drafts {
    const drafts = new Drafts(host);
    for (const id of ids) {
      const hide = drafts.show(id);
      drafts.edit(id, newDraft(spec));
      hide();
    }
    return drafts;
  }

  it("is bounded once it is saved and not shown", async () => {
    const host = new FakeHost(() => ({ type: "forward", wish: 0 }));
    const drafts = typed(host);
    await waitFor(() => expect(ids.filter((id) => drafts.get(id) !== undefined)).toEqual(ids.slice(8)));
    expect(host.commands, "each of them is saved").toHaveLength(40);

    const hide = drafts.show("r9");
    for (const id of ["r41", "r42"]) {
      const close = drafts.show(id);
      drafts.edit(id, newDraft(spec));
      close();
    }
    await waitFor(() => expect(drafts.get("r10"), "the oldest goes").toBeUndefined());
    expect(drafts.get("r9"), "one that is shown stays").toBeDefined();
    hide();
    expect(drafts.get("r9")).toBeUndefined();
  });

  it("stays where it could not be saved", async () => {
    const host = new FakeHost(
      () => ({ type: "forward", wish: 0 }),
      () => Promise.reject(Object.assign(new Error("No space left."), { code: "storage_full", retry: "after_fix" })),
    );
    const drafts = typed(host);
    await waitFor(() => expect(ids.every((id) => drafts.get(id)?.save.state === "failed")).toBe(true));
  });

  it("is tried once more before the window goes, and the window is told what became of it", async () => {
    let fails: string | undefined = "storage_full";
    const host = new FakeHost(
      () => ({ type: "forward", wish: 0 }),
      () => (fails ? Promise.reject(Object.assign(new Error("no"), { code: fails, retry: "after_fix" })) : Promise.resolve({ type: "done" })),
    );
    const drafts = typed(host);
    expect(await drafts.settled(), "the page has the only copy").toBe(false);
    fails = "unknown_item";
    expect(await drafts.settled(), "nobody waits for an answer any more").toBe(true);
    fails = undefined;
    expect(await drafts.settled()).toBe(true);
    expect(drafts.get("r40")?.save.state).toBe("saved");
  });
});
