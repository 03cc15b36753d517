import { screen, within } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";

import { currentNav, go, select } from "../../places/nav";
import { aServer } from "../../test/samples";
import { openPlace, ServerDesk } from "./samples";

const button = (name: string | RegExp) => screen.findByRole("button", { name });

beforeEach(() => {
  go("servers");
  select({ server: null });
});

async function open(desk: ServerDesk) {
  const { user } = openPlace(desk);
  await user.click(await screen.findByRole("tab", { name: "Adopt" }));
  return user;
}

describe("tasks that were started elsewhere", () => {
  it("are followed by their id", async () => {
    const desk = new ServerDesk([aServer()]);
    const user = await open(desk);
    expect(await screen.findByText(/does not list its tasks/)).toBeTruthy();
    await user.type(screen.getByRole("textbox", { name: "Task id" }), "  a-handle {Enter}");
    expect(desk.sent("track")).toEqual([{ type: "track", server: "s1", taskId: "a-handle" }]);
    expect(currentNav(), "what is followed is shown").toMatchObject({ place: "tasks", task: "t9" });
  });

  it("are offered where the server lists them", async () => {
    const desk = new ServerDesk([aServer({ wire: "legacy" })]);
    const message = "Step <b>1</b>";
    desk.listing = {
      followed: 2,
      complete: false,
      tasks: [
        { taskId: "one\u202e", status: "working", statusMessage: message },
        { taskId: "two", status: "completed", createdAt: "2026-11-21T10:00:00Z" },
      ],
    };
    const user = await open(desk);
    const list = await screen.findByRole("list", { name: "Tasks that the server lists" });
    expect(within(list).getAllByRole("listitem")).toHaveLength(2);
    expect(list.textContent, "text stays text").toContain(message);
    expect(screen.getByText("There are more tasks than could be read at once.")).toBeTruthy();
    await user.click(await button("Follow two"));
    expect(desk.sent("track")).toEqual([{ type: "track", server: "s1", taskId: "two" }]);
  });

  it("says why one cannot be followed, and why none are told of", async () => {
    const desk = new ServerDesk([aServer()]);
    desk.refusals.set("list_tasks", { code: "unreachable", message: "connection refused", retry: "later" });
    desk.refusals.set("track", { code: "unknown_item", message: "The server does not know this task", retry: "never" });
    const user = await open(desk);
    expect((await screen.findByRole("alert")).textContent).toContain("connection refused");
    desk.refusals.delete("list_tasks");
    desk.listing = { followed: 1, complete: true, tasks: [] };
    await user.click(await button("Try again"));
    expect(await screen.findByText("The one task that it lists is followed already.")).toBeTruthy();
    await user.type(screen.getByRole("textbox", { name: "Task id" }), "gone{Enter}");
    expect((await screen.findByRole("alert")).textContent).toContain("does not know this task");
    expect(currentNav().place).toBe("servers");
  });
});
