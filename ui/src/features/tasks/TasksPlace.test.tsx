import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { listenForKeys } from "../../actions/keys";
import { currentNav, go, listAllServers, openTasksOf, select } from "../../places/nav";
import { showing, type SmallDesk } from "../../test/desk";
import { FakeHost } from "../../test/FakeHost";
import { renderWith } from "../../test/render";
import { ago, anOverview, aRequest, aResult, aServer, aTask, aTaskDetail, aText } from "../../test/samples";
import type { ResultView, TaskDetail, TaskRow, Verdict } from "../../types";
import { TasksPlace } from "./TasksPlace";

const TASKS = [
  aTask({ id: "t1", group: "needs_you", status: "input_required", tool: "deploy", summary: "api", openRequests: 1 }),
  aTask({ id: "t2", tool: "build", summary: "main" }),
  aTask({ id: "t3", group: "ended", tool: "lint", summary: "ui", status: "completed", outcome: "tool_error", tracking: "done", endedAt: ago(1_000) }),
];

function show(desk: SmallDesk, host = new FakeHost(showing(desk))) {
  renderWith(host, <TasksPlace overview={desk.overview ?? anOverview()} />);
  return host;
}

const rowOf = (name: RegExp) => screen.findByRole("row", { name });

describe("the task list", () => {
  let stop: () => void;
  beforeEach(() => {
    select({ task: null });
    listAllServers("tasks");
    stop = listenForKeys(window);
  });
  afterEach(() => stop());

  it("shows each task in its group with its status in words", async () => {
    show({ tasks: TASKS });
    const grid = await screen.findByRole("grid", { name: "Tasks" });
    const rows = within(grid).getAllByRole("row").map((row) => row.textContent);
    expect(rows.slice(1).map((text) => text.replace(/\d.*/, "")), "headings and rows in the desk's order").toEqual([
      "Needs you ",
      expect.stringContaining("needs youdeploy api"),
      "Working ",
      expect.stringContaining("working: build "),
      "Ended ",
      expect.stringContaining("tool errorlint ui"),
    ]);
  });

  it("says what to do next when there is nothing", async () => {
    show({ tasks: [] });
    expect(await screen.findByText("No tasks yet")).toBeTruthy();
    await userEvent.click(screen.getAllByRole("button", { name: "Start a tool" }).at(-1) as HTMLElement);
    expect(currentNav().place).toBe("start");
  });

  it("leads to the servers first when there are none", async () => {
    show({ tasks: [], overview: anOverview({ servers: [] }) });
    await userEvent.click(await screen.findByRole("button", { name: "Add a server" }));
    expect(currentNav().place).toBe("servers");
  });

  it("says why it cannot show anything, and tries again when asked", async () => {
    const host = new FakeHost(showing({ tasks: TASKS }));
    host.fail({ code: "storage_denied", message: "No permission.", retry: "after_fix" });
    show({}, host);
    const alert = await screen.findByRole("alert");
    expect(alert.textContent).toContain("The data directory cannot be used");
    host.fail(undefined);
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await rowOf(/deploy/)).toBeTruthy();
  });

  it("moves by j and k over headings, and shows what is selected", async () => {
    show({ tasks: TASKS });
    await rowOf(/deploy/);
    await userEvent.keyboard("j");
    expect(currentNav().task).toBe("t1");
    await userEvent.keyboard("j");
    expect(currentNav().task, "the heading is stepped over").toBe("t2");
    expect((await rowOf(/build/)).getAttribute("aria-selected")).toBe("true");
    expect(await screen.findByRole("heading", { name: "build · main" })).toBeTruthy();
    await userEvent.keyboard("jj");
    expect(currentNav().task, "the end of the list is its end").toBe("t3");
    await userEvent.keyboard("k");
    expect(currentNav().task).toBe("t2");
  });

  it("moves by the arrow keys, Home and End while it has the focus", async () => {
    show({ tasks: TASKS });
    const grid = await screen.findByRole("grid");
    grid.focus();
    await userEvent.keyboard("{End}");
    expect(currentNav().task).toBe("t3");
    expect(grid.getAttribute("aria-activedescendant")).toBe((await rowOf(/lint/)).id);
    await userEvent.keyboard("{ArrowUp}");
    expect(currentNav().task).toBe("t2");
    await userEvent.keyboard("{Home}");
    expect(currentNav().task).toBe("t1");
  });

  it("searches at the desk, once the typing rests", async () => {
    const host = show({ tasks: TASKS });
    await screen.findByText("deploy");
    await userEvent.keyboard("/");
    await userEvent.keyboard("main");
    await waitFor(() => expect(screen.queryByText("deploy")).toBeNull());
    expect(screen.getByText("build")).toBeTruthy();
    const asked = host.looks.flatMap((look) => (look.view.type === "tasks" ? [look.view.query.filter] : []));
    expect(new Set(asked), "not a look for every letter").toEqual(new Set(["", "main"]));
  });

  it("takes what may be meant by keys, as chips that can be removed, and remembers them", async () => {
    const host = show({ tasks: TASKS, offers: [{ text: "lint ui", count: 1 }] });
    const before = () => host.looks.flatMap(({ view }) => (view.type === "offers" ? [view.before] : []));
    await screen.findByText("deploy");
    await userEvent.keyboard("/l");
    await screen.findByRole("option", { name: /^lint ui/ });
    await userEvent.keyboard("{ArrowDown}{Enter}");
    await waitFor(() => expect(screen.queryByText("deploy")).toBeNull());
    expect(screen.getByRole<HTMLInputElement>("combobox", { name: /Filter/ }).value, "the offer stands in the place of what was typed").toBe("");
    const shown = { tokens: ["lint", "ui"], text: "", sort: "", group: "" };
    expect(host.commands).toContainEqual({ type: "set_preference", key: "tasks.list", value: JSON.stringify(shown) });
    await waitFor(() => expect(before().at(-1), "nothing is being typed behind the chips").toBe("lint ui "));
    await userEvent.click(screen.getByRole("button", { name: "Remove ui from the filter" }));
    await userEvent.keyboard("{Backspace}");
    expect(screen.getByRole<HTMLInputElement>("combobox", { name: /Filter/ }).value, "the last chip can be written on").toBe("lint");
  });

  it("makes a chip of a token that a blank ends, and takes it back whole", async () => {
    const host = show({ tasks: TASKS });
    const field = () => screen.getByRole<HTMLInputElement>("combobox", { name: /Filter/ });
    await screen.findByText("deploy");
    await userEvent.keyboard("/ui server:s1 ");
    expect(screen.getByRole("button", { name: "Remove server:s1 from the filter" })).toBeTruthy();
    expect(field().value, "what stood before it stays").toBe("ui ");
    await userEvent.keyboard("{Home}{Backspace}");
    expect(screen.queryByRole("button", { name: "Remove server:s1 from the filter" })).toBeNull();
    expect(field().value.trim()).toBe("server:s1 ui");
    await userEvent.clear(field());
    await userEvent.keyboard("tool:x lint");
    await userEvent.click(screen.getByRole("button", { name: "Remove tool:x from the filter" }));
    expect(field().value, "only the chip goes").toBe("lint");
    await waitFor(() => expect(host.looks.flatMap((look) => (look.view.type === "tasks" ? [look.view.query.filter] : [])).at(-1)).toBe("lint"));
  });

  it("makes a chip of a token with a blank in quotation marks, too", async () => {
    show({ tasks: [...TASKS, aTask({ id: "t4", server: "s2", serverName: "Dev box", tool: "train" })] });
    await screen.findByText("deploy");
    await userEvent.keyboard('/server:"Dev box"');
    expect(screen.queryByRole("button", { name: /from the filter$/ }), "the blank within the marks ends nothing").toBeNull();
    await userEvent.keyboard(" ");
    expect(screen.getByRole("button", { name: 'Remove server:"Dev box" from the filter' })).toBeTruthy();
    expect(screen.getByRole<HTMLInputElement>("combobox", { name: /Filter/ }).value).toBe("");
    await waitFor(() => expect(screen.queryByText("deploy")).toBeNull());
    expect(screen.getByText("train")).toBeTruthy();
  });

  it("lists no rows of another server than the chip says, whatever is typed beside it", async () => {
    const servers = [aServer(), aServer({ id: "s2", name: "lab" })];
    show({ tasks: [...TASKS, aTask({ id: "t4", server: "s2", serverName: "lab", tool: "train" })], overview: anOverview({ servers }) });
    await screen.findByText("train");
    act(() => openTasksOf("s1"));
    await waitFor(() => expect(screen.queryByText("train")).toBeNull());
    await userEvent.keyboard("/server:s2 ");
    await screen.findByText("No task matches");
    expect(screen.queryByText("train"), "tokens of one key join, but this one is none of the filter's").toBeNull();
    await userEvent.click(screen.getByRole("button", { name: /^Only tasks of ci are listed/ }));
    expect(await screen.findByText("train")).toBeTruthy();
    expect(screen.queryByText("deploy")).toBeNull();
  });

  describe("whose full texts cannot be looked through", () => {
    const fault = { code: "storage_full" as const, message: "there is no room for the index of full texts", retry: "after_fix" as const };

    it("keeps the rows that were found, and says why there may be more", async () => {
      const desk: SmallDesk = { tasks: TASKS, fault };
      const host = show(desk);
      await screen.findByText("deploy");
      await userEvent.keyboard("/build");
      await waitFor(() => expect(screen.queryByText("deploy")).toBeNull());
      expect(screen.getByText("build")).toBeTruthy();
      expect(screen.getByText(/^Full texts could not be searched\. There is no room on the disk to index them\. Free some space/)).toBeTruthy();
      expect(screen.getByText("1 task"), "those that were found").toBeTruthy();
      expect(screen.getByText(fault.message).closest("details")?.open, "the particulars are for those who ask").toBe(false);
      expect(screen.queryByText("Still looking …"), "it would be said for ever").toBeNull();

      delete desk.fault;
      act(() => host.touch());
      await waitFor(() => expect(screen.queryByText(/^Full texts could not/)).toBeNull());
      expect(screen.getByText("build")).toBeTruthy();
    });

    it("does not say that nothing matches: a full text may", async () => {
      show({ tasks: TASKS, fault });
      await screen.findByText("deploy");
      await userEvent.keyboard("/nothing");
      expect(await screen.findByText("Nothing found outside full texts")).toBeTruthy();
      expect(screen.queryByText("No task matches")).toBeNull();
      expect(screen.queryByText("Still looking …")).toBeNull();
      await userEvent.click(screen.getByRole("button", { name: "Clear the filter" }));
      expect(await screen.findByText("deploy")).toBeTruthy();
    });
  });

  it("stands in a bar that nothing comes into, or leaves, by what is typed", async () => {
    show({ tasks: TASKS });
    await screen.findByText("deploy");
    const field = screen.getByRole("combobox", { name: /Filter/ });
    const bar = field.closest("header");
    const controls = () => [...(bar?.querySelectorAll("button, select") ?? [])].map((control) => control.getAttribute("aria-label") ?? control.textContent);
    const before = controls();
    expect(bar?.firstElementChild?.contains(field), "what changes its width stands behind it").toBe(true);
    await userEvent.keyboard("/lint");
    await waitFor(() => expect(screen.queryByText("deploy")).toBeNull());
    expect(controls()).toEqual(before);
  });

  describe("before it is known how the list was left", () => {
    /** A desk that remembers a list, and says so no sooner than `know` is called. */
    function late(list?: object) {
      const desk = { tasks: TASKS, ...(list && { remembered: new Map([["tasks.list", JSON.stringify(list)]]) }) };
      const host = new FakeHost(showing(desk));
      let know: () => void = () => undefined;
      const known = new Promise<void>((resolve) => (know = resolve));
      host.late = (view) => (view.type === "preference" ? known : undefined);
      show(desk, host);
      return async () => {
        act(know);
        await screen.findByRole("combobox", { name: "Group by" });
      };
    }
    const field = () => screen.getByRole<HTMLInputElement>("combobox", { name: /Filter/ });

    it("has the focus once it is here, for whoever asked for it before", async () => {
      const know = late({ text: "build" });
      await userEvent.keyboard("/");
      await know();
      await screen.findByText("build");
      expect(document.activeElement, "the rows that come leave it there").toBe(field());
      await userEvent.keyboard("lint");
      expect(field().value, "what stood there gives way, as to the key").toBe("lint");
    });

    it("loses no letter that is typed, and none does anything else", async () => {
      const know = late({ text: "build", tokens: ["is:working"] });
      await userEvent.keyboard("/sli");
      expect(currentNav().place, "s starts nothing").toBe("tasks");
      await know();
      await userEvent.keyboard("nt");
      expect(field().value).toBe("slint");
      expect(document.activeElement).toBe(field());
      expect(screen.getByRole("button", { name: /is:working/ }), "only the text gives way").toBeTruthy();
    });

    it("is left by Escape", async () => {
      const know = late();
      await userEvent.keyboard("/l{Escape}{Escape}{Escape}");
      await know();
      expect(document.activeElement).not.toBe(field());
      expect(field().value).toBe("");
    });
  });

  it("is remembered once typing rests, not with every letter", async () => {
    const host = show({ tasks: TASKS });
    const kept = () => host.commands.flatMap((command) => (command.type === "set_preference" ? [(JSON.parse(command.value) as { text: string }).text] : []));
    await screen.findByText("deploy");
    await userEvent.keyboard("/lint");
    await waitFor(() => expect(kept().at(-1)).toBe("lint"));
    expect(kept()).toEqual(["lint"]);
  });

  it("is never remembered with a token as a chip and as text", async () => {
    const host = show({ tasks: TASKS });
    const kept = () => host.commands.flatMap((command) => (command.type === "set_preference" ? [JSON.parse(command.value) as unknown] : []));
    await screen.findByText("deploy");
    await userEvent.keyboard("/server:s1");
    await waitFor(() => expect(kept().at(-1)).toMatchObject({ tokens: [], text: "server:s1" }));
    await userEvent.keyboard(" ");
    await waitFor(() => expect(kept().at(-1)).toMatchObject({ tokens: ["server:s1"], text: "" }));
    expect(kept(), "somebody may close the window in between").toHaveLength(2);
  });

  it("is remembered by whoever leaves the list at once", async () => {
    const host = new FakeHost(showing({ tasks: TASKS }));
    const { unmount } = renderWith(host, <TasksPlace overview={anOverview()} />);
    await screen.findByText("deploy");
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "Group by" }), "tool");
    const last = () => host.commands.findLast((command) => command.type === "set_preference")?.value;
    expect(last(), "nobody types: a choice holds at once").toContain('"group":"tool"');
    await userEvent.type(screen.getByRole("combobox", { name: /Filter/ }), "lint");
    unmount();
    expect(last()).toContain('"text":"lint"');
  });

  it("keeps the list while a filter cannot be read, and says why", async () => {
    const host = show({ tasks: TASKS });
    host.act = (command) => (command.type === "read_filter" ? { type: "filtered", fault: "`status:` needs a value" } : { type: "done" });
    await screen.findByText("deploy");
    await userEvent.keyboard("/status:");
    expect(await screen.findByText("`status:` needs a value")).toBeTruthy();
    expect(screen.getByText("deploy"), "an empty list would say that nothing is like that").toBeTruthy();
    const asked = host.looks.flatMap((look) => (look.view.type === "tasks" ? [look.view.query.filter] : []));
    expect(new Set(asked)).toEqual(new Set([""]));
  });

  it("sorts by a column, and the other way round at the next press", async () => {
    const host = show({ tasks: TASKS });
    await screen.findByText("deploy");
    const ended = screen.getByRole("columnheader", { name: "Ended" });
    await userEvent.click(within(ended).getByRole("button"));
    expect(ended.getAttribute("aria-sort"), "what ended first ended longest ago").toBe("descending");
    await userEvent.click(within(ended).getByRole("button"));
    expect(ended.getAttribute("aria-sort")).toBe("ascending");
    const sorts = host.looks.flatMap((look) => (look.view.type === "tasks" ? [look.view.query.sort] : []));
    expect(new Set(sorts)).toEqual(new Set(["", "ended", "-ended"]));
  });

  it("is sorted by several columns, one behind the other", async () => {
    const host = show({ tasks: TASKS });
    await screen.findByText("deploy");
    const user = userEvent.setup();
    await user.click(screen.getByRole("button", { name: "Server" }));
    await user.keyboard("{Shift>}");
    await user.click(screen.getByRole("button", { name: "Ended" }));
    await user.keyboard("{/Shift}");
    const sorts = () => host.looks.flatMap((look) => (look.view.type === "tasks" ? [look.view.query.sort] : []));
    await waitFor(() => expect(sorts().at(-1)).toBe("server,ended"));
    expect(screen.getByRole<HTMLSelectElement>("combobox", { name: "Sort by" }).selectedOptions[0]?.textContent).toBe("By several columns");
  });

  it("is sorted by what has no column in a narrow window, too", async () => {
    const host = show({ tasks: TASKS });
    await screen.findByText("deploy");
    const order = screen.getByRole<HTMLSelectElement>("combobox", { name: "Sort by" });
    expect(order.selectedOptions[0]?.textContent).toBe("Newest first");
    await userEvent.selectOptions(order, "Longest silent first");
    expect(screen.getByRole("columnheader", { name: "Silent" }).getAttribute("aria-sort")).toBe("descending");
    await userEvent.click(within(screen.getByRole("columnheader", { name: "Tool and arguments" })).getByRole("button"));
    expect(order.selectedOptions[0]?.textContent).toBe("Tool");
    await userEvent.click(within(screen.getByRole("columnheader", { name: "Tool and arguments" })).getByRole("button"));
    expect(order.selectedOptions[0]?.textContent, "an order that only a column has").toBe("By a column");
    const sorts = host.looks.flatMap((look) => (look.view.type === "tasks" ? [look.view.query.sort] : []));
    expect(new Set(sorts)).toEqual(new Set(["", "changed", "tool", "-tool"]));
  });

  it("stands as it was left", async () => {
    const left = { tokens: ["lint"], text: "", sort: "-ended", group: "tool" };
    const host = show({ tasks: TASKS, remembered: new Map([["tasks.list", JSON.stringify(left)]]) });
    expect(await rowOf(/lint/)).toBeTruthy();
    expect(screen.queryByText("deploy")).toBeNull();
    expect(screen.getByRole<HTMLSelectElement>("combobox", { name: "Group by" }).value).toBe("tool");
    const asked = host.looks.flatMap((look) => (look.view.type === "tasks" ? [look.view.query] : []));
    expect(asked.at(-1)).toEqual({ filter: "lint", within: [], sort: "-ended", group: "tool" });
  });

  const remembering = (text: string) => new Map([["tasks.list", JSON.stringify({ tokens: [], text, sort: "", group: "" })]]);
  const filters = (host: FakeHost) => new Set(host.looks.flatMap((look) => (look.view.type === "tasks" ? [look.view.query.filter] : [])));

  it("is asked for once it is known whether what was left there can be read", async () => {
    const host = show({ tasks: TASKS, remembered: remembering("lint") });
    expect(await rowOf(/lint/)).toBeTruthy();
    expect(filters(host), "all rows are not wanted, not even for a moment").toEqual(new Set(["lint"]));
  });

  it("shows all rows, and says why, where what was left there cannot be read", async () => {
    const host = new FakeHost(showing({ tasks: TASKS, remembered: remembering("status:") }));
    host.act = (command) => (command.type === "read_filter" ? { type: "filtered", fault: "`status:` needs a value" } : { type: "done" });
    show({}, host);
    expect(await rowOf(/deploy/)).toBeTruthy();
    expect(screen.getByText("`status:` needs a value")).toBeTruthy();
    expect(screen.queryByRole("alert"), "nothing went wrong").toBeNull();
    expect(filters(host)).toEqual(new Set([""]));
  });

  it("does not say that there are no tasks because none matched", async () => {
    const host = show({ tasks: TASKS, remembered: remembering("nothing like it") });
    await screen.findByText("No task matches");
    let know: () => void = () => undefined;
    const known = new Promise<void>((resolve) => (know = resolve));
    host.late = (view) => (view.type === "tasks" && view.query.filter === "" ? known : undefined);
    await userEvent.click(screen.getByRole("button", { name: "Clear the filter" }));
    expect(await screen.findByText("Loading…")).toBeTruthy();
    expect(screen.queryByText("No tasks yet")).toBeNull();
    act(know);
    expect(await rowOf(/deploy/)).toBeTruthy();
  });

  it("holds a window of rows of a long list, not the list", async () => {
    const many = Array.from({ length: 2_000 }, (_, n) => aTask({ id: `t${n}`, summary: `shard-${n}` }));
    const host = show({ tasks: many });
    await screen.findByText("shard-0");
    expect(screen.getByRole("grid").getAttribute("aria-rowcount"), "all rows, a heading and the column heads").toBe("2002");
    expect(screen.getAllByRole("row").length).toBeLessThan(60);
    for (const look of host.looks) if (look.view.type === "tasks") expect(look.view.limit).toBeLessThanOrEqual(500);
  });
});

describe("a task", () => {
  const one = (row?: Partial<TaskRow>, change?: Partial<TaskDetail>, without?: "arguments") => {
    const detail = aTaskDetail(row, change);
    if (without !== undefined) delete detail.arguments;
    select({ task: detail.row.id });
    return show({ tasks: [detail.row], details: new Map([[detail.row.id, detail]]), overview: anOverview({ servers: [aServer()] }) });
  };

  it("shows a server's text as text, with nothing hidden in it", async () => {
    one({ statusMessage: "<b>50%</b> \u202edone" });
    expect((await screen.findAllByText("<b>50%</b> ⟨202E⟩done")).length).toBeGreaterThan(0);
  });

  const cancelled = (host: FakeHost) => host.commands.filter((command) => command.type === "cancel");

  it.each([
    ["key", () => userEvent.keyboard("x")],
    ["button", () => userEvent.click(screen.getByRole("button", { name: /Cancel task/ }))],
  ])("is cancelled only after a question, by %s", async (_, ask) => {
    const stop = listenForKeys(window);
    const host = one({ id: "t1" });
    await screen.findByRole("button", { name: /Cancel task/ });
    await ask();
    const dialog = await screen.findByRole("dialog", { name: "Cancel this task?" });
    expect(dialog.textContent, "what the server hears").toContain("ci is asked to cancel it (tasks/cancel)");
    expect(dialog.textContent, "its pane is behind the dialog").toContain(" · ci · t1");
    const keep = within(dialog).getByRole("button", { name: "Let it run" });
    await waitFor(() => expect(document.activeElement, "Enter keeps it").toBe(keep));
    await userEvent.keyboard("{Enter}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(cancelled(host)).toEqual([]);

    await ask();
    await userEvent.click(await screen.findByRole("button", { name: "Cancel the task" }));
    expect(cancelled(host)).toEqual([{ type: "cancel", call: "t1" }]);
    stop();
  });

  it("that ends while one is asked about cancelling it leaves nothing to ask", async () => {
    const running = aTaskDetail({ id: "t1" });
    const details = new Map([["t1", running]]);
    select({ task: "t1" });
    const host = show({ tasks: [running.row], details });
    await userEvent.click(await screen.findByRole("button", { name: /Cancel task/ }));
    await screen.findByRole("dialog");
    details.set("t1", { ...running, row: { ...running.row, group: "ended", status: "completed", outcome: "ok", tracking: "done", endedAt: ago(0) } });
    act(() => host.touch());
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(cancelled(host)).toEqual([]);
  });

  it.each([
    ["queued", 0, /^Kept here, not sent yet/],
    ["sent", 0, /^Sent, waiting for the first answer/],
    ["answered", 1, /^The server needs something first/],
    ["sent", 1, /^Sent again, waiting for the answer/],
  ] as const)("without a task says how far its call got: %s, %i questions", async (delivery, asked, words) => {
    const task = aTaskDetail({ id: "t1", hasTask: false, openRequests: asked }, { delivery, requests: asked > 0 ? [aRequest()] : [] });
    select({ task: "t1" });
    show({ tasks: [task.row], details: new Map([["t1", task]]) });
    await screen.findByText(words);
  });

  it("says how long each of its questions has waited, and leads to it", async () => {
    const requests = [aRequest({ openedAt: ago(180_000, Date.now()) }), aRequest({ id: "r2", message: "Which region?", state: "answered" })];
    one({ id: "t1", openRequests: 1 }, { requests });
    const questions = within((await screen.findByRole("heading", { name: "Questions" })).parentElement as HTMLElement);
    const rows = questions.getAllByRole("listitem").map((row) => row.textContent);
    expect(rows).toEqual([expect.stringMatching(/production\?.* · waiting 3 min$/), expect.not.stringContaining("waiting")]);
    await userEvent.click(questions.getByRole("button", { name: /Which region/ }));
    expect(currentNav()).toMatchObject({ place: "inbox", request: "r2", enter: { request: "r2", to: "look" } });
    go("tasks");
    await userEvent.click(questions.getByRole("button", { name: /^Answer/ }));
    expect(currentNav(), "one that is still open is answered at once").toMatchObject({ place: "inbox", request: "r1" });
  });

  it("says how many questions it does not show, and leads to them", async () => {
    const more = { requests: [aRequest()], requestsMore: 400, requestsClosedMore: 2_400 };
    const task = aTaskDetail({ id: "t1", openRequests: 401 }, more);
    select({ task: "t1" });
    show({ tasks: [task.row], details: new Map([["t1", task]]) });
    await screen.findByText(/Not shown: 400 more questions that are not over, 2,400 earlier questions that are over\./);
    await userEvent.click(screen.getByRole("button", { name: "Show the inbox" }));
    expect(currentNav()).toMatchObject({ place: "inbox", only: { inbox: "s1" } });
  });

  it("shows a wish to cancel as requested until the server says", async () => {
    one({ cancel: { requestedAt: ago(5_000) } });
    const button = await screen.findByRole<HTMLButtonElement>("button", { name: /Cancel requested/ });
    expect(button.disabled).toBe(true);
    expect(screen.getByText(/goes on until the server says otherwise/)).toBeTruthy();
  });

  it("says why cancelling failed", async () => {
    const host = one();
    host.act = () => Promise.reject(new Error("nobody there"));
    await userEvent.click(await screen.findByRole("button", { name: /Cancel task/ }));
    await userEvent.click(await screen.findByRole("button", { name: "Cancel the task" }));
    expect((await screen.findByRole("alert")).textContent).toContain("nobody there");
  });

  it("is forgotten only after a question", async () => {
    const host = one({ id: "t1" });
    await userEvent.click(await screen.findByRole("button", { name: "Forget" }));
    const dialog = await screen.findByRole("dialog", { name: "Forget this task?" });
    expect(host.commands).not.toContainEqual({ type: "forget", call: "t1" });
    await userEvent.click(within(dialog).getByRole("button", { name: "Forget" }));
    expect(host.commands).toContainEqual({ type: "forget", call: "t1" });
    await waitFor(() => expect(currentNav().task).toBeNull());
  });

  it("is run again with the same arguments, as written", async () => {
    one({}, { arguments: '{"seed":12345678901234567890}' });
    await userEvent.click(await screen.findByRole("button", { name: /Run again/ }));
    expect(currentNav()).toMatchObject({ place: "start", start: { server: "s1", tool: "build", arguments: '{"seed":12345678901234567890}' } });
  });

  it("is run again with large arguments, too, once they are fetched", async () => {
    const host = one({ id: "t1" }, { payloads: [{ kind: "arguments", bytes: 2_000_000 }] }, "arguments");
    host.act = (command) => (command.type === "payload" ? { type: "payload", json: '{"big":1}' } : { type: "done" });
    await userEvent.click(await screen.findByRole("button", { name: /Run again/ }));
    await waitFor(() => expect(currentNav()).toMatchObject({ place: "start", start: { arguments: '{"big":1}' } }));
    expect(host.commands).toContainEqual({ type: "payload", call: "t1", kind: "arguments" });
  });

  it("is not run again with other arguments where its own cannot be read", async () => {
    go("tasks");
    const host = one({ id: "t1" }, { payloads: [{ kind: "arguments", bytes: 2_000_000 }] }, "arguments");
    host.act = () => Promise.reject(new Error("its file is damaged"));
    await userEvent.click(await screen.findByRole("button", { name: /Run again/ }));
    expect((await screen.findByRole("alert")).textContent).toContain("its file is damaged");
    expect(currentNav().place).toBe("tasks");
  });

  it("is copied as a command line", async () => {
    const host = one({}, { arguments: '{"text":"it\'s $(id)"}' });
    await userEvent.click(await screen.findByRole("button", { name: "Copy as command line" }));
    expect(host.copied).toEqual([`signalbox call ci build --args '{"text":"it'\\''s $(id)"}'`]);
  });

  it("keeps a secret out of the command line, and says so", async () => {
    const host = one({}, { arguments: '{"password":"hunter2"}', secretArguments: true });
    await userEvent.click(await screen.findByRole("button", { name: "Copy as command line" }));
    expect(host.copied).toEqual(["signalbox call ci build --args @arguments.json"]);
    expect(screen.getByText(/The arguments hold a secret/)).toBeTruthy();
  });

  it("shows its result: text as text, the rest as JSON", async () => {
    one(
      { group: "ended", status: "completed", outcome: "ok", tracking: "done", endedAt: ago(1_000) },
      { result: aResult([aText("120 targets"), { kind: "other", type: "new", bytes: 31, json: '{"type":"new","mimeType":"a/b"}' }], { structured: '{"n":1.0}' }) },
    );
    expect(await screen.findByText("120 targets")).toBeTruthy();
    const line = (name: RegExp) => screen.getByRole("treeitem", { name });
    expect(line(/"mimeType": "a\/b"/).closest("[role=tree]"), "what is no text stays JSON").toBeTruthy();
    expect(line(/"n": 1\.0/), "a number stays as written").toBeTruthy();
  });

  const invalid: Verdict = { type: "invalid", errors: [{ field: "n", path: "/n", message: "Must be a whole number", code: "type" }] };
  it.each<[string, Verdict, RegExp[]]>([
    ["differs from what its tool promises", invalid, [/does not fit the tool's output schema/, /^\/n: Must be a whole number$/]],
    ["could not be checked", { type: "unchecked", why: "unknownDialect" }, [/could not be checked/]],
    ["is what its tool promises", { type: "valid" }, [/^It fits the tool's output schema/]],
  ])("says of a result that it %s", async (_, output, said) => {
    one(
      { group: "ended", status: "completed", outcome: "ok", tracking: "done", endedAt: ago(1_000) },
      { result: aResult([], { structured: '{"n":"1"}', output }) },
    );
    expect(await screen.findByText("Structured content")).toBeTruthy();
    for (const text of said) expect(screen.getByText(text)).toBeTruthy();
    expect(screen.queryAllByText(/output schema/)).toHaveLength(said.length > 0 ? 1 : 0);
  });

  it.each([true, false])("says that it lives without limit where the server said so: %s", async (unlimited) => {
    const detail: TaskDetail = { ...aTaskDetail(), unlimited };
    delete detail.ttlMs;
    select({ task: detail.row.id });
    show({ tasks: [detail.row], details: new Map([[detail.row.id, detail]]), overview: anOverview({ servers: [aServer()] }) });
    await userEvent.click(await screen.findByRole("tab", { name: "Raw" }));
    expect(screen.queryByText("unlimited") !== null).toBe(unlimited);
  });

  it("fetches a large payload only when asked", async () => {
    const host = one({ id: "t1" }, { payloads: [{ kind: "result", bytes: 2 * 1024 * 1024 }] });
    host.act = (command) => (command.type === "payload" ? { type: "payload", json: '{"big":1}' } : { type: "done" });
    await userEvent.click(await screen.findByRole("tab", { name: "Raw" }));
    expect(screen.getByText(/because it is large: 2.0 MiB/)).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Load all of it" }));
    expect(await screen.findByText(/"big": 1/)).toBeTruthy();
    expect(host.commands).toContainEqual({ type: "payload", call: "t1", kind: "result" });
  });

  it("reads a payload that is too large for one string in pieces", async () => {
    const host = one({ id: "t1" }, { payloads: [{ kind: "last", bytes: 20 * 1024 * 1024 }] });
    host.act = (command) => (command.type === "payload_text" ? { type: "text_piece", text: '{"big":', from: command.from, next: 7, bytes: 20 * 1024 * 1024 } : { type: "done" });
    await userEvent.click(await screen.findByRole("tab", { name: "Raw" }));
    expect(await screen.findByText('{"big":')).toBeTruthy();
    expect(screen.getByText("Bytes 1 to 7 of 20,971,520")).toBeTruthy();
    expect(host.commands.filter(({ type }) => type.startsWith("payload"))).toEqual([{ type: "payload_text", call: "t1", kind: "last", from: 0 }]);
  });

  it("says what stands for a secret that its server repeated, and nothing of what we wrote ourselves", async () => {
    const json = '{"token":"[redacted]"}';
    const kinds = ["arguments", "create", "result"] as const;
    one({ id: "t1" }, { payloads: kinds.map((kind) => ({ kind, bytes: 22, json: kind === "create" ? "{}" : json })) });
    await userEvent.click(await screen.findByRole("tab", { name: "Raw" }));
    const explains = (payload: string) => within(screen.getByRole("figure", { name: payload })).queryByText(/repeated a secret/) !== null;
    expect(["Arguments", "First answer", "Result"].map(explains), "only where a server repeated one").toEqual([false, false, true]);
  });

  it.each<[string, Partial<TaskRow>, string, string]>([
    [
      "failed",
      { outcome: "protocol_error", status: "failed", statusMessage: "rollback failed", note: { code: "server_error", reason: { kind: "error_answer", error: -32000, said: "rollback failed" } } },
      "The server answered with error -32000: rollback failed",
      "Run it again. If it fails again, tell whoever runs the server.",
    ],
    [
      "expired",
      { outcome: "expired", note: { code: "unknown_item", reason: { kind: "said", message: "Its time to live passed, and the server has forgotten it" } } },
      "Its time to live passed, and the server has forgotten it",
      "Run it again if you still want its result.",
    ],
  ])("that %s says so once, with what can be done", async (_, row, why, advice) => {
    const ended: Partial<TaskRow> = { id: "t1", group: "ended", tracking: "done", endedAt: ago(1_000), ...row };
    const status = row.statusMessage === undefined ? [] : [{ call: "t1", at: ago(1_000), kind: "status" as const, text: row.statusMessage }];
    one(ended, {
      error: '{"code":-32000,"message":"rollback failed"}',
      payloads: [{ kind: "error", bytes: 42, json: '{"code":-32000,"message":"rollback failed"}' }],
      timeline: [...status, { call: "t1", at: ago(1_000), kind: "ended", ...(row.note && { note: row.note }) }],
    });
    const task = await screen.findByRole("region", { name: "Task" });
    expect(within(task).getAllByText(why)).toHaveLength(1);
    expect(within(task).getByText(advice)).toBeTruthy();
    expect(within(task).queryByText(/No such task/), "it is there, and it is shown").toBeNull();
    expect(within(task).queryByText("rollback failed"), "what was said already is not said again").toBeNull();
    expect(within(task).queryByText(/-32000,/), "the JSON is for those who ask").toBeNull();
    await userEvent.click(within(task).getByRole("button", { name: "Show what was received" }));
    expect(within(task).getByText(/"code": -32000/)).toBeTruthy();
    await userEvent.click(screen.getByRole("tab", { name: "Overview" }));
    await userEvent.click(within(task).getByRole("button", { name: "Go to the server" }));
    expect(currentNav()).toMatchObject({ place: "servers", server: "s1" });
  });

  const reported = { outcome: "tool_error", status: "completed", statusMessage: "the tool reported an error" } as const;
  it.each<[string, ResultView | undefined, RegExp]>([
    ["a tool error", aResult([aText("3 problems in ui")], { isError: true }), /^Read what the tool says below/],
    ["a tool error with an empty result", aResult([], { isError: true }), /^The tool returned nothing with it\. Run it again/],
    ["a tool error without a result", undefined, /^The tool returned nothing with it\. Run it again/],
  ])("that ended with %s says so once, with what can be done", async (_, result, advice) => {
    const at = ago(1_000);
    const timeline = [{ call: "t1", at, kind: "status" as const, text: reported.statusMessage }, { call: "t1", at, kind: "ended" as const }];
    one({ id: "t1", group: "ended", tracking: "done", endedAt: at, ...reported }, { timeline, ...(result && { result }) });
    const task = await screen.findByRole("region", { name: "Task" });
    const ending = (await within(task).findByRole("heading", { name: "Ending" })).parentElement as HTMLElement;
    expect(within(ending).getAllByText(/error/).map((line) => line.textContent)).toEqual(["tool error"]);
    expect(within(ending).getByText(advice)).toBeTruthy();
    expect(within(task).queryByText(/reported an error/), "neither in the timeline").toBeNull();
  });

  it("that ended keeps what its server said last, where that says more", async () => {
    one({ id: "t1", group: "ended", tracking: "done", endedAt: ago(1_000), ...reported, statusMessage: "the linter exited with code 2" });
    expect(await screen.findByText("the linter exited with code 2", { selector: "[class*=said] *" })).toBeTruthy();
  });

  it("shows text of several lines as it was written", async () => {
    const content = [aText("one line"), aText("warning\n  --> src/main.rs")];
    one({ group: "ended", status: "completed", outcome: "ok", tracking: "done", endedAt: ago(1_000) }, { result: aResult(content) });
    expect((await screen.findByText("one line")).closest("pre")).toBeNull();
    expect(screen.getByText(/src\/main/).closest("pre")?.className).toContain("lines");
  });

  it("shows what a damaged result leaves of it, and says why the result is missing", async () => {
    const fault = { code: "storage_damaged" as const, message: "the file payloads/t1-result.json is damaged", retry: "never" as const };
    one(
      { id: "t1", group: "ended", status: "completed", outcome: "ok", tracking: "done", endedAt: ago(1_000) },
      { payloads: [{ kind: "result", bytes: 300_000, fault }, { kind: "last", bytes: 2, json: "{}" }] },
    );
    expect(await screen.findByText(/t1-result\.json is damaged/)).toBeTruthy();
    await userEvent.click(screen.getByRole("tab", { name: "Raw" }));
    expect(screen.getByText(/t1-result\.json is damaged/), "in its place only").toBeTruthy();
    expect(screen.getByText("{}")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Load all of it" }), "there is nothing to load").toBeNull();
  });

  it("that is not here says so, and no more", async () => {
    select({ task: "t99" });
    show({ tasks: [] });
    expect(await screen.findByText("There is no such task here")).toBeTruthy();
    expect(screen.getByText("It was deleted, or never was here."), "a link may name any").toBeTruthy();
  });
});
