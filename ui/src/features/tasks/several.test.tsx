import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { listenForKeys } from "../../actions/keys";
import { DeskError } from "../../host/error";
import type { SavedTasks } from "../../host/host";
import { currentNav, listAllServers, select } from "../../places/nav";
import { faults } from "../../test/axe";
import { showing } from "../../test/desk";
import { FakeHost } from "../../test/FakeHost";
import { renderWith } from "../../test/render";
import { ago, anOverview, aTask, aTaskDetail } from "../../test/samples";
import type { Command, Reply, TaskOutcome, TaskRow } from "../../types";
import { ownEntries } from "../palette/own";
import { TasksPlace } from "./TasksPlace";

const ENDED = { group: "ended", status: "completed", outcome: "ok", tracking: "done", endedAt: ago(1_000) } as const;

function someTasks(): TaskRow[] {
  const said = { statusMessage: "at it" };
  return [
    aTask({ ...said, id: "t1", tool: "deploy" }),
    aTask({ ...said, id: "t2", tool: "build" }),
    aTask({ ...said, id: "t3", tool: "watch", cancel: { requestedAt: ago(5_000) } }),
    aTask({ ...said, id: "t4", tool: "lint", ...ENDED }),
    aTask({ ...said, id: "t5", tool: "survey", ...ENDED }),
  ];
}

/** A desk where those of these numbers refuse. */
function show(refusing: readonly string[] = [], tasks = someTasks()) {
  const details = new Map(tasks.map((row) => [row.id, aTaskDetail(row)]));
  const outcome = (call: string): TaskOutcome => (refusing.includes(call) ? { call, failure: { code: "server_error", message: "The server refused to cancel.", retry: "never" } } : { call });
  const act = (command: Command): Reply => {
    switch (command.type) {
      case "read_tasks":
        return { type: "task_rows", rows: tasks.filter(({ id }) => command.calls.includes(id)) };
      case "export":
        return { type: "portion", lines: command.after === 0 ? ['{"id":"t1"}'] : ['{"id":"t4"}'], leftOut: 0, ...(command.after === 0 && { next: 1 }) };
      case "cancel_tasks":
      case "forget_tasks":
      case "tag_tasks":
        return { type: "several", outcomes: command.calls.map(outcome) };
      default:
        return { type: "done" };
    }
  };
  const host = new FakeHost(showing({ tasks, details, grouped: false }), act);
  renderWith(host, <TasksPlace overview={anOverview()} />);
  return host;
}

const rowOf = (name: RegExp) => screen.findByRole("row", { name });
const picked = () => screen.queryAllByRole("row", { selected: true }).map((row) => /deploy|build|watch|lint|survey/.exec(row.textContent)?.[0]);
const sent = (host: FakeHost, type: Command["type"]) => host.commands.filter((command) => command.type === type);

describe("several tasks", () => {
  let stop: () => void;
  beforeEach(() => {
    select({ task: null });
    listAllServers("tasks");
    stop = listenForKeys(window);
  });
  afterEach(() => stop());

  it("are picked with the mouse, one by one and from one to another", async () => {
    show();
    fireEvent.click(await rowOf(/build/), { ctrlKey: true });
    expect(await screen.findByText("1 task picked")).toBeTruthy();
    expect(currentNav().task, "picking a row takes none in hand").toBeNull();
    fireEvent.click(await rowOf(/lint/), { shiftKey: true });
    await waitFor(() => expect(picked()).toEqual(["build", "watch", "lint"]));
    fireEvent.click(await rowOf(/deploy/), { shiftKey: true });
    await waitFor(() => expect(picked(), "the range turns about where it began").toEqual(["deploy", "build"]));
    fireEvent.click(await rowOf(/survey/), { ctrlKey: true });
    fireEvent.click(await rowOf(/build/), { ctrlKey: true });
    expect(picked()).toEqual(["deploy", "survey"]);
    fireEvent.click(await rowOf(/watch/));
    expect(currentNav().task).toBe("t3");
    expect(picked(), "to look at one leaves those that are picked").toEqual(["deploy", "survey"]);
  });

  it("are picked with the keyboard, and none is after Escape", async () => {
    show();
    const grid = await screen.findByRole("grid");
    expect(grid.getAttribute("aria-multiselectable")).toBe("true");
    grid.focus();
    await userEvent.keyboard("{Home}[Space]");
    expect(picked()).toEqual(["deploy"]);
    await userEvent.keyboard("{Shift>}{ArrowDown}{ArrowDown}{/Shift}");
    await waitFor(() => expect(picked()).toEqual(["deploy", "build", "watch"]));
    await userEvent.keyboard("{Shift>}{ArrowUp}{/Shift}");
    await waitFor(() => expect(picked()).toEqual(["deploy", "build"]));
    await userEvent.keyboard("v");
    expect(picked()).toEqual(["deploy"]);
    await userEvent.keyboard("{Control>}a{/Control}");
    expect(await screen.findByText("5 tasks picked")).toBeTruthy();
    expect(await faults()).toEqual([]);
    await userEvent.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByText(/picked/)).toBeNull());
  });

  it("are a thousand at most", async () => {
    const many = Array.from({ length: 1_200 }, (_, n) => aTask({ id: `t${n + 1}`, statusMessage: "at it" }));
    const host = show([], many);
    (await screen.findByRole("grid")).focus();
    await userEvent.keyboard("{Control>}a{/Control}");
    expect(await screen.findByText("1,000 picked, the most at once; 1,200 match")).toBeTruthy();
    const asked = host.looks.flatMap(({ view }) => (view.type === "tasks" && view.limit === 500 ? [view.offset] : []));
    expect(asked, "in portions that the desk gives").toEqual([0, 500]);
  });

  it("are all that the list shows: once a filter is gone no longer its few", async () => {
    const many = Array.from({ length: 1_200 }, (_, n) => aTask({ id: `t${n + 1}`, tool: n < 3 ? "deploy" : "build", statusMessage: "at it" }));
    show([], many);
    const field = await screen.findByRole<HTMLInputElement>("combobox", { name: /^Filter by/ });
    const grid = await screen.findByRole("grid");
    fireEvent.change(field, { target: { value: "deploy" } });
    await screen.findByText("3 tasks");
    grid.focus();
    await userEvent.keyboard("{Control>}a{/Control}");
    expect(await screen.findByText("3 tasks picked")).toBeTruthy();
    fireEvent.change(field, { target: { value: "" } });
    await screen.findByText("1,200 tasks");
    await userEvent.keyboard("{Control>}a{/Control}");
    expect(await screen.findByText("1,000 picked, the most at once; 1,200 match")).toBeTruthy();
  });

  it("are those of the list that is shown, while another one is on its way", async () => {
    const many = Array.from({ length: 1_300 }, (_, n) => aTask({ id: `t${n + 1}`, tool: n < 600 ? "deploy" : "build", statusMessage: "at it" }));
    const host = show([], many);
    const asked = (filter: string) => host.looks.filter(({ view }) => view.type === "tasks" && view.query.filter === filter);
    const field = await screen.findByRole<HTMLInputElement>("combobox", { name: /^Filter by/ });
    fireEvent.change(field, { target: { value: "deploy" } });
    await screen.findByText("600 tasks");
    host.late = (view) => (view.type === "tasks" && view.query.filter === "build" ? new Promise<void>(() => {}) : undefined);
    fireEvent.change(field, { target: { value: "build" } });
    await waitFor(() => expect(asked("build")).toHaveLength(1));
    screen.getByRole("grid").focus();
    await userEvent.keyboard("{Control>}a{/Control}");
    expect(await screen.findByText("600 tasks picked")).toBeTruthy();
    expect(asked("build"), "no row is picked that nobody was shown").toHaveLength(1);
  });

  it("are cancelled at once, but for those that have ended or were asked before, and Enter keeps them", async () => {
    const host = show(["t2"]);
    (await screen.findByRole("grid")).focus();
    await userEvent.keyboard("{Control>}a{/Control}");
    await screen.findByText("5 tasks picked");
    await userEvent.keyboard("x");
    const dialog = within(await screen.findByRole("dialog", { name: "Cancel 2 tasks?" }));
    expect(dialog.getByText("2 others have ended, and are not touched.")).toBeTruthy();
    expect(dialog.getByText("1 other was asked to be cancelled before, and is left as it is.")).toBeTruthy();
    await waitFor(() => expect(document.activeElement?.textContent, "a key too many ends nobody's work").toBe("Keep"));
    await userEvent.click(dialog.getByRole("button", { name: "Cancel 2 tasks" }));
    await waitFor(() => expect(sent(host, "cancel_tasks")).toEqual([{ type: "cancel_tasks", calls: ["t1", "t2"] }]));
    const told = within(await screen.findByRole("dialog"));
    expect(await told.findByText(/^1 of 2 are cancelled/)).toBeTruthy();
    expect(told.getByRole("listitem").textContent).toContain("t2 The server refused to cancel.");
    expect(await faults()).toEqual([]);
  });

  it("are forgotten at once, and it is said how many are not over", async () => {
    const host = show();
    fireEvent.click(await rowOf(/deploy/), { ctrlKey: true });
    fireEvent.click(await rowOf(/lint/), { ctrlKey: true });
    await userEvent.click(screen.getByRole("button", { name: /^Forget…/ }));
    const dialog = within(await screen.findByRole("dialog", { name: "Forget 2 tasks?" }));
    expect(dialog.getByText(/^1 of them is not over/)).toBeTruthy();
    expect(sent(host, "forget_tasks")).toEqual([]);
    await userEvent.click(dialog.getByRole("button", { name: "Forget 2 tasks" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(sent(host, "forget_tasks")).toEqual([{ type: "forget_tasks", calls: ["t1", "t4"] }]);
    expect(screen.queryByText(/picked/), "nothing is left to do with them").toBeNull();
  });

  it("are what the palette says its actions are about", async () => {
    show();
    const named = (wanted: RegExp) => ownEntries().flatMap(({ id, words }) => (wanted.test(id) ? [words] : []));
    fireEvent.click(await rowOf(/build/));
    await screen.findByRole("button", { name: /Cancel task…/ });
    expect(named(/^task\.cancel$/), "the one in hand").toEqual(["Cancel task…"]);
    fireEvent.click(await rowOf(/build/), { ctrlKey: true });
    await screen.findByText("1 task picked");
    expect(named(/^task\.(cancel|tag)$/)).toEqual(["Cancel 1 task…", "Tag 1 task…"]);
    fireEvent.click(await rowOf(/lint/), { shiftKey: true });
    await screen.findByText("3 tasks picked");
    expect(named(/^(task\.(cancel|tag)|picks\.)/)).toEqual(["Cancel 3 tasks…", "Tag 3 tasks…", "Copy 3 tasks as JSON", "Save 3 tasks as…"]);
  });

  it("get a tag at once, and stay picked", async () => {
    const host = show();
    fireEvent.click(await rowOf(/deploy/), { ctrlKey: true });
    fireEvent.click(await rowOf(/build/), { ctrlKey: true });
    await userEvent.keyboard("t");
    const dialog = within(await screen.findByRole("dialog", { name: "Tag 2 tasks" }));
    await userEvent.type(dialog.getByRole("combobox"), "release eu");
    await userEvent.click(dialog.getByRole("button", { name: "Add" }));
    await waitFor(() => expect(sent(host, "tag_tasks")).toEqual([{ type: "tag_tasks", calls: ["t1", "t2"], add: ["release", "eu"], remove: [] }]));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(screen.getByText("2 tasks picked")).toBeTruthy();
  });

  it("get a tag by Enter", async () => {
    const host = show();
    fireEvent.click(await rowOf(/deploy/), { ctrlKey: true });
    await userEvent.keyboard("t");
    const dialog = within(await screen.findByRole("dialog", { name: "Tag 1 task" }));
    await userEvent.type(dialog.getByRole("combobox"), "release{Enter}");
    await waitFor(() => expect(sent(host, "tag_tasks")).toEqual([{ type: "tag_tasks", calls: ["t1"], add: ["release"], remove: [] }]));
  });

  it("are what the keys of a task are about, and no longer the task in hand", async () => {
    const host = show();
    fireEvent.click(await rowOf(/build/));
    const foot = await screen.findByRole("contentinfo");
    const inHand = within(foot).getByRole("button", { name: /^Cancel task…/ });
    expect(inHand.getAttribute("aria-keyshortcuts")).toBe("x");
    fireEvent.click(await rowOf(/deploy/), { ctrlKey: true });
    await waitFor(() => expect(inHand.getAttribute("aria-keyshortcuts"), "the key is not its own now").toBeNull());
    // To look at another leaves the keys with those that are picked.
    fireEvent.click(await rowOf(/lint/));
    await screen.findByRole("heading", { level: 1, name: /lint/ });
    await userEvent.keyboard("t");
    await screen.findByRole("dialog", { name: "Tag 1 task" });
    await userEvent.keyboard("{Escape}");
    fireEvent.click(await rowOf(/build/));
    await screen.findByRole("heading", { level: 1, name: /build/ });
    await userEvent.keyboard("x");
    const dialog = within(await screen.findByRole("dialog", { name: "Cancel 1 task?" }));
    expect((await dialog.findByText("deploy")).closest("p")?.textContent, "it says which").toBe("deploy · main@9f3c2ab · ci · t1");
    await userEvent.click(dialog.getByRole("button", { name: "Cancel 1 task" }));
    await waitFor(() => expect(sent(host, "cancel_tasks")).toEqual([{ type: "cancel_tasks", calls: ["t1"] }]));
    expect(sent(host, "cancel")).toEqual([]);
  });

  it("are copied as JSON, portion by portion", async () => {
    const host = show();
    fireEvent.click(await rowOf(/deploy/), { ctrlKey: true });
    fireEvent.click(await rowOf(/lint/), { ctrlKey: true });
    await userEvent.click(screen.getByRole("button", { name: /^Copy as JSON/ }));
    expect(await screen.findByText("Copied 2 tasks.")).toBeTruthy();
    expect(host.copied).toEqual(['{"id":"t1"}\n{"id":"t4"}\n']);
    expect(sent(host, "export").map((command) => "calls" in command && command.calls)).toEqual([["t1", "t4"], ["t1", "t4"]]);
  });

  it("are saved where their person says, and it is said what became of that", async () => {
    const host = show();
    fireEvent.click(await rowOf(/deploy/), { ctrlKey: true });
    fireEvent.click(await rowOf(/lint/), { ctrlKey: true });
    const save = () => screen.getByRole<HTMLButtonElement>("button", { name: /^Save as…/ });
    let dialog: (saved: SavedTasks | null) => void = () => undefined;
    host.saveAs = () => new Promise((resolve) => (dialog = resolve));
    await userEvent.click(save());
    expect(save().disabled, "one dialog at a time").toBe(true);
    dialog(null);
    await waitFor(() => expect(save().disabled).toBe(false));
    expect(screen.queryByText(/^Saved/), "they said nowhere").toBeNull();
    host.saveAs = () => Promise.resolve({ lines: 1, leftOut: 2 });
    await userEvent.click(save());
    expect(await screen.findByText("Saved 1 task. Of those that were picked, 1 is not among them. Left out, because what is kept is damaged: 2.")).toBeTruthy();
    expect(host.savedTasks).toEqual([["t1", "t4"], ["t1", "t4"]]);
    host.saveAs = () => Promise.reject(new DeskError({ code: "usage", message: "/x/tasks.jsonl could not be written", retry: "never" }));
    await userEvent.click(save());
    expect(await screen.findByText(/could not be written/)).toBeTruthy();
    expect(screen.queryByText(/^Saved/), "what was said of the last time is no longer there").toBeNull();
    expect(await faults()).toEqual([]);
  });
});
