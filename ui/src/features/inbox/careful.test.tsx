import { act, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";

import { keepFocus } from "../../components/focus";
import { DeskError } from "../../host/error";
import { select } from "../../places/nav";
import type { Reply, RequestDetail } from "../../types";
import type { Manner } from "./manner";
import { open } from "./openInbox";
import { aDetail, aPage, FORM } from "./samples";

const yesNo = (change: Partial<RequestDetail> = {}) => aDetail({}, { form: { notes: [], fields: FORM.fields.slice(0, 1) }, ...change });

/** The inbox over a desk whose tool, as it was listed last, says of itself whether it may destroy something; undefined: it was not listed. */
function opened(destructive: boolean | undefined, details = [yesNo()], manner: Partial<Manner> = { next: false, unreviewed: true }, hold = 5_000) {
  const said = destructive === undefined ? { unlisted: true } : { destructive };
  return open(
    details.map((detail) => ({ ...detail, ...said })),
    hold,
    manner,
  );
}

beforeEach(() => select({ request: null }));

describe("a tool that says that it may destroy something", () => {
  it("says nothing of it where no yes can be given", async () => {
    opened(true, [yesNo({ ways: { decline: "error", takeBack: false, putAway: false } })]);
    await screen.findByText(/^Signalbox does not know this kind of question/);
    expect(screen.queryByText(/may destroy something/)).toBeNull();
  });

  it("says so at its question, and takes a press of its own before a yes can be sent", async () => {
    const { desk, user } = opened(true, [yesNo()], { next: false });
    await screen.findByText("The tool says that it may destroy something.");
    await user.click(screen.getByLabelText("Yes"));
    await user.keyboard("1");
    const dialog = within(await screen.findByRole("dialog"));
    const agree = dialog.getByRole("checkbox", { name: /^I have read this answer/ });
    await waitFor(() => expect(document.activeElement, "a key that sends elsewhere sends nothing here").toBe(agree));
    expect(dialog.getByRole("button", { name: /^Send/ })).toHaveProperty("disabled", true);
    await user.keyboard("{Enter}{Enter}{Control>}{Enter}{/Control}");
    expect(desk.sent("answer")).toEqual([]);
    await user.keyboard(" {Enter}");
    await waitFor(() => expect(desk.sent("answer")).toMatchObject([{ action: "accept" }]));
  });

  it("has Enter named in the review only where it sends", async () => {
    const { user } = opened(true, [yesNo()], { next: false });
    await screen.findByText("The tool says that it may destroy something.");
    await user.click(screen.getByLabelText("Yes"));
    await user.keyboard("1");
    const dialog = within(await screen.findByRole("dialog"));
    const agree = dialog.getByRole("checkbox", { name: /^I have read/ });
    await waitFor(() => expect(document.activeElement).toBe(agree));
    const enter = () => dialog.getByRole("button", { name: /^Send/ }).querySelector(".hint")?.getAttribute("data-off");
    expect(enter(), "it goes to the tick").toBe("true");
    await user.click(agree);
    expect(enter()).toBeNull();
    act(() => dialog.getByRole("button", { name: /^Keep editing/ }).focus());
    expect(enter(), "it keeps editing there").toBe("true");
    act(() => dialog.getByRole("button", { name: /^Send/ }).focus());
    expect(enter()).toBeNull();
  });

  it("is said also where it says so since its question is open", async () => {
    const { desk } = opened(false, [yesNo()], { next: false });
    await screen.findByLabelText("Yes");
    act(() => desk.change("r1", (detail) => ({ ...detail, destructive: true })));
    expect(await screen.findByText("The tool says that it may destroy something.")).toBeTruthy();
  });

  it("is agreed to anew each time", async () => {
    const { user } = opened(true, [yesNo()], { next: false });
    await user.click(await screen.findByLabelText("Yes"));
    await screen.findByText("The tool says that it may destroy something.");
    await user.keyboard("1");
    await user.click(await screen.findByRole("checkbox", { name: /^I have read/ }));
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await user.keyboard("1");
    expect(await screen.findByRole("checkbox", { name: /^I have read/ })).toHaveProperty("checked", false);
  });

  it("has its page opened only after a press of its own", async () => {
    const page = aDetail({ mode: "url" }, { url: aPage(), form: undefined, ways: { accept: "page", decline: "told", takeBack: false, putAway: false } });
    const { desk, user } = opened(true, [page]);
    const agree = await screen.findByRole("checkbox", { name: "I have read this and want to accept" });
    const way = screen.getByRole("button", { name: /^Open at/ });
    await user.click(way);
    expect(desk.pages, "opening it is the consent").toEqual([]);
    expect(screen.getByRole("button", { name: /^Accept, I will open it elsewhere/ })).toHaveProperty("disabled", true);
    await user.click(agree);
    await user.click(way);
    await waitFor(() => expect(desk.pages).toEqual(["r1"]));
  });

  it("is told no like any other", async () => {
    const { desk, user } = opened(true);
    await screen.findByText("The tool says that it may destroy something.");
    await user.keyboard("3");
    await waitFor(() => expect(desk.sent("answer")).toMatchObject([{ action: "decline" }]));
  });

  it("is not claimed where the tool says nothing of the kind", async () => {
    const { user } = opened(false, [yesNo()], { next: false });
    await user.click(await screen.findByLabelText("Yes"));
    await user.keyboard("1");
    await screen.findByRole("dialog");
    expect(screen.queryByText(/may destroy/)).toBeNull();
    expect(screen.queryByRole("checkbox")).toBeNull();
  });
});

const UNKNOWN = /^Signalbox does not know yet whether the tool/;

describe("a tool that its server has listed", () => {
  it("is not asked about, and never said to be unknown: what a person presses stays where it is", async () => {
    const view = opened(false);
    const shown: boolean[] = [];
    const observer = new MutationObserver(() => shown.push(screen.queryByText(UNKNOWN) !== null));
    observer.observe(document.body, { childList: true, subtree: true });
    await view.user.click(await screen.findByLabelText("Yes"));
    observer.disconnect();
    expect(shown.length, "it was looked at").toBeGreaterThan(0);
    expect(shown).not.toContain(true);
    expect(view.desk.sent("tool")).toEqual([]);
  });
});

describe("a tool of which it is not known what it says", () => {
  const DOWN = { code: "owner_gone", message: "gone", retry: "later" } as const;

  function unknown(details: RequestDetail[], reply: () => Promise<Reply>) {
    const view = opened(undefined, details, { next: false });
    const { act: carryOut } = view.desk;
    view.desk.act = (command) => (command.type === "tool" ? reply() : carryOut(command));
    return view;
  }

  it.each<[string, () => Promise<Reply>]>([
    ["while it is asked for", () => new Promise(() => undefined)],
    ["where that failed", () => Promise.reject(new DeskError(DOWN))],
  ])("takes a press of its own before a yes can be sent, %s", async (_, reply) => {
    const { desk, user } = unknown([yesNo()], reply);
    await user.click(await screen.findByLabelText("Yes"));
    expect(screen.getByText(UNKNOWN)).toBeTruthy();
    await user.keyboard("1");
    const dialog = within(await screen.findByRole("dialog"));
    expect(dialog.getByText(UNKNOWN), "it says why").toBeTruthy();
    await user.keyboard("{Enter}{Control>}{Enter}{/Control}");
    expect(desk.sent("answer")).toEqual([]);
    await user.click(dialog.getByRole("checkbox", { name: /^I have read this answer/ }));
    await user.keyboard("{Enter}");
    await waitFor(() => expect(desk.sent("answer")).toMatchObject([{ action: "accept" }]));
  });

  it("is asked about again when the answer is looked at, if that failed before", async () => {
    const replies = [
      () => Promise.reject(new DeskError(DOWN)),
      () => Promise.resolve<Reply>({ type: "tool", tool: { name: "deploy", form: FORM, inputSchema: "{}", destructive: false } }),
    ];
    const { desk, user } = unknown([yesNo()], () => replies.shift()?.() ?? Promise.reject(new Error("BUG: asked too often")));
    await user.click(await screen.findByLabelText("Yes"));
    expect(screen.getByText(UNKNOWN)).toBeTruthy();
    expect(desk.sent("tool")).toHaveLength(1);
    await user.keyboard("1");
    const dialog = within(await screen.findByRole("dialog"));
    await waitFor(() => expect(dialog.queryByText(UNKNOWN)).toBeNull());
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(desk.sent("tool"), "what is known is not asked for").toHaveLength(2);
  });

  const says = (destructive: boolean): Reply => ({ type: "tool", tool: { name: "deploy", form: FORM, inputSchema: "{}", destructive } });

  /** The answer is looked at, and what the tool says of itself is still on its way. */
  async function looked() {
    let say: (reply: Reply) => void = () => undefined;
    const view = unknown([yesNo()], () => new Promise((resolve) => (say = resolve)));
    const stop = keepFocus();
    await view.user.click(await screen.findByLabelText("Yes"));
    await view.user.keyboard("1");
    const dialog = within(await screen.findByRole("dialog"));
    const agree = () => dialog.getByRole("checkbox", { name: /^I have read this answer/ });
    await waitFor(() => expect(document.activeElement).toBe(agree()));
    return { ...view, dialog, agree, stop, say: (destructive: boolean) => act(() => say(says(destructive))) };
  }

  it("leaves the keys in the review when it turns out to be harmless there", async () => {
    const { desk, user, dialog, say, stop } = await looked();
    say(false);
    await waitFor(() => expect(dialog.queryByRole("checkbox")).toBeNull());
    expect(document.activeElement, "the tick that had them is gone").toBe(dialog.getByRole("button", { name: /^Send/ }));
    await act(() => Promise.resolve());
    expect(document.activeElement?.closest("[role=dialog]"), "nor do they go behind it afterwards").not.toBeNull();
    await user.keyboard("{Enter}");
    await waitFor(() => expect(desk.sent("answer")).toMatchObject([{ action: "accept" }]));
    stop();
  });

  it("is agreed to anew when it turns out to destroy something", async () => {
    const { desk, user, dialog, agree, say, stop } = await looked();
    await user.keyboard(" ");
    expect(agree()).toHaveProperty("checked", true);
    dialog.getByRole("button", { name: /^Send/ }).focus();
    say(true);
    await dialog.findByText("The tool says that it may destroy something.");
    expect(agree(), "that was not what the tick was for").toHaveProperty("checked", false);
    expect(document.activeElement, "and what sends is disabled").toBe(agree());
    await user.keyboard("{Enter}{Control>}{Enter}{/Control}");
    expect(desk.sent("answer")).toEqual([]);
    await user.keyboard(" {Enter}");
    await waitFor(() => expect(desk.sent("answer")).toMatchObject([{ action: "accept" }]));
    stop();
  });

  it("has its page opened only after a press of its own, until it turns out to be harmless", async () => {
    const page = aDetail({ mode: "url" }, { url: aPage(), form: undefined, ways: { accept: "page", decline: "told", takeBack: false, putAway: false } });
    let say: (reply: Reply) => void = () => undefined;
    unknown([page], () => new Promise((resolve) => (say = resolve)));
    await screen.findByRole("checkbox", { name: "I have read this and want to accept" });
    expect(screen.getByRole("button", { name: /^Open at/ })).toHaveProperty("disabled", true);
    act(() => say({ type: "tool", tool: { name: "deploy", form: FORM, inputSchema: "{}", destructive: false } }));
    await waitFor(() => expect(screen.queryByRole("checkbox")).toBeNull());
    expect(screen.queryByText(UNKNOWN)).toBeNull();
    expect(screen.getByRole("button", { name: /^Open at/ })).toHaveProperty("disabled", false);
  });
});

describe("a yes or no without a review", () => {
  const chord = "{Control>}{Enter}{/Control}";
  const direct = () => screen.findByRole("button", { name: /^Send/ });

  it.each([
    ["its chord", async ({ user }: ReturnType<typeof open>) => user.keyboard(chord)],
    ["its button", async ({ user }: ReturnType<typeof open>) => user.click(await direct())],
  ])("goes by %s, and can be undone", async (_, press) => {
    const view = opened(false);
    await direct();
    await view.user.click(screen.getByLabelText("Yes"));
    await press(view);
    await waitFor(() => expect(view.desk.sent("answer")).toMatchObject([{ action: "accept", content: '{"approved":true}', holdMs: 5_000 }]));
    expect(screen.queryByRole("dialog")).toBeNull();
    await screen.findByRole("button", { name: /^Undo/ });
  });

  it("is reviewed by a plain key", async () => {
    const { desk, user } = opened(false);
    await direct();
    await user.click(screen.getByLabelText("Yes"));
    await user.keyboard("1");
    await screen.findByRole("dialog");
    expect(desk.sent("answer")).toEqual([]);
  });

  it.each<[string, Parameters<typeof opened>]>([
    ["nobody has asked for it", [false, [yesNo()], { next: false }]],
    ["the tool says that it may destroy something", [true]],
    ["nothing is known of the tool", [undefined]],
    ["it could not be undone", [false, [yesNo()], { next: false, unreviewed: true }, 0]],
    ["more is asked", [false, [aDetail()]]],
    ["it was answered before", [false, [aDetail({ state: "not_taken", answer: { action: "accept", content: '{"approved":true}', decidedAt: "2026-11-21T10:00:00Z", sendAt: "2026-11-21T10:00:00Z" } }, { form: { notes: [], fields: FORM.fields.slice(0, 1) } })]]],
  ])("is reviewed where %s", async (_, args) => {
    const { desk, user } = opened(...args);
    await user.click(await screen.findByLabelText("Yes"));
    await waitFor(() => expect(screen.queryByText(UNKNOWN), "all is told that there is to know").toBeNull());
    expect(desk.sent("tool"), "only what was not listed is asked about").toHaveLength(args[0] === undefined ? 1 : 0);
    await user.keyboard(chord);
    await screen.findByRole("dialog");
    expect(desk.sent("answer")).toEqual([]);
  });
});
