import { act, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";

import { select } from "../../places/nav";
import { FORM, aDetail, aPage, aRound } from "./samples";
import { heading, open } from "./openInbox";

const ADD = "Add a note for your own log";
const NOTE = "Note for your own log";
const ADA = "asked Ada first";

beforeEach(() => select({ request: "r1" }));

/** An open question that asks for a page. */
function aVisit(paged = false) {
  const url = aPage();
  const round = { n: 1, requests: ["r1"], undecided: ["r1"], paged };
  const ways = { accept: "page", decline: "told", dismiss: "told", takeBack: false, putAway: false } as const;
  return aDetail({ mode: "url", host: url.host }, { form: undefined, url, ways, ...(paged && { round }) });
}

async function noted({ user }: ReturnType<typeof open>, remark = ADA) {
  await user.click(await screen.findByRole("button", { name: ADD }));
  const note = screen.getByRole("textbox", { name: NOTE });
  expect(document.activeElement, "whoever unfolds it wants to type").toBe(note);
  await user.keyboard(remark);
}

describe("a note below a question", () => {
  it.each([
    ["Decline", "decline"],
    ["Dismiss", "cancel"],
  ])("goes with %s", async (name, action) => {
    const opened = open([aDetail()]);
    await noted(opened);
    await opened.user.click(screen.getByRole("button", { name: new RegExp(`^${name}`) }));
    await waitFor(() => expect(opened.desk.sent("answer")).toMatchObject([{ request: "r1", action, remark: ADA }]));
  });

  it("goes with a yes or no that needs no review", async () => {
    const yesNo = { notes: [], fields: FORM.fields.slice(0, 1) };
    const opened = open([aDetail({}, { form: yesNo })], undefined, { next: false, unreviewed: true });
    await noted(opened);
    await opened.user.click(await screen.findByLabelText("Yes"));
    await opened.user.click(await screen.findByRole("button", { name: /^Send/ }));
    await waitFor(() => expect(opened.desk.sent("answer")).toMatchObject([{ action: "accept", remark: ADA }]));
    expect(screen.queryByRole("dialog"), "it went at once").toBeNull();
  });

  it("goes with the consent to a page", async () => {
    const opened = open([aVisit()]);
    await noted(opened);
    await opened.user.click(screen.getByRole("button", { name: /^Open at/ }));
    await waitFor(() => expect(opened.desk.notedAtPages).toEqual([ADA]));
  });

  it("stays for the answer where opening the page is none", async () => {
    const opened = open([aVisit(true)]);
    await noted(opened);
    await opened.user.click(screen.getByRole("button", { name: /^Open at/ }));
    await opened.user.click(await screen.findByRole("button", { name: "I finished" }));
    await waitFor(() => expect(opened.desk.sent("answer")).toMatchObject([{ action: "accept", remark: ADA }]));
  });

  it("is seen again in the review, can be changed there, and goes from there", async () => {
    const opened = open([aDetail()]);
    await noted(opened);
    await opened.user.click(screen.getByLabelText("Yes"));
    await opened.user.keyboard("1");
    const dialog = within(await screen.findByRole("dialog"));
    const note = dialog.getByRole("textbox", { name: NOTE });
    expect(note).toHaveProperty("value", ADA);
    expect(document.activeElement, "Enter sends").toBe(dialog.getByRole("button", { name: /^Send/ }));
    await opened.user.type(note, ", and Bob");
    await opened.user.click(dialog.getByRole("button", { name: /^Send/ }));
    await waitFor(() => expect(opened.desk.sent("answer")).toMatchObject([{ remark: `${ADA}, and Bob` }]));
  });

  it("is each question's own", async () => {
    const opened = open(aRound(["One?", "Two?"]));
    await heading(/^Two questions/);
    await noted(opened);
    act(() => select({ request: "r2" }));
    await waitFor(() => expect(screen.queryByRole("textbox", { name: NOTE })).toBeNull());
    await opened.user.click(screen.getByRole("button", { name: /^Decline/ }));
    await waitFor(() => expect(opened.desk.sent("answer")).toHaveLength(1));
    expect(opened.desk.sent("answer")[0]).toMatchObject({ request: "r2" });
    expect(opened.desk.sent("answer")[0]).not.toHaveProperty("remark");
  });

  it("is unfolded, and gone back to, by its key; no key in it answers", async () => {
    const opened = open([aDetail()]);
    await screen.findByRole("button", { name: ADD });
    await opened.user.keyboard("m");
    expect(document.activeElement).toBe(screen.getByRole("textbox", { name: NOTE }));
    await opened.user.keyboard("13{Enter}{Escape}");
    expect(screen.getByRole("textbox", { name: NOTE })).toHaveProperty("value", "13");
    expect(opened.desk.sent("answer")).toEqual([]);
    await opened.user.keyboard("m");
    expect(document.activeElement).toBe(screen.getByRole("textbox", { name: NOTE }));
  });

  it("is kept while another question is looked at", async () => {
    const opened = open([aDetail(), aDetail({ id: "r2", call: "t2", message: "Other?" })]);
    await noted(opened);
    act(() => select({ request: "r2" }));
    await heading("Other?");
    expect(screen.queryByRole("textbox", { name: NOTE })).toBeNull();
    act(() => select({ request: "r1" }));
    expect(await screen.findByRole("textbox", { name: NOTE })).toHaveProperty("value", ADA);
  });
});
