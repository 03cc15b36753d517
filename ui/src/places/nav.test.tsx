import { beforeEach, expect, it, vi } from "vitest";

beforeEach(() => {
  localStorage.clear();
  vi.resetModules();
});

/** Where a window is that was just opened. */
async function opened() {
  vi.resetModules();
  return import("./nav");
}

it("lists the tasks of the same server after a restart, and all questions", async () => {
  const before = await opened();
  before.openInboxOf("s2");
  before.openTasksOf("s1");
  const after = await opened();
  expect(after.currentNav()).toMatchObject({ place: "tasks", only: { tasks: "s1", inbox: null } });
  after.listAllServers("tasks");
  expect((await opened()).currentNav().only.tasks).toBeNull();
});

it("begins where nothing, or nothing that makes sense, was kept", async () => {
  expect((await opened()).currentNav()).toMatchObject({ place: "inbox", only: { tasks: null, inbox: null } });
  localStorage.setItem("signalbox.nav", JSON.stringify({ place: "gone", task: "t7" }));
  expect((await opened()).currentNav()).toMatchObject({ place: "inbox", task: "t7", only: { tasks: null, inbox: null } });
});
