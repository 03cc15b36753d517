import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";

import { currentNav, go, openServer, openStart, select } from "../places/nav";
import type { Place } from "../places/table";
import { showing, type SmallDesk } from "../test/desk";
import { FakeHost } from "../test/FakeHost";
import { renderWith } from "../test/render";
import { anOverview, aRequest, aServer, aTask } from "../test/samples";
import type { Command, Reply, ToolView } from "../types";
import { App } from "./App";

const TASKS = ["t1", "t2", "t3"].map((id) => aTask({ id, summary: id }));
const REQUESTS = ["r1", "r2", "r3"].map((id) => aRequest({ id }));
const SERVERS = ["s1", "s2", "s3"].map((id) => aServer({ id, name: id }));
const TOOLS: ToolView[] = ["build", "deploy"].map((name) => ({
  name,
  form: { notes: [], fields: [{ name: "ref", label: "Ref", required: false, nullable: false, kind: { type: "text", multiline: false } }] },
  inputSchema: "{}",
  destructive: false,
}));

function reply(command: Command): Reply {
  return command.type === "tools" ? { type: "tools", tools: TOOLS } : { type: "done" };
}

function open() {
  const desk: SmallDesk = { tasks: TASKS, overview: anOverview({ servers: SERVERS }) };
  const small = showing(desk);
  const host = new FakeHost((view) => {
    if (view.type !== "inbox") return small(view);
    const rows = view.tab === "answered" ? [] : REQUESTS;
    return { type: "inbox", page: { ids: rows.map((row) => row.id), rows, total: rows.length, heads: [], complete: true } };
  }, reply);
  renderWith(host, <App />);
  return { desk, host };
}

/** What of a place has the focus once somebody has gone there. */
const LANDING: Record<Exclude<Place, "start">, () => Promise<HTMLElement>> = {
  inbox: () => screen.findByRole("listbox", { name: "Questions" }),
  tasks: () => screen.findByRole("grid", { name: "Tasks" }),
  servers: () => screen.findByRole("listbox", { name: "Servers" }),
  settings: () => screen.findByRole("region", { name: "Settings" }),
};
const WAYS = [
  ["inbox", "gi", "Inbox"],
  ["tasks", "gt", "Tasks"],
  ["servers", "gs", "Servers"],
  ["settings", "g,", "Settings"],
] as const;

const has = async (landing: () => Promise<HTMLElement>, why: string) => {
  const element = await landing();
  await waitFor(() => expect(document.activeElement, why).toBe(element));
};

describe("the focus", () => {
  beforeEach(() => {
    go("tasks");
    select({ task: null, request: null, server: null });
  });

  it.each(WAYS)("goes along to %s, by key and by click, and stays in its list", async (place, keys, label) => {
    open();
    await has(LANDING.tasks, "the window begins in the list");
    const ways = [
      () => userEvent.keyboard(keys),
      async () => userEvent.click(within(screen.getByRole("navigation")).getByRole("button", { name: new RegExp(`^${label}`) })),
    ];
    for (const way of ways) {
      go(place === "settings" ? "servers" : "settings");
      await way();
      await has(LANDING[place], "whoever goes there can go on by keys");
      await userEvent.keyboard("jj");
      await has(LANDING[place], "j and k stay in the list");
      await userEvent.keyboard("{Enter}");
      expect(currentNav().place, "Enter opens what shows the focus, and leads nowhere else").toBe(place);
      expect(document.activeElement).not.toBe(document.body);
    }
  });

  it("comes into the list with j, wherever it was", async () => {
    open();
    await LANDING.tasks();
    screen.getByRole("button", { name: /^Servers/, current: false }).focus();
    await userEvent.keyboard("j");
    await has(LANDING.tasks, "from the rail");
    await userEvent.keyboard("{Enter}");
    expect(currentNav()).toMatchObject({ place: "tasks", task: "t1" });
    await has(() => screen.findByRole("region", { name: "Task" }), "Enter goes on into the task");
    await userEvent.keyboard("k");
    await has(LANDING.tasks, "and k comes back");
  });

  it("goes to the tools of the form that is opened without one", async () => {
    open();
    await LANDING.tasks();
    act(() => openStart());
    await has(() => screen.findByRole("listbox", { name: "Tools" }), "once they are there");
  });

  it("falls to the pane when what has it goes, and comes back to what was disabled for a moment", async () => {
    open();
    await LANDING.tasks();
    await userEvent.keyboard("j");
    const tab = await screen.findByRole("tab", { name: "Raw" });
    tab.focus();
    act(() => select({ task: "t2" }));
    await waitFor(() => expect(tab.isConnected).toBe(false));
    await waitFor(() => expect(document.activeElement).not.toBe(document.body));

    const button = await screen.findByRole<HTMLButtonElement>("button", { name: /Run again/ });
    button.focus();
    button.disabled = true;
    await Promise.resolve();
    // As browsers do with what is disabled.
    button.blur();
    button.disabled = false;
    await waitFor(() => expect(document.activeElement).toBe(button));
  });

  it("falls to the pane when a list goes, and is in the list again when it comes back", async () => {
    const { desk, host } = open();
    await has(LANDING.tasks, "at first");
    await userEvent.keyboard("/nothing like it");
    await waitFor(() => expect(screen.queryByRole("grid")).toBeNull());
    await userEvent.click(await screen.findByRole("button", { name: "Clear the filter" }));
    await has(LANDING.tasks, "the button is gone, the list has come");

    desk.tasks = [];
    act(() => host.touch());
    await screen.findByText("No tasks yet");
    await waitFor(() => expect(document.activeElement?.hasAttribute("data-pane")).toBe(true));
    desk.tasks = TASKS;
    act(() => host.touch());
    await has(LANDING.tasks, "it waited in the pane");
  });

  describe("behind a dialog, where a link or a notification leads to another place", () => {
    const dialog = () => screen.findByRole("dialog", { name: "Close Signalbox?" });
    const isInside = async () => expect((await dialog()).contains(document.activeElement), "no key acts on what lies behind").toBe(true);

    async function asked(host: FakeHost) {
      act(() => host.requestClose({ live: 3, follower: "window", ending: 0, ends: [], unsure: false, held: 0, forgotten: [], unseen: false, quits: false }));
      await waitFor(isInside);
    }

    it.each(["the list, which goes", "the rail, which stays"])("stays in it, and goes there afterwards: from %s", async (from) => {
      const { host } = open();
      await has(LANDING.tasks, "at first");
      if (from.startsWith("the rail")) screen.getByRole("button", { name: /^Servers/ }).focus();
      await asked(host);
      act(() => openServer("s2"));
      await screen.findByRole("listbox", { name: "Servers", hidden: true });
      await isInside();
      await userEvent.keyboard("{Escape}");
      await has(LANDING.servers, "whoever stays can go on by keys in what is shown");
      act(() => go("tasks"));
      await has(LANDING.tasks, "what waited has run once");
    });

    it("goes back to where it was when nobody went anywhere", async () => {
      const { host } = open();
      await has(LANDING.tasks, "at first");
      const button = screen.getByRole("button", { name: /^Servers/ });
      button.focus();
      await asked(host);
      await userEvent.keyboard("{Escape}");
      await waitFor(() => expect(document.activeElement).toBe(button));
    });
  });
});
