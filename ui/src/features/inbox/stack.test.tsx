import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";

import { DeskError } from "../../host/error";
import { currentNav, listAllServers, NOTHING_SOUGHT, seek, select } from "../../places/nav";
import type { FormSpec, Reply, RequestRow } from "../../types";
import { heading, open } from "./openInbox";
import { aDetail, asksOf, FORM, sent } from "./samples";

const SCHEMA = '{"type":"object","properties":{"approved":{"type":"boolean"}}}';
const YES_NO: FormSpec = { notes: [], fields: FORM.fields.slice(0, 1) };

const alike = (n: number, row: Partial<RequestRow> = {}) =>
  aDetail({ id: `r${n}`, call: `t${n}`, message: `Deploy service-${n}?`, ...row }, { form: YES_NO, schema: SCHEMA });

/** Three that are alike, and one that is like no other. */
const four = () => [alike(1), alike(2), alike(3), aDetail({ id: "r9", message: "Which dataset version?" })];

type Opened = ReturnType<typeof open>;

async function review({ user }: Opened, n = 3) {
  await user.click(await screen.findByLabelText("Yes"));
  await user.click(await screen.findByRole("button", { name: n === 2 ? /^Answer both/ : new RegExp(`^Answer all ${n}`) }));
  const dialog = within(await screen.findByRole("dialog"));
  await dialog.findByRole("table");
  return dialog;
}

/** A question as a person saw it. */
const seen = (n: number) => ({ request: `r${n}`, asks: asksOf(alike(n)) });

const together = ({ desk }: Opened) => desk.sent("answer_together");

beforeEach(() => {
  select({ request: null });
  listAllServers("inbox");
  seek(NOTHING_SOUGHT);
});

describe("questions that are alike", () => {
  it("say in the list how many they are, and so does the one in hand", async () => {
    open(four());
    await heading(/^Deploy service-1/);
    const cards = await screen.findAllByRole("option");
    await waitFor(() => expect(cards.filter((card) => card.textContent.includes("3 the same"))).toHaveLength(3));
    expect(await screen.findByText("2 more are like this.")).toBeTruthy();
  });

  it("are answered together once they were read, exactly those that were seen", async () => {
    const opened = open(four());
    await heading(/^Deploy service-1/);
    const dialog = await review(opened);
    expect(dialog.getAllByRole("row").map((row) => row.textContent)).toEqual([
      expect.stringContaining("Message"),
      expect.stringContaining("Deploy service-1?"),
      expect.stringContaining("Deploy service-2?"),
      expect.stringContaining("Deploy service-3?"),
    ]);
    expect(dialog.getByRole("figure", { name: "Content that is sent" }).textContent).toContain('"approved": true');
    const hold = dialog.getByRole("button", { name: "Hold to send 3 answers" });
    await opened.user.click(hold);
    expect(together(opened), "a mere press sends nothing").toEqual([]);
    // One more comes while they are read: it was not seen.
    opened.desk.details = [...opened.desk.details, alike(4)];
    opened.desk.touch();
    await opened.user.click(dialog.getByRole("checkbox", { name: "I have read the differences" }));
    await opened.user.click(dialog.getByRole("button", { name: "Send 3 answers" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(together(opened)).toMatchObject([
      { requests: [seen(1), seen(2), seen(3)], schema: SCHEMA, action: "accept", content: '{"approved":true}', holdMs: 5_000 },
    ]);
    expect(opened.desk.details.find(({ row }) => row.id === "r4")?.row.state).toBe("open");
  });

  it("say in the dialog when nothing is like the one in hand any more, and nothing can be sent from there", async () => {
    const opened = open(four());
    await heading(/^Deploy service-1/);
    const dialog = await review(opened);
    for (const id of ["r2", "r3"]) opened.desk.change(id, (detail) => ({ ...detail, row: { ...detail.row, state: "closed", reason: "task_ended" } }));
    await dialog.findByText("No other open question is like this one now.");
    expect(dialog.queryByRole("button", { name: /^Hold to send/ })).toBeNull();
    await opened.user.click(dialog.getByRole("button", { name: "Keep editing" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(screen.queryByText(/like this\.$/)).toBeNull();
    expect(together(opened)).toEqual([]);
  });

  it("can be left out one by one, and one that was typed into is", async () => {
    const opened = open([alike(1), alike(2), alike(3, { hasDraft: true })]);
    await heading(/^Deploy service-1/);
    const dialog = await review(opened);
    expect(dialog.getByRole("checkbox", { name: "Answer r3" }), "nothing is overruled unseen").toHaveProperty("checked", false);
    expect(dialog.getByText(/^Something was typed/)).toBeTruthy();
    await opened.user.click(dialog.getByRole("checkbox", { name: "Answer r3" }));
    await opened.user.click(dialog.getByRole("checkbox", { name: "Answer r2" }));
    await opened.user.click(dialog.getByRole("checkbox", { name: "I have read the differences" }));
    await opened.user.click(dialog.getByRole("button", { name: "Add a note for your own log" }));
    await opened.user.keyboard("not the second");
    await opened.user.click(dialog.getByRole("button", { name: "Send 2 answers" }));
    await waitFor(() => expect(together(opened)).toMatchObject([{ requests: [seen(1), seen(3)], remark: "not the second" }]));
  });

  it("are not sent to none", async () => {
    const opened = open([alike(1), alike(2)]);
    await heading(/^Deploy service-1/);
    const dialog = await review(opened, 2);
    for (const id of ["r1", "r2"]) await opened.user.click(dialog.getByRole("checkbox", { name: `Answer ${id}` }));
    expect(dialog.getByRole("button", { name: /^Hold to send 0/ })).toHaveProperty("disabled", true);
    await opened.user.click(dialog.getByRole("checkbox", { name: "Answer all of them" }));
    expect(dialog.getByRole("button", { name: "Hold to send 2 answers" })).toHaveProperty("disabled", false);
  });

  it("are undone together while there is time", async () => {
    const opened = open(four());
    await heading(/^Deploy service-1/);
    const dialog = await review(opened);
    await opened.user.click(dialog.getByRole("checkbox", { name: "I have read the differences" }));
    await opened.user.click(dialog.getByRole("button", { name: "Send 3 answers" }));
    const toast = within(await screen.findByRole("region", { name: "Answered together" }));
    expect(toast.getByText("3 answers: accepted")).toBeTruthy();
    expect(toast.getByText(/^Sending in \d s$/)).toBeTruthy();
    await opened.user.click(toast.getByRole("button", { name: /^Undo all 3/ }));
    expect(await toast.findByText("3 answers were taken back. Their questions are open again.")).toBeTruthy();
    expect(opened.desk.details.slice(0, 3).map(({ row }) => row.state)).toEqual(["open", "open", "open"]);
    await opened.user.click(toast.getByRole("button", { name: "Close" }));
    expect(screen.queryByRole("region", { name: "Answered together" })).toBeNull();
  });

  it("tell which of them was over by then, and the others went", async () => {
    const opened = open(four());
    await heading(/^Deploy service-1/);
    const dialog = await review(opened);
    opened.desk.change("r2", (detail) => ({ ...detail, row: { ...detail.row, state: "closed", reason: "task_ended" } }));
    await opened.user.click(dialog.getByRole("checkbox", { name: "I have read the differences" }));
    await opened.user.click(dialog.getByRole("button", { name: "Send 3 answers" }));
    const toast = within(await screen.findByRole("region", { name: "Answered together" }));
    expect(toast.getByText("2 answers: accepted")).toBeTruthy();
    expect(toast.getByText("r2: The task or question is already over")).toBeTruthy();
    expect(opened.desk.details[0]?.row.state).toBe("held");
    expect(screen.queryByText(/answered meanwhile from another window/), "it was done here").toBeNull();
  });

  it("get no answer that was meant for what they asked before", async () => {
    const opened = open(four());
    await heading(/^Deploy service-1/);
    const dialog = await review(opened);
    opened.desk.change("r2", (detail) => ({ ...detail, row: { ...detail.row, message: "Destroy service-2?" } }));
    await opened.user.click(dialog.getByRole("checkbox", { name: "I have read the differences" }));
    await opened.user.click(dialog.getByRole("button", { name: "Send 3 answers" }));
    expect(together(opened)).toMatchObject([{ requests: [seen(1), seen(2), seen(3)] }]);
    const toast = within(await screen.findByRole("region", { name: "Answered together" }));
    expect(toast.getByText("2 answers: accepted")).toBeTruthy();
    expect(toast.getByText("r2: The question has changed since you saw it")).toBeTruthy();
    expect(opened.desk.details[1]?.row.state).toBe("open");
  });

  it("are answered for the schema that was filled in, whatever the one in hand asks by now", async () => {
    const other = { schema: "{}", form: { notes: [], fields: [] } };
    const opened = open([...four(), { ...alike(4), ...other }]);
    await heading(/^Deploy service-1/);
    const dialog = await review(opened);
    opened.desk.change("r1", (detail) => ({ ...detail, ...other }));
    await opened.user.click(dialog.getByRole("checkbox", { name: "I have read the differences" }));
    await opened.user.click(dialog.getByRole("button", { name: "Send 3 answers" }));
    await waitFor(() => expect(together(opened)).toMatchObject([{ requests: [seen(1), seen(2), seen(3)], schema: SCHEMA }]));
    expect(opened.desk.details.slice(0, 3).map(({ row }) => row.state)).toEqual(["open", "held", "held"]);
  });

  it("are declined together, too", async () => {
    const opened = open(four());
    await heading(/^Deploy service-1/);
    await opened.user.click(await screen.findByRole("button", { name: /^Decline all 3/ }));
    const dialog = within(await screen.findByRole("dialog", { name: "Decline all of these?" }));
    expect(dialog.getByRole("button", { name: "Not now" }), "there is nothing to edit").toBeTruthy();
    await opened.user.click(await dialog.findByRole("checkbox", { name: "I have read the differences" }));
    await opened.user.click(dialog.getByRole("button", { name: "Send 3 answers" }));
    await waitFor(() => expect(together(opened)).toMatchObject([{ action: "decline" }]));
    expect(together(opened)[0]).not.toHaveProperty("content");
  });

  it("make way for the next question that is none of them", async () => {
    const opened = open(four(), 5_000, { next: true });
    await heading(/^Deploy service-1/);
    const dialog = await review(opened);
    await opened.user.click(dialog.getByRole("checkbox", { name: "I have read the differences" }));
    await opened.user.click(dialog.getByRole("button", { name: "Send 3 answers" }));
    await heading(/^Which dataset/);
    expect(currentNav().request).toBe("r9");
  });

  it("are not asked to be read while what is filled in does not fit", async () => {
    const opened = open(four());
    opened.desk.misfits = [{ field: "approved", path: "/approved", code: "required", message: "approved is missing" }];
    await heading(/^Deploy service-1/);
    await opened.user.click(await screen.findByLabelText("Yes"));
    await opened.user.click(await screen.findByRole("button", { name: /^Answer all 3/ }));
    await waitFor(() => expect(opened.desk.sent("validate")).not.toEqual([]));
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("are answered one by one where the tool may destroy something", async () => {
    open(four().map((detail) => ({ ...detail, destructive: true })));
    await heading(/^Deploy service-1/);
    expect(await screen.findByText(/so each is answered on its own/)).toBeTruthy();
    expect(screen.queryByRole("button", { name: /^Answer all/ })).toBeNull();
  });

  it.each<[string, () => Promise<Reply>]>([
    ["is still asked", () => new Promise(() => undefined)],
    ["could not be asked", () => Promise.reject(new DeskError({ code: "unreachable", message: "ci cannot be reached", retry: "later" }))],
  ])("are answered one by one where the server %s what the tool does, and the number still stands there", async (_, reply) => {
    const opened = open(four().map((detail) => ({ ...detail, unlisted: true })));
    const { act: carryOut } = opened.desk;
    opened.desk.act = (command) => (command.type === "tool" ? reply() : carryOut(command));
    await heading(/^Deploy service-1/);
    expect(await screen.findByText("2 more are like this. The server has not said what its tool does, so each is answered on its own.")).toBeTruthy();
    expect(screen.queryByRole("button", { name: /^(Answer|Decline) all/ }), "the desk takes neither for several").toBeNull();
    await opened.user.keyboard("=");
    expect(screen.queryByRole("dialog"), "nor does a key offer it").toBeNull();
  });

  it("are accepted one by one where they ask for a secret", async () => {
    const kind = { type: "text", multiline: false } as const;
    const form: FormSpec = { notes: [], secret: true, fields: [{ name: "password", label: "Password", required: true, nullable: false, secret: true, kind }] };
    open(four().map((detail) => ({ ...detail, form })));
    await heading(/^Deploy service-1/);
    expect(await screen.findByText(/ask for a secret, so each is answered on its own/)).toBeTruthy();
    expect(screen.queryByRole("button", { name: /^Answer all/ })).toBeNull();
    expect(screen.getByRole("button", { name: /^Decline all/ }), "a no has no secret").toBeTruthy();
  });

  it("are accepted one by one only as long as there is a secret in what is filled in", async () => {
    const form: FormSpec = { notes: [], fields: [], fallback: { why: "freeForm" } };
    const opened = open(four().map((detail) => ({ ...detail, form })));
    const { act: carryOut } = opened.desk;
    opened.desk.act = (command) => {
      if (command.type !== "validate" || !command.content.includes("token")) return carryOut(command);
      return { type: "validated", errors: [], sends: sent("accept", command.content), secrets: ["/token"] };
    };
    await heading(/^Deploy service-1/);
    const area = await screen.findByLabelText("Content as JSON");
    const fill = async (content: string) => {
      await opened.user.clear(area);
      await opened.user.click(area);
      await opened.user.paste(content);
    };
    await fill('{"token":"hunter2"}');
    await opened.user.click(screen.getByRole("button", { name: /^Answer all/ }));
    await screen.findByText(/ask for a secret, so each is answered on its own/);
    expect(screen.queryByRole("button", { name: /^Answer all/ })).toBeNull();
    await opened.user.click(area);
    await opened.user.keyboard(" ");
    expect(screen.queryByText(/ask for a secret, so each/), "it is looked at anew").toBeNull();
    await fill('{"x":1}');
    await opened.user.click(screen.getByRole("button", { name: /^Answer all/ }));
    await screen.findByRole("dialog");
  });

  it("stay one alone where nothing is like it", async () => {
    const opened = open(four());
    await heading(/^Deploy service-1/);
    select({ request: "r9" });
    await heading(/^Which dataset/);
    expect(screen.queryByText(/more are like this/)).toBeNull();
    await opened.user.keyboard("=");
    expect(screen.queryByRole("dialog")).toBeNull();
  });
});
