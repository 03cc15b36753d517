import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";

import type { ChosenKeys } from "../../actions/choice";
import { App } from "../../app/App";
import { currentNav, go, select } from "../../places/nav";
import { showing } from "../../test/desk";
import { FakeHost } from "../../test/FakeHost";
import { HOSTILE, isIsolated, kindsIn, textsIn, UNSEEN } from "../../test/hostile";
import { renderWith } from "../../test/render";
import { aTask } from "../../test/samples";
import { t } from "../../strings";
import type { Command, PaletteEntry, PaletteItem, Reply } from "../../types";

type Wish = Extract<Command, { type: "palette" }>;

const DEPLOY: PaletteItem = { kind: "tool", server: "s1", tool: "deploy" };

function entry(item: PaletteItem, words: string, more: Partial<PaletteEntry> = {}): PaletteEntry {
  return { item, words, matched: [], waits: false, ...more };
}

const FOUND = [
  entry(DEPLOY, "deploy", { matched: [0, 1, 2], about: "rolls out", server: "ci" }),
  entry({ kind: "request", id: "r7" }, "Deploy to production?", { waits: true, server: "ci" }),
  entry({ kind: "task", id: "t2" }, "deploy billing", { outcome: "protocol_error", server: "ci" }),
];

/** As the desk sends them: on one line, and cut. */
const HOSTILE_ENTRIES = HOSTILE.map(([, text], n) => {
  const line = Array.from(text.replace(/\s+/g, " ")).slice(0, 200).join("");
  return entry({ kind: "task", id: `t${n}` }, line, { matched: [0, 1], about: line, server: line });
});

const found = (entries: PaletteEntry[], complete = true): Reply => ({ type: "palette", entries, complete });

/** The window, with a desk that finds what `find` says, and remembers what was chosen of late and these keys. */
async function open(find: (wish: Wish) => Reply | Promise<Reply> = () => found(FOUND), recent: PaletteItem[] = [], keys: ChosenKeys = {}) {
  const remembered = new Map(Object.entries({ palette: recent, keys }).map(([name, value]) => [name, JSON.stringify(value)]));
  const host = new FakeHost(showing({ tasks: [aTask({ id: "t2" })], remembered }), (command) => {
    if (command.type === "palette") return find(command);
    if (command.type === "tools") return { type: "tools", tools: [] };
    return { type: "done" };
  });
  renderWith(host, <App />);
  await screen.findByRole("navigation");
  const user = userEvent.setup();
  await user.keyboard("{Control>}k{/Control}");
  const field = await screen.findByRole("combobox", { name: /^Search tasks, questions/ });
  await waitFor(() => expect(document.activeElement).toBe(field));
  const wishes = () => host.commands.filter((command): command is Wish => command.type === "palette");
  return { host, user, field, wishes };
}

type Answers = Map<string, (reply: Reply) => void>;

/** Answers what was asked for a text. */
async function answer(answers: Answers, text: string, reply: Reply) {
  await act(async () => {
    answers.get(text)?.(reply);
    await Promise.resolve();
  });
}

const options = () => screen.queryAllByRole("option").filter((option) => option.closest("[role=dialog]"));
const inHand = (field: HTMLElement) => document.getElementById(field.getAttribute("aria-activedescendant") ?? "");

beforeEach(() => {
  act(() => {
    go("tasks");
    select({ task: null, request: null, server: null });
  });
});

describe("the palette", () => {
  it("shows what is found by its kind, and goes to it with the arrows and Enter", async () => {
    const { user, field, host } = await open();
    await waitFor(() => expect(options()).toHaveLength(3));
    expect(within(screen.getByRole("group", { name: "Start a tool" })).getByText("dep").tagName).toBe("MARK");
    expect(inHand(field)?.textContent).toBe("deploy rolls outciEnter");
    await user.keyboard("{ArrowUp}");
    expect(inHand(field)?.textContent, "from the first up to the last").toContain("deploy billing");
    await user.keyboard("{ArrowUp}{Enter}");
    expect(currentNav()).toMatchObject({ place: "inbox", request: "r7", enter: { request: "r7", to: "look" } });
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(host.commands.map(({ type }) => type), "it leads there, and does nothing else").not.toContain("start");
  });

  it("opens a tool in the start form, and a task by a press", async () => {
    const { user } = await open();
    await waitFor(() => expect(options()).toHaveLength(3));
    await user.keyboard("{Enter}");
    expect(currentNav()).toMatchObject({ place: "start", start: { server: "s1", tool: "deploy", arguments: null } });
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await user.keyboard("{Control>}k{/Control}");
    await waitFor(() => expect(options()).toHaveLength(3));
    await user.click(screen.getByText("deploy billing"));
    expect(currentNav()).toMatchObject({ place: "tasks", task: "t2" });
  });

  it("closes with Escape, after which the field has the focus again that it was opened from", async () => {
    const { user } = await open();
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await user.keyboard("/");
    const filter = document.activeElement;
    expect(filter?.tagName).toBe("INPUT");
    await user.keyboard("{Control>}k{/Control}");
    await screen.findByRole("dialog");
    await user.keyboard("{Escape}");
    await waitFor(() => expect(document.activeElement).toBe(filter));
  });

  it("asks one thing at a time, and then at once for what is typed by then", async () => {
    const answers: Answers = new Map();
    const { user, field, wishes } = await open(({ text }) => new Promise((resolve) => answers.set(text, resolve)));
    await user.keyboard("abc");
    expect((field as HTMLInputElement).value, "no letter waits").toBe("abc");
    await answer(answers, "", found(FOUND));
    expect(wishes().map(({ text }) => text), "the desk does no work for what nobody will see").toEqual(["", "abc"]);
    await answer(answers, "abc", found([entry({ kind: "task", id: "t2" }, "about")]));
    expect(options().map((option) => option.textContent)).toEqual(["aboutEnter"]);
    expect(wishes()).toHaveLength(2);
  });

  it("takes Enter for what is typed, also before it is found", async () => {
    const answers: Answers = new Map();
    const { user } = await open((wish) => (wish.text === "" ? found(FOUND) : new Promise((resolve) => answers.set(wish.text, resolve))));
    await waitFor(() => expect(options()).toHaveLength(3));
    await user.keyboard("b{Enter}");
    expect(currentNav().place, "what stands there was found for nothing typed").toBe("tasks");
    await answer(answers, "b", found([entry({ kind: "server", id: "s1" }, "b")]));
    await waitFor(() => expect(currentNav()).toMatchObject({ place: "servers", server: "s1" }));
  });

  it("shows the list of tasks by a saved view", async () => {
    const view: PaletteItem = { kind: "view", name: "failed today", server: "s1" };
    const { user } = await open(() => found([entry(view, "failed today", { server: "ci" })]));
    expect(within(await screen.findByRole("group", { name: "Saved views" })).getAllByRole("option")).toHaveLength(1);
    await user.keyboard("{Enter}");
    expect(currentNav()).toMatchObject({ place: "tasks", view: "failed today", only: { tasks: "s1" } });
  });

  it("remembers what was chosen, and asks for it where nothing is typed", async () => {
    const recent: PaletteItem[] = [{ kind: "task", id: "t2" }, DEPLOY];
    const { user, wishes, host } = await open(({ text }) => found(text === "" ? [FOUND[2], FOUND[0], FOUND[1]].filter((one) => one !== undefined) : FOUND), recent);
    const group = await screen.findByRole("group", { name: "Recent" });
    expect(within(group).getAllByRole("option").map((option) => option.textContent)).toEqual(["deploy billingtaskciEnter", "deploy rolls outtoolci"]);
    expect(wishes()).toHaveLength(1);
    expect(wishes()[0]?.recent).toEqual(recent);
    await user.keyboard("d");
    await waitFor(() => expect(screen.queryByRole("group", { name: "Recent" })).toBeNull());
    expect(wishes().at(-1)?.recent, "of equals those come first that were chosen of late").toEqual(recent);
    await user.keyboard("{Enter}");
    const kept = host.commands.find((command) => command.type === "set_preference");
    expect(kept).toMatchObject({ key: "palette", value: JSON.stringify([DEPLOY, recent[0]]) });
  });

  it("makes nothing of what another version remembers", async () => {
    const odd = [7, null, { kind: "view", id: "x" }, { kind: "later", id: "x" }, { kind: "task" }, DEPLOY] as unknown as PaletteItem[];
    const { wishes } = await open(undefined, odd);
    await waitFor(() => expect(wishes().at(-1)?.recent).toEqual([DEPLOY]));
  });

  it("offers what can be done here, but nothing that decides, sends or deletes", async () => {
    const { wishes } = await open();
    await waitFor(() => expect(wishes()).not.toEqual([]));
    const own = wishes()[0]?.own ?? [];
    const ids = own.map(({ id }) => id);
    expect(own).toContainEqual({ id: "go.servers", words: "Servers" });
    expect(own).toContainEqual({ id: "settings.keys", words: "Settings: Keyboard" });
    const quiet = { id: expect.stringMatching(/^settings\.notifications\./) as string, words: "Settings: Notifications: Quiet hours" };
    expect(own, "what is set in a section is found by its own name").toContainEqual(quiet);
    expect(ids).toContain("help");
    expect(ids.filter((id) => /^(list\.|request\.(submit|decline|cancel)|task\.forget|start\.run|server\.check|palette$)/.test(id))).toEqual([]);
  });

  it("does what the key would do, and shows that key, as it was chosen", async () => {
    const { user } = await open(() => found([entry({ kind: "own", id: "help" }, "Keyboard help")]), [], { help: "F1" });
    const option = await screen.findByRole("option", { name: /Keyboard help/ });
    expect(within(option).getByText("F1").tagName).toBe("KBD");
    expect(within(option).queryByText("?")).toBeNull();
    await user.keyboard("{Enter}");
    await screen.findByRole("dialog", { name: "Keyboard" });
  });

  it("leads from what is set to its section", async () => {
    const { user } = await open(() => found([entry({ kind: "own", id: "settings.log.0" }, "Settings: Log: Log level")]));
    await user.click(await screen.findByRole("option", { name: /Log level/ }));
    await waitFor(() => expect(document.activeElement?.closest("section")?.querySelector("h2")?.textContent).toBe(t.settings.log));
  });

  it("leads to a section of the settings, and to what can be changed there", async () => {
    const { user } = await open(() => found([entry({ kind: "own", id: "settings.log" }, "Settings: Log")]));
    await screen.findByRole("option", { name: /Settings: Log/ });
    await user.keyboard("{Enter}");
    expect(currentNav().place).toBe("settings");
    await waitFor(() => expect(document.activeElement?.closest("section")?.querySelector("h2")?.textContent).toBe(t.settings.log));
  });

  it("leaves a server's text what it is", async () => {
    await open(() => found(HOSTILE_ENTRIES));
    await waitFor(() => expect(options()).toHaveLength(HOSTILE_ENTRIES.length));
    const dialog = screen.getByRole("dialog");
    expect([...kindsIn(dialog)].filter((kind) => /^(img|a|script|iframe|b|@href|@src|@on.*)$/.test(kind)), "it never becomes markup").toEqual([]);
    const texts = textsIn(dialog);
    expect(texts.filter(({ text }) => UNSEEN.test(text)), "what would hide or reorder is spelled out").toEqual([]);
    const listed = texts.filter(({ at }) => at.closest("[role=option]") && at.closest("[class*=words], [class*=of]"));
    expect(listed.filter(({ text, at }) => text.trim() !== "" && !isIsolated(at)).map(({ text }) => text), "each keeps its own direction").toEqual([]);
  });

  it("says that nothing matches, and that more may while all is still read", async () => {
    let complete = false;
    const { wishes } = await open(() => found([], complete));
    await screen.findByText("Tasks and questions are still being read. More may match.");
    expect(screen.getAllByText("Nothing matches"), "seen and heard").toHaveLength(2);
    complete = true;
    await waitFor(() => expect(screen.queryByText(/still being read/)).toBeNull());
    expect(wishes().length, "it was asked again").toBeGreaterThan(1);
  });
});
