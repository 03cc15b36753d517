import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";

import { select } from "../../places/nav";
import type { Answer, FormSpec } from "../../types";
import { open } from "./openInbox";
import { aDetail, sent } from "./samples";

const form: FormSpec = {
  notes: [],
  secret: true,
  fields: [
    { name: "user", label: "User", required: true, nullable: false, kind: { type: "text", multiline: false } },
    { name: "password", label: "Password", required: true, nullable: false, kind: { type: "text", multiline: false }, secret: true },
  ],
};

/** The inbox over a desk that knows which values are secret. */
function opened() {
  const view = open([aDetail({ serverName: "ci" }, { form })]);
  const { act: carryOut } = view.desk;
  view.desk.act = (command) => {
    const reply = carryOut(command);
    if (command.type !== "validate" || !command.content.includes("hunter2")) return reply;
    return { type: "validated", errors: [], sends: sent("accept", command.content), secrets: ["/password"] };
  };
  return view;
}

async function filled() {
  const view = opened();
  await view.user.type(await screen.findByLabelText("User"), "ada");
  await view.user.type(screen.getByLabelText("Password"), "hunter2hunter2");
  await view.user.keyboard("{Escape}1");
  return { ...view, dialog: await screen.findByRole("dialog") };
}

beforeEach(() => select({ request: null }));

describe("an answer with a secret", () => {
  it("names field and server before it goes, shows how long it is, and takes a press of its own", async () => {
    const { desk, user, dialog } = await filled();
    expect(dialog.textContent).toContain("ci gets a secret: Password.");
    expect(dialog.textContent).toContain("•••••••• (14 characters)");
    expect(dialog.textContent).not.toContain("hunter2");
    const agree = within(dialog).getByRole("checkbox", { name: "I trust this server with this secret" });
    await waitFor(() => expect(document.activeElement).toBe(agree));
    await user.keyboard("{Enter}{Control>}{Enter}{/Control}");
    expect(desk.sent("answer")).toEqual([]);
    await user.keyboard(" {Enter}");
    await waitFor(() => expect(desk.sent("answer")).toMatchObject([{ content: '{"user":"ada","password":"hunter2hunter2"}' }]));
  });

  it("is in no draft that is saved", async () => {
    const { desk, dialog } = await filled();
    await waitFor(() => expect(desk.sent("save_draft")).not.toEqual([]));
    expect(dialog).toBeDefined();
    expect(JSON.stringify(desk.sent("save_draft"))).not.toContain("hunter2");
  });
});

describe("a schema without fields", () => {
  const json: FormSpec = { notes: [], fields: [], fallback: { why: "nested" } };

  /** The inbox over a desk that finds a secret deep in what is filled in. */
  function openedAsJson(details = [aDetail({ serverName: "ci" }, { form: json })]) {
    const view = open(details);
    const { act: carryOut } = view.desk;
    view.desk.act = (command) => {
      const reply = carryOut(command);
      if (command.type !== "validate" || !command.content.includes("hunter2")) return reply;
      return { type: "validated", errors: [], sends: sent("accept", command.content), secrets: ["/login/password"] };
    };
    return view;
  }

  const content = '{"login":{"password":"hunter2"}}';

  async function pasted({ user }: ReturnType<typeof openedAsJson>) {
    const area = await screen.findByLabelText<HTMLTextAreaElement>("Content as JSON");
    await user.clear(area);
    await user.click(area);
    await user.paste(content);
    await screen.findByText(/^This asks for a secret/);
    return area;
  }

  it("warns before anything is filled in where the schema declares one, and nowhere else", async () => {
    openedAsJson([aDetail({ serverName: "ci" }, { form: { ...json, secret: true } })]);
    await screen.findByText(/^This asks for a secret/);
    expect(screen.getByLabelText<HTMLTextAreaElement>("Content as JSON").readOnly, "there is nothing to hide yet").toBe(false);
    cleanup();
    openedAsJson();
    await screen.findByLabelText("Content as JSON");
    expect(screen.queryByText(/^This asks for a secret/)).toBeNull();
  });

  it("warns of a secret in its text, and hides it where that is wanted", async () => {
    const view = openedAsJson();
    const area = await pasted(view);
    expect(area.value, "who types it sees it").toContain("hunter2");
    const described = (area.getAttribute("aria-describedby") ?? "").split(" ").map((id) => document.getElementById(id)?.textContent).join(" ");
    expect(described, "a screen reader says it, too").toContain("This asks for a secret.");
    await view.user.click(screen.getByRole("button", { name: "Hide" }));
    expect(area.value).not.toContain("hunter2");
  });

  it("hides a secret that was typed before", async () => {
    openedAsJson([aDetail({ serverName: "ci" }, { form: json, draft: content })]);
    await screen.findByText(/^This asks for a secret/);
    expect(screen.getByLabelText<HTMLTextAreaElement>("Content as JSON").value).not.toContain("hunter2");
  });

  it("has its secrets named in the review by the names that lead to them, with a press of its own", async () => {
    const view = openedAsJson();
    await pasted(view);
    await view.user.keyboard("{Escape}1");
    const dialog = await screen.findByRole("dialog");
    expect(dialog.textContent).toContain("ci gets a secret: login / password.");
    expect(dialog.textContent).not.toContain("hunter2");
    expect(within(dialog).getByRole("button", { name: /^Send/ })).toHaveProperty("disabled", true);
    await view.user.click(within(dialog).getByRole("checkbox", { name: "I trust this server with this secret" }));
    await view.user.keyboard("{Enter}");
    await waitFor(() => expect(view.desk.sent("answer")).toMatchObject([{ content }]));
  });

  it("is not answered for several at once with a secret in it", async () => {
    const schema = "{}";
    const view = openedAsJson([1, 2].map((n) => aDetail({ id: `r${n}`, call: `t${n}`, message: "Log in?" }, { form: json, schema })));
    await pasted(view);
    await view.user.click(await screen.findByRole("button", { name: /^Answer both/ }));
    expect(await screen.findByText(/ask for a secret, so each is answered on its own/)).toBeTruthy();
    expect(screen.queryByRole("dialog")).toBeNull();
  });
});

const answer: Answer = {
  action: "accept",
  content: '{"user":"ada","password":null}',
  masked: [{ path: "/password", length: 12, salt: "r1", sha256: "ab" }],
  remark: "asked Ada first",
  decidedAt: "2026-11-21T10:00:00Z",
  sendAt: "2026-11-21T10:00:00Z",
  sentAt: "2026-11-21T10:00:01Z",
};

describe("an answer that had a secret", () => {
  it("has a receipt that says how long it was, that it is not kept, and what was noted", async () => {
    open([aDetail({ state: "answered", answer, closedAt: "2026-11-21T10:00:02Z" }, { form })]);
    select({ request: "r1" });
    await waitFor(() => expect(document.body.textContent).toContain("12 characters, not kept"));
    expect(document.body.textContent, "null was not sent").not.toContain('"password": null');
    expect(document.body.textContent).toContain("asked Ada first");
  });

  it("says so where its server may still fetch the answer", async () => {
    open([aDetail({ state: "answered", answer, closedAt: "2026-11-21T10:00:02Z" }, { form, keepsSecrets: true })]);
    select({ request: "r1" });
    await waitFor(() => expect(document.body.textContent).toContain("12 characters, kept as long as the server may still fetch the answer"));
  });

  it("is a draft but for that when it is taken back, and a draft of all where there was none", async () => {
    const { action, content = "", masked = [], decidedAt, sendAt } = answer;
    const plain: Answer = { action, content, decidedAt, sendAt };
    for (const [given, means] of [
      [{ ...plain, masked }, /your answer as a draft, but for secrets\.$/],
      [plain, /your answer as a draft\.$/],
    ] as const) {
      open([aDetail({ state: "sending", answer: given }, { form, ways: { takeBack: true, settled: "on_its_way", putAway: false } })]);
      expect((await screen.findByRole("button", { name: /^Take back/ })).title).toMatch(means);
      cleanup();
    }
  });

  it("opens again without it, so that null is not taken for what was typed", async () => {
    open([aDetail({ state: "refused", answer }, { form })]);
    expect((await screen.findByLabelText<HTMLInputElement>("User")).value).toBe("ada");
    expect(screen.getByLabelText<HTMLInputElement>("Password").value).toBe("");
  });
});

describe("a note for the person's own log", () => {
  it("is folded until it is wanted, and goes to the desk with the answer", async () => {
    const { desk, user } = open([aDetail()]);
    await user.click(await screen.findByLabelText("Yes"));
    await user.keyboard("1");
    const dialog = within(await screen.findByRole("dialog"));
    expect(dialog.queryByRole("textbox")).toBeNull();
    await user.click(dialog.getByRole("button", { name: "Add a note for your own log" }));
    const note = dialog.getByRole("textbox", { name: "Note for your own log" });
    expect(document.activeElement, "whoever unfolds it wants to type").toBe(note);
    await user.keyboard("asked Ada first{Enter}");
    await waitFor(() => expect(desk.sent("answer")).toMatchObject([{ remark: "asked Ada first", content: '{"approved":true}' }]));
  });

  it("is absent where nothing was noted", async () => {
    const { desk, user } = open([aDetail()]);
    await user.click(await screen.findByLabelText("Yes"));
    await user.keyboard("1");
    await screen.findByRole("dialog");
    await user.keyboard("{Enter}");
    await waitFor(() => expect(desk.sent("answer")).toHaveLength(1));
    expect(desk.sent("answer")[0]).not.toHaveProperty("remark");
  });
});
