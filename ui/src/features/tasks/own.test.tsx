import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { listenForKeys } from "../../actions/keys";
import { DeskError } from "../../host/error";
import { currentNav, listAllServers, select } from "../../places/nav";
import { faults } from "../../test/axe";
import { showing } from "../../test/desk";
import { FakeHost } from "../../test/FakeHost";
import { renderWith } from "../../test/render";
import { anOverview, aTask, aTaskDetail } from "../../test/samples";
import type { Command, Reply } from "../../types";
import { TasksPlace } from "./TasksPlace";

const ROW = aTask({ id: "t1", tool: "deploy", summary: "api", tags: ["eu", "release"] });

function show(act: (command: Command) => Reply = () => ({ type: "done" })) {
  const tasks = [ROW, aTask({ id: "t2", tool: "build", summary: "main" })];
  const details = new Map([["t1", aTaskDetail(ROW, { remark: "ask Ada first" })]]);
  const host = new FakeHost(showing({ tasks, details, offers: [{ text: "tag:release", count: 3 }] }), act);
  renderWith(host, <TasksPlace overview={anOverview()} />);
  return host;
}

/** A window on the task, whose note others may change. */
function noted() {
  const tasks = [ROW, aTask({ id: "t2", tool: "build", summary: "main" })];
  const detail = (remark: string) => aTaskDetail(ROW, { ...(remark !== "" && { remark }) });
  const details = new Map([
    ["t1", detail("ask Ada first")],
    ["t2", aTaskDetail(tasks[1])],
  ]);
  const host = new FakeHost(showing({ tasks, details }));
  const note = (remark: string) => {
    details.set("t1", detail(remark));
    host.touch();
  };
  host.act = (command) => {
    if (command.type === "note_task") note(command.text);
    return { type: "done" };
  };
  renderWith(host, <TasksPlace overview={anOverview()} />);
  return { host, note };
}

const sent = (host: FakeHost, type: Command["type"]) => host.commands.filter((command) => command.type === type);
const section = async () => within((await screen.findByRole("heading", { name: "Tags and note" })).parentElement as HTMLElement);

describe("a task's own tags and note", () => {
  let stop: () => void;
  beforeEach(() => {
    listAllServers("tasks");
    select({ task: "t1" });
    stop = listenForKeys(window);
  });
  afterEach(() => stop());

  it("stand in its pane, and a press on a tag lists what has it", async () => {
    show();
    const own = await section();
    expect(own.getByLabelText<HTMLTextAreaElement>(/Your note/).value).toBe("ask Ada first");
    await userEvent.click(own.getByRole("button", { name: "release" }));
    expect(await screen.findByTitle(/tag:release/)).toBeTruthy();
    expect(currentNav().task, "the task stays in hand").toBe("t1");
  });

  it("are put on from what is typed or offered, and taken off by a press", async () => {
    const host = show((command) => (command.type === "tag_tasks" ? { type: "several", outcomes: [{ call: "t1" }] } : { type: "done" }));
    const own = await section();
    await userEvent.keyboard("t");
    const field = own.getByRole<HTMLInputElement>("combobox", { name: "Add a tag" });
    expect(document.activeElement).toBe(field);
    await userEvent.type(field, "Urgent canary{Enter}");
    await waitFor(() => expect(sent(host, "tag_tasks")).toEqual([{ type: "tag_tasks", calls: ["t1"], add: ["Urgent", "canary"], remove: [] }]));
    await waitFor(() => expect(field.value, "what was put on is no longer typed").toBe(""));
    await userEvent.click(own.getByRole("button", { name: "Remove the tag eu" }));
    expect(sent(host, "tag_tasks").at(-1)).toEqual({ type: "tag_tasks", calls: ["t1"], add: [], remove: ["eu"] });
  });

  it("say why a tag was not taken, and leave it as it was typed", async () => {
    const message = "t1 was left as it is: a task has at most 16 tags";
    show((command) => (command.type === "tag_tasks" ? { type: "several", outcomes: [{ call: "t1", failure: { code: "usage", message, retry: "never" } }] } : { type: "done" }));
    const own = await section();
    const field = own.getByRole<HTMLInputElement>("combobox", { name: "Add a tag" });
    await userEvent.type(field, "more{Enter}");
    expect((await own.findByRole("alert")).textContent).toContain("at most 16 tags");
    expect(field.value).toBe("more");
  });

  it("keep a note when it is left, also by going to another task", async () => {
    const host = show();
    const own = await section();
    await userEvent.keyboard("i");
    const area = own.getByLabelText<HTMLTextAreaElement>(/Your note/);
    expect(document.activeElement).toBe(area);
    await userEvent.tab();
    expect(sent(host, "note_task"), "nothing was written").toEqual([]);
    await userEvent.type(area, ", then Bo");
    await userEvent.tab();
    await waitFor(() => expect(sent(host, "note_task")).toEqual([{ type: "note_task", call: "t1", text: "ask Ada first, then Bo", seen: "ask Ada first" }]));
    await userEvent.type(area, "x");
    select({ task: "t2" });
    await waitFor(() => expect(sent(host, "note_task")).toHaveLength(2));
  });

  it("say while it is written that a note is too long to be saved, and by how many characters, and do not lose it", async () => {
    const { host } = noted();
    const own = await section();
    const area = () => screen.getByLabelText<HTMLTextAreaElement>(/Your note/);
    await userEvent.clear(area());
    await userEvent.click(area());
    await userEvent.paste("д".repeat(2_048));
    expect(own.queryByText(/^Not saved yet/), "4 KiB in all").toBeNull();
    await userEvent.paste("дa");
    expect(own.getByRole("alert").textContent).toBe("Not saved yet: this note is too long, and is lost if this window closes.");
    expect(own.getByText(/It is 2 characters too long/)).toBeTruthy();
    expect(area().getAttribute("aria-invalid")).toBe("true");
    expect(document.getElementById(area().getAttribute("aria-describedby") ?? "")?.textContent).toContain("2 characters too long");
    await userEvent.tab();
    select({ task: "t2" });
    await screen.findByRole("heading", { name: /build/ });
    expect(sent(host, "note_task"), "the desk would refuse it").toEqual([]);
    select({ task: "t1" });
    await screen.findByRole("heading", { name: /deploy/ });
    await section();
    expect(area().value, "what was typed comes back").toHaveLength(2_050);
    await userEvent.type(area(), "{Backspace}{Backspace}");
    expect(screen.queryByText(/^Not saved yet/)).toBeNull();
    await userEvent.tab();
    await waitFor(() => expect(sent(host, "note_task")).toHaveLength(1));
  });

  it("show a note that was written elsewhere meanwhile, and one of both is chosen", async () => {
    const { host, note } = noted();
    const own = await section();
    const area = own.getByLabelText<HTMLTextAreaElement>(/Your note/);
    await userEvent.type(area, ", then Bo");
    note("ask Cy");
    expect((await own.findByRole("alert")).textContent).toContain("ask Cy");
    expect(area.value, "what was typed stays").toBe("ask Ada first, then Bo");
    await userEvent.tab();
    expect(sent(host, "note_task"), "nothing is overwritten by leaving").toEqual([]);
    expect(await faults()).toEqual([]);
    select({ task: "t2" });
    await screen.findByRole("heading", { name: /build/ });
    select({ task: "t1" });
    await screen.findByRole("heading", { name: /deploy/ });
    const back = await section();
    expect(back.getByLabelText<HTMLTextAreaElement>(/Your note/).value, "nor lost").toBe("ask Ada first, then Bo");
    await userEvent.click(back.getByRole("button", { name: "Keep mine" }));
    await waitFor(() => expect(sent(host, "note_task")).toEqual([{ type: "note_task", call: "t1", text: "ask Ada first, then Bo", seen: "ask Cy" }]));
    await waitFor(() => expect(screen.queryByRole("alert")).toBeNull());
  });

  it("take the other note where that is chosen, and say one that the desk alone knew of", async () => {
    const { host, note } = noted();
    const own = await section();
    const area = own.getByLabelText<HTMLTextAreaElement>(/Your note/);
    await userEvent.type(area, "!");
    host.act = () => {
      throw new DeskError({ code: "changed_meanwhile", message: "The note of t1 was changed since you saw it", retry: "never" });
    };
    await userEvent.tab();
    await waitFor(() => expect(sent(host, "note_task")).toHaveLength(1));
    expect(area.value, "what could not be kept stays as it was typed").toBe("ask Ada first!");
    note("");
    expect((await own.findByRole("alert")).textContent).toContain("deleted elsewhere");
    await userEvent.click(own.getByRole("button", { name: "Keep the other" }));
    expect(area.value).toBe("");
    expect(screen.queryByRole("alert")).toBeNull();
    expect(document.activeElement, "the keys go on there").toBe(area);
  });
});
