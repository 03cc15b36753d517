import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";

import { open as openInbox } from "../features/inbox/openInbox";
import { aDetail, aPage, aRound, FORM } from "../features/inbox/samples";
import { openPlace, ServerDesk } from "../features/servers/samples";
import { go, listAllServers, nameView, NOTHING_SOUGHT, openServers, openStart, seek, select } from "../places/nav";
import { faults } from "../test/axe";
import { showing, type SmallDesk } from "../test/desk";
import { FakeHost } from "../test/FakeHost";
import { renderWith } from "../test/render";
import { ago, anOverview, aRequest, aResult, aServer, aTask, aTaskDetail, aText } from "../test/samples";
import type { ContentPart, Field, FieldKind, FormSpec, PaletteEntry, PaletteItem, RequestDetail, TaskRow, ToolView } from "../types";
import { App } from "./App";

const options = ["eu", "us"].map((label) => ({ value: JSON.stringify(label), label }));
const KINDS: FieldKind[] = [
  { type: "text", multiline: false, maxLength: 80 },
  { type: "text", multiline: true },
  { type: "text", multiline: false, format: "date" },
  { type: "integer", minimum: "1" },
  { type: "boolean" },
  { type: "select", options },
  { type: "multiSelect", options },
  { type: "json", why: "nested" },
];
const fields = KINDS.map((kind, n): Field => ({ name: `f${n}`, label: `Field ${n}`, description: "What it is.", required: n % 2 === 0, nullable: n > 2, kind }));
const EVERY: FormSpec = { title: "Deployment", description: "All that it takes.", fields, notes: [{ message: "A rule cannot be checked here" }] };

const decidedAt = new Date().toISOString();
const answer = { action: "accept", content: '{"approved":true}', decidedAt, sendAt: new Date(Date.now() + 60_000).toISOString() } as const;
const url = aPage({ full: "http://pay.example/x", before: "http://", host: "pay.example", after: "/x", warnings: ["not_https"] });
const parts = [{ kind: "text" as const, text: "Summarise." }, { kind: "media" as const, type: "image", mimeType: "image/png" }];
const sampling = { systemPrompt: "Be brief.", messages: [{ role: "user", parts }], stopSequences: ["END"], modelHints: ["m"], tools: [], cut: true, maxTokens: "200" };

const SECRET: FormSpec = { notes: [], secret: true, fields: [{ name: "password", label: "Password", required: true, nullable: false, kind: { type: "text", multiline: false }, secret: true }] };
const MASKED = { ...answer, content: '{"password":null}', masked: [{ path: "/password", length: 7, salt: "r1", sha256: "ab" }], remark: "asked Ada", sentAt: decidedAt };
const PAGE = { accept: "page", decline: "told", takeBack: false, putAway: false } as const;
const UNSAID = { decline: "unsaid", takeBack: false, putAway: false } as const;
const ALIKE = [1, 2].map((n) => aDetail({ id: `r${n}`, call: `t${n}`, message: `Deploy service-${n}?` }, { form: { ...FORM, fields: FORM.fields.slice(0, 1) }, schema: "{}" }));

const QUESTIONS: Record<string, RequestDetail[]> = {
  "none": [],
  "every kind of field": [aDetail({ message: "Fill this in.\nAll of it." }, { form: EVERY })],
  "JSON alone": [aDetail({}, { form: { fields: [], notes: [], fallback: { why: "nested" } } })],
  "a page": [aDetail({ mode: "url", host: "pay.example" }, { form: undefined, url, ways: PAGE })],
  "for a model": [aDetail({ method: "sampling/createMessage" }, { form: undefined, sampling, ways: UNSAID })],
  "a round": aRound(["First?", "Second?"]),
  "held": [aDetail({ state: "held", answer })],
  "refused": [aDetail({ state: "refused", answer: { ...answer, refusal: { code: "server_error", reason: { kind: "said", message: "no" } } } })],
  "not known to have arrived": [aDetail({ state: "unknown", answer })],
  "no longer asked": [aDetail({ state: "orphaned", stranded: true })],
  "a secret": [aDetail({}, { form: SECRET })],
  "a page that is asked for again": [aDetail({ mode: "url", host: "pay.example" }, { form: undefined, url, askedBefore: [ago(60_000), ago(30_000)], ways: PAGE })],
  "answered with a secret": [aDetail({ state: "answered", answer: MASKED, closedAt: decidedAt }, { form: SECRET })],
  "alike": ALIKE,
  "a draft of another form": [aDetail({}, { draft: '{"former":1}' })],
};

const TASKS: TaskRow[] = [
  aTask({ id: "t1", group: "needs_you", status: "input_required", tool: "deploy", openRequests: 1 }),
  aTask({ id: "t2", progress: { fraction: 0.3 }, cancel: { requestedAt: ago(4_000) } }),
  aTask({ id: "t3", group: "ended", tool: "lint", status: "completed", outcome: "tool_error", tracking: "done", endedAt: ago(1_000) }),
  aTask({ id: "t4", group: "ended", tool: "build", status: "completed", outcome: "ok", tracking: "done", endedAt: ago(1_000) }),
];
const DOT = "R0lGODlhAQABAAAAACwAAAAAAQABAAA=";
const CONTENT: ContentPart[] = [
  aText("done\n\u001b[31mall"),
  aText("# Done\n\n- all"),
  { kind: "other", type: "new", bytes: 11, json: '[{"data":""},{"data":1}]' },
  { kind: "blob", blob: { bytes: 23, format: "gif", width: 1, height: 1, base64: DOT, mimeType: "image/png" } },
  { kind: "blob", blob: { bytes: 23, format: "wav", base64: DOT } },
  { kind: "blob", blob: { bytes: 4, format: "zip", mimeType: "image/png", unshown: "format" } },
  { kind: "resource", uri: "file:///a", text: "text", bytes: 4 },
  { kind: "link", uri: "file:///b", name: "b", description: "What it is.", mimeType: "text/plain", size: 7 },
];
const DETAILS = new Map([
  ["t1", aTaskDetail(TASKS[0], { requests: [aRequest()], payloads: [{ kind: "create", bytes: 2, json: "{}" }] })],
  [
    "t3",
    aTaskDetail({ ...TASKS[2], origin: "adopted" }, {
      secretArguments: true,
      payloads: [{ kind: "error", bytes: 2, json: "{}" }],
      timeline: [
        { call: "t3", at: ago(1_000), kind: "taken", request: "r1" },
        { call: "t3", at: ago(1_000), kind: "ended" },
      ],
      stretches: [
        { spent: "unseen", from: ago(90_000), until: ago(60_000) },
        { spent: "waiting", from: ago(60_000), until: ago(20_000) },
        { spent: "working", from: ago(20_000), until: ago(1_000) },
      ],
    }),
  ],
  ["t4", aTaskDetail(TASKS[3], { result: aResult(CONTENT, { structured: '{"n":1}', output: { type: "valid" } }), error: "{}" })],
]);

const TOOL: ToolView = { name: "deploy", title: "Deploy", description: "Rolls out.", form: EVERY, inputSchema: "{}", destructive: true };

async function app(desk: SmallDesk = {}) {
  const host = new FakeHost(showing({ tasks: TASKS, details: DETAILS, ...desk }), ({ type }) => {
    if (type === "tools") return { type: "tools", tools: [TOOL] };
    if (type === "read_configurations") return { type: "importable", servers: [], skipped: [] };
    return type === "secrets" ? { type: "secrets", secrets: { place: "file", state: "locked", file: "/a" } } : { type: "done" };
  });
  renderWith(host, <App />);
  await screen.findByRole("navigation");
  return host;
}

const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole("button", { name }));
const clean = async () => expect(await faults()).toEqual([]);

beforeEach(() => {
  act(() => {
    go("inbox");
    select({ task: null, request: null, server: null });
    seek(NOTHING_SOUGHT);
    listAllServers("tasks");
    listAllServers("inbox");
    nameView(null);
  });
});

describe("axe finds nothing in the inbox", () => {
  it.each(Object.entries(QUESTIONS))("with a question: %s", async (_, details) => {
    openInbox(details);
    const [first] = details;
    // It needs nobody, so nothing shows it before it is chosen.
    if (first?.row.stranded === true || first?.row.state === "answered") act(() => select({ request: first.row.id }));
    if (details.length > 0) await screen.findByRole("heading", { level: 1 });
    await clean();
  });

  it("while something does not fit, in the form and as JSON", async () => {
    const { desk, user } = openInbox([aDetail({}, { form: EVERY })]);
    await screen.findByRole("heading", { level: 1 });
    desk.misfits = [{ field: "f0", path: "/f0", message: "Too long", code: "tooLong" }];
    await user.click(screen.getByRole("button", { name: /^Review and send/ }));
    await screen.findByText(/does not fit|do not fit/);
    await clean();
    await user.click(screen.getByRole("tab", { name: "JSON" }));
    await clean();
  });

  it("in the calendar", async () => {
    openInbox([aDetail({}, { form: { notes: [], fields: fields.filter(({ name }) => name === "f2") } })]);
    fireEvent.change(await screen.findByLabelText(/^Field 2/), { target: { value: "2026-11-27" } });
    await press(/^Calendar/);
    await clean();
  });

  it("in the review", async () => {
    const { user } = openInbox([aDetail()]);
    await user.click(await screen.findByLabelText("Yes"));
    await press(/^Review and send/);
    await screen.findByRole("dialog");
    await clean();
  });

  it("in the review of a secret, which the JSON text hides", async () => {
    const { desk, user } = openInbox([aDetail({}, { form: SECRET })]);
    const { act: carryOut } = desk;
    desk.act = (command) => {
      const reply = carryOut(command);
      return reply instanceof Promise || reply.type !== "validated" ? reply : { ...reply, secrets: ["/password"] };
    };
    await user.type(await screen.findByLabelText("Password"), "hunter2");
    await user.click(screen.getByRole("tab", { name: "JSON" }));
    await screen.findByRole("button", { name: /^Show secrets/ });
    await clean();
    await user.click(screen.getByRole("button", { name: /^Review and send/ }));
    await screen.findByRole("checkbox", { name: /^I trust/ });
    await clean();
  });

  it.each<[string, Partial<RequestDetail>]>([
    ["may destroy something", { destructive: true }],
    ["is not known", { unlisted: true }],
  ])("in the review, and at a page, where the tool %s", async (_, said) => {
    const page = aDetail({ id: "r2", mode: "url", message: "Sign here" }, { form: undefined, url, ways: PAGE, ...said });
    const { desk, user } = openInbox([aDetail({}, said), page]);
    const { act: carryOut } = desk;
    desk.act = (command) => (command.type === "tool" ? new Promise(() => undefined) : carryOut(command));
    await user.click(await screen.findByLabelText("Yes"));
    await user.click(screen.getByRole("button", { name: /^Review and send/ }));
    await screen.findByRole("checkbox", { name: /^I have read/ });
    await clean();
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    act(() => select({ request: "r2" }));
    await screen.findByRole("checkbox", { name: /^I have read/ });
    await clean();
  });

  it("in the table of questions that are alike, and beside what was answered together", async () => {
    const { user } = openInbox(ALIKE);
    await user.click(await screen.findByLabelText("Yes"));
    await press(/^Answer both/);
    await screen.findByRole("table");
    await clean();
    await user.click(screen.getByRole("checkbox", { name: "I have read the differences" }));
    await press(/^Send 2 answers/);
    await screen.findByRole("region", { name: "Answered together" });
    await clean();
  });

  it.each(["Expiring", "Snoozed", "Answered"])("under %s, with questions and without", async (tab) => {
    const { desk, user } = openInbox([
      aDetail({ attention: "expiring" }),
      aDetail({ id: "r2", attention: "snoozed", snoozed: { until: "change" } }),
      aDetail({ id: "r3", state: "answered", answer: { ...answer, sentAt: decidedAt }, closedAt: decidedAt }),
    ]);
    await user.click(await screen.findByRole("tab", { name: new RegExp(`^${tab}`) }));
    await screen.findByRole("heading", { level: 1 });
    await clean();
    act(() => {
      desk.details = [];
      desk.touch();
    });
    await waitFor(() => expect(screen.queryByRole("option")).toBeNull());
    await clean();
  });

  it("beside the undo of the last answer", async () => {
    const { user } = openInbox([aDetail(), aDetail({ id: "r2", message: "And this?" })], 60_000, { next: true });
    await user.click(await screen.findByLabelText("Yes"));
    await user.keyboard("1");
    await screen.findByRole("dialog");
    await user.keyboard("{Enter}");
    await screen.findByRole("region", { name: "Your last answer" });
    await clean();
  });

  it("with a note below it", async () => {
    const { user } = openInbox([aDetail()]);
    await screen.findByRole("heading", { level: 1 });
    await user.keyboard("m");
    await screen.findByRole("textbox", { name: "Note for your own log" });
    await clean();
  });

  it.each(["h", "w"])("in what %s opens", async (key) => {
    const { user } = openInbox([aDetail()]);
    await screen.findByRole("heading", { level: 1 });
    await user.keyboard(key);
    await screen.findByRole("dialog");
    await clean();
  });
});

describe("axe finds nothing among the tasks", () => {
  beforeEach(() => act(() => go("tasks")));

  it.each(TASKS.map(({ id }) => id))("beside %s, and in what it was received as", async (task) => {
    act(() => select({ task }));
    await app();
    await screen.findByRole("tab", { name: "Raw" });
    await clean();
    await userEvent.click(screen.getByRole("tab", { name: "Raw" }));
    await clean();
  });

  const views = [{ name: "builds", tokens: ["tool:build"], sort: "tool", columns: ["status", "progress", "tool"], compact: true }];
  const byView = async () => {
    await app({ remembered: new Map([["tasks.views", JSON.stringify(views)]]) });
    await press(/^builds/);
  };

  it("by a saved view that was changed since", async () => {
    await byView();
    await userEvent.selectOptions(await screen.findByRole("combobox", { name: "Group by" }), "Server");
    await screen.findByTitle(/changed since/);
    await clean();
  });

  it("in what can be done with a saved view", async () => {
    await byView();
    await press("View…");
    await screen.findByRole("dialog");
    await clean();
  });

  it("before a saved view is deleted", async () => {
    await byView();
    await press("View…");
    await press("Delete");
    await screen.findByText(/No task is\.$/);
    await clean();
  });

  it("in the choice of columns", async () => {
    await app();
    await press("Columns…");
    await screen.findByRole("dialog");
    await clean();
  });

  it("without any, in the filter's help, and before a task is cancelled", async () => {
    await app({ tasks: [] });
    await screen.findByText("No tasks yet");
    await clean();
    await press(/filter/i);
    await screen.findByRole("dialog");
    await clean();
  });
});

describe("axe finds nothing among the servers", () => {
  beforeEach(() => act(() => go("servers")));

  const servers = [
    aServer(),
    aServer({ id: "s2", name: "billing", health: { state: "sign_in_needed", since: decidedAt } }),
    aServer({ id: "s3", name: "lab", trusted: false, place: "npx x", transport: { kind: "stdio", command: "npx", args: ["x"], env: [] }, health: { state: "unusable", code: "not_trusted", reason: { kind: "not_trusted", command: ["npx"], variables: [] } } }),
  ];

  it.each(servers)("beside $name", async ({ id }) => {
    act(() => select({ server: id }));
    openPlace(new ServerDesk(servers));
    await screen.findByRole("heading", { level: 1 });
    await clean();
    for (const tab of screen.getAllByRole("tab")) {
      fireEvent.click(tab);
      await clean();
    }
  });

  it.each(["add", "import"] as const)("where one wants to %s", async (task) => {
    act(() => openServers(task));
    openPlace(new ServerDesk(servers));
    await screen.findAllByRole("button");
    await clean();
  });

  it.each(["Edit", "Change access", "Rename", "Remove"])("at %s", async (button) => {
    act(() => select({ server: "s1" }));
    openPlace(new ServerDesk(servers));
    await press(new RegExp(`^${button}`));
    await clean();
  });
});

describe("axe finds nothing elsewhere", () => {
  it("on the first page", async () => {
    await app({ tasks: [], overview: anOverview({ servers: [] }) });
    await screen.findByRole("region", { name: "Servers" });
    await clean();
  });

  it("where a tool is started", async () => {
    act(() => openStart({ server: "s1", tool: "deploy" }));
    await app();
    await screen.findByLabelText(/^Field 0/);
    await clean();
  });

  it("in the settings, while a key is chosen", async () => {
    act(() => go("settings"));
    await app();
    await press(/^Change the key for Next question/);
    await clean();
  });

  it("in the palette, with everything that it finds, and with nothing", async () => {
    act(() => go("tasks"));
    const host = await app();
    const { act: others } = host;
    const items: PaletteItem[] = [{ kind: "tool", server: "s1", tool: "deploy" }, { kind: "request", id: "r1" }, { kind: "task", id: "t4" }, { kind: "server", id: "s1" }, { kind: "own", id: "help" }];
    const line = { words: "deploy", matched: [0, 1], about: "rolls out", server: "ci" };
    const entries = items.map((item, n): PaletteEntry => ({ ...line, item, waits: n === 1, ...(n === 2 && { outcome: "ok" }) }));
    host.act = (command) => (command.type === "palette" ? { type: "palette", entries: command.text === "" ? entries : [], complete: true } : others(command));
    await userEvent.keyboard("{Control>}k{/Control}");
    expect(await screen.findAllByRole("option", { name: /deploy/ })).not.toEqual([]);
    await clean();
    await userEvent.keyboard("q");
    await screen.findAllByText("Nothing matches");
    await clean();
  });

  it("in the help, under banners, and before closing", async () => {
    act(() => go("tasks"));
    const host = await app({ overview: anOverview({ troubles: [{ code: "storage_full", message: "2 MB left." }, { code: "secrets_locked", message: "" }] }) });
    await screen.findByText("2 MB left.");
    await clean();
    await userEvent.keyboard("?");
    await screen.findByRole("dialog");
    await clean();
    await userEvent.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    act(() => host.requestClose({ live: 3, follower: "window", ending: 1, ends: [{ id: "t1", server: "ci", tool: "deploy", why: "program" }], unsure: true, held: 1, forgotten: ["ci"], unseen: false, quits: false }));
    await screen.findByRole("dialog");
    await clean();
    act(() => host.fail({ code: "owner_gone", message: "gone", retry: "later" }));
    await clean();
  });
});
