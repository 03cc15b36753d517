import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";

import { App } from "../../app/App";
import { currentNav, go, listAllServers, nameView, select } from "../../places/nav";
import { showing } from "../../test/desk";
import { FakeHost } from "../../test/FakeHost";
import { renderWith } from "../../test/render";
import { anOverview, aServer, aTask } from "../../test/samples";
import { LONGEST_NAME, MOST_VIEWS, readViews, VIEWS } from "./views";

const TASKS = [
  aTask({ id: "t1", tool: "deploy", summary: "api" }),
  aTask({ id: "t2", tool: "build", summary: "api" }),
  aTask({ id: "t3", tool: "build", summary: "web", server: "s2", serverName: "dev" }),
];
const BUILDS = { name: "builds", tokens: ["tool:build"], text: "", sort: "tool", group: "none" };

/** The window over a desk that remembers what it is told to. */
async function open(views: unknown = [], tasks = TASKS) {
  const remembered = new Map([[VIEWS, JSON.stringify(views)]]);
  const overview = anOverview({ servers: [aServer(), aServer({ id: "s2", name: "dev" })] });
  const host: FakeHost = new FakeHost(showing({ tasks, remembered, overview }), (command) => {
    if (command.type === "set_preference") {
      remembered.set(command.key, command.value);
      host.touch();
    }
    return { type: "done" };
  });
  renderWith(host, <App />);
  await screen.findByRole("navigation");
  const kept = () => JSON.parse(remembered.get(VIEWS) ?? "[]") as Record<string, unknown>[];
  return { host, kept, user: userEvent.setup() };
}

const rail = () => screen.findByRole("region", { name: "Views" });
const line = async (name: RegExp) => within(await rail()).findByRole("button", { name });
const chosen = () => screen.getByRole<HTMLSelectElement>("combobox", { name: "View" }).selectedOptions[0]?.textContent;
const shownTools = async () => (await screen.findAllByRole("row")).slice(1).map((row) => /deploy|build/.exec(row.textContent)?.[0]).filter(Boolean);

beforeEach(() => {
  act(() => {
    go("tasks");
    select({ task: null });
    listAllServers("tasks");
    nameView(null);
  });
});

describe("saved views", () => {
  it("are read from what any version remembered", () => {
    for (const odd of [undefined, null, 7, {}, "x", [7, null], [{ tokens: ["a"] }], [{ name: " " }], [{ name: 4 }]]) {
      expect(readViews(odd), JSON.stringify(odd)).toEqual([]);
    }
    const [view] = readViews([{ name: " odd ", tokens: "x", sort: "priority", server: 7 }]);
    expect(view).toMatchObject({ name: "odd", tokens: [], sort: "", group: "" });
    expect(view).not.toHaveProperty("server");
    expect(readViews([BUILDS, BUILDS]), "no two of one name").toHaveLength(1);
    const long = ["ü".repeat(LONGEST_NAME), "ü".repeat(LONGEST_NAME + 1)].map((name) => ({ name }));
    expect(readViews(long)).toHaveLength(1);
    expect(readViews(Array.from({ length: 30 }, (_, n) => ({ name: `view ${n}` })))).toHaveLength(MOST_VIEWS);
  });

  it("stand at the left with how many tasks each shows, and a press shows the list so", async () => {
    const { host, user } = await open([BUILDS]);
    await user.click(await line(/^builds, 2 tasks$/));
    await waitFor(async () => expect(await shownTools()).toEqual(["build", "build"]));
    expect(chosen()).toBe("builds");
    expect((await line(/^builds/)).getAttribute("aria-current")).toBe("true");
    const counted = host.looks.flatMap(({ view }) => (view.type === "tasks" && view.limit === 0 ? [view.query] : []));
    expect(counted, "no rows, and no order to keep").toContainEqual({ filter: "tool:build", within: [], sort: "", group: "none" });
  });

  it("may be of one server, and leave it with the next", async () => {
    const { user } = await open([BUILDS, { name: "of dev", server: "s2" }]);
    await user.click(await line(/^of dev, 1 task$/));
    await waitFor(() => expect(screen.getByRole("button", { name: /dev.*all servers/i })).toBeTruthy());
    expect(chosen()).toBe("of dev");
    await user.click(await line(/^builds/));
    expect(currentNav().only.tasks, "that one is of all servers").toBeNull();
  });

  it("lead to the list from another place, also by keys", async () => {
    act(() => go("settings"));
    const { user } = await open([BUILDS]);
    (await line(/^builds/)).focus();
    await user.keyboard("{Enter}");
    expect(currentNav().place).toBe("tasks");
    await waitFor(async () => expect(await shownTools()).toEqual(["build", "build"]));
    expect(screen.queryByTitle(/changed since/), "the list stands as it says").toBeNull();
  });

  it("say no number before everything was looked through", async () => {
    const overview = anOverview();
    const host = new FakeHost(showing({ tasks: TASKS, overview, complete: false, remembered: new Map([[VIEWS, JSON.stringify([BUILDS])]]) }));
    renderWith(host, <App />);
    expect((await line(/builds/)).textContent).toBe("builds");
  });

  it("are made of the list as it stands", async () => {
    const { kept, user } = await open();
    await screen.findByText("deploy");
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "View…" }).disabled, "there is nothing to keep of the list as it always is").toBe(true);
    await user.selectOptions(screen.getByRole("combobox", { name: "Sort by" }), "Tool");
    await user.click(screen.getByRole("button", { name: "View…" }));
    await user.type(await screen.findByRole("textbox", { name: "Name" }), " by tool {Enter}");
    await line(/^by tool, 3 tasks$/);
    expect(kept()).toEqual([expect.objectContaining({ name: "by tool", tokens: [], text: "", sort: "tool", group: "" })]);
    expect(chosen()).toBe("by tool");
  });

  it("say that the list was changed since, and take the change over", async () => {
    const { kept, user } = await open([BUILDS]);
    await user.selectOptions(await screen.findByRole("combobox", { name: "View" }), "builds");
    const save = () => screen.getByRole<HTMLButtonElement>("button", { name: /^Save/ });
    expect(save().disabled).toBe(true);
    await user.selectOptions(screen.getByRole("combobox", { name: "Group by" }), "Server");
    expect(screen.getByRole("button", { name: "View…" }).title).toBe("The list was changed since");
    await user.click(save());
    expect(save().disabled).toBe(true);
    expect(kept()).toEqual([{ ...BUILDS, group: "server" }].map((view) => expect.objectContaining(view) as unknown));
  });

  it("are renamed, and copied under another name", async () => {
    const { kept, user } = await open([BUILDS, { name: "other" }]);
    await user.selectOptions(await screen.findByRole("combobox", { name: "View" }), "builds");
    const rename = async (name: string, by: string) => {
      await user.click(screen.getByRole("button", { name: "View…" }));
      const field = screen.getByRole("textbox", { name: "Name" });
      await user.clear(field);
      await user.type(field, name);
      await user.click(screen.getByRole("button", { name: by }));
    };
    await rename("all builds", "Rename");
    expect(kept().map(({ name }) => name)).toEqual(["all builds", "other"]);
    expect(chosen()).toBe("all builds");
    await rename("copy", "Save as a new view");
    expect(kept().map(({ name }) => name)).toEqual(["all builds", "other", "copy"]);
    await rename("other", "Rename");
    expect(screen.getByText("Another view has this name."), "nothing is lost by a name that is taken").toBeTruthy();
    expect(kept().map(({ name }) => name)).toEqual(["all builds", "other", "copy"]);
  });

  it("are deleted once that was asked, and the list stays", async () => {
    const { kept, user } = await open([BUILDS]);
    await user.selectOptions(await screen.findByRole("combobox", { name: "View" }), "builds");
    await user.click(screen.getByRole("button", { name: "View…" }));
    await user.click(screen.getByRole("button", { name: "Delete" }));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("button", { name: "Keep" })));
    await user.keyboard("{Enter}");
    expect(kept(), "a key too many deletes nothing").toHaveLength(1);
    await user.click(await screen.findByRole("button", { name: "Delete" }));
    await screen.findByText(/No task is/);
    await user.click(await screen.findByRole("button", { name: "Delete" }));
    await waitFor(() => expect(kept()).toEqual([]));
    expect(await shownTools()).toEqual(["build", "build"]);
    await waitFor(() => expect(screen.queryByRole("region", { name: "Views" })).toBeNull());
  });

  it("are twenty at most", async () => {
    const { user } = await open(Array.from({ length: MOST_VIEWS }, (_, n) => ({ name: `view ${n}` })));
    await user.selectOptions(await screen.findByRole("combobox", { name: "Sort by" }), "Tool");
    await user.click(screen.getByRole("button", { name: "View…" }));
    await user.type(screen.getByRole("textbox", { name: "Name" }), "one more");
    expect(screen.getByText(/There are 20 views/)).toBeTruthy();
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Save" }).disabled).toBe(true);
  });
});
