import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";

import { App } from "../../app/App";
import { DeskError } from "../../host/error";
import { currentNav, go, select } from "../../places/nav";
import { showing } from "../../test/desk";
import { FakeHost } from "../../test/FakeHost";
import { renderWith } from "../../test/render";
import { anOverview, aServer } from "../../test/samples";
import type { ApiError } from "../../types";
import { endGuide } from "./guide";

const MINE = aServer();
const DEMO = aServer({ id: "s2", name: "demo", demo: true });

function open(refusal?: ApiError) {
  let servers = [MINE, DEMO];
  const desk = new FakeHost((view) => showing({ overview: anOverview({ servers }) })(view));
  desk.act = (command) => {
    if (command.type === "check_server") return { type: "check", check: { server: DEMO, tools: 19 } };
    if (command.type !== "remove_demo") return { type: "done" };
    if (refusal) throw new DeskError(refusal);
    servers = [MINE];
    setTimeout(() => desk.touch());
    return { type: "demo_removed", tasks: 2 };
  };
  renderWith(desk, <App />);
  return { desk, user: userEvent.setup({ delay: null }) };
}

const confirmed = async (user: ReturnType<typeof userEvent.setup>) => {
  await user.click(await screen.findByRole("button", { name: "Remove the demo" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Remove the demo?" }));
  await user.click(dialog.getByRole("button", { name: "Remove the demo" }));
};

beforeEach(() => {
  endGuide();
  select({ task: "t1", request: "r1", server: null });
});

describe("removing the demo", () => {
  it("is offered in the settings, asks, and leaves a person's own servers", async () => {
    go("settings");
    const { desk, user } = open();
    await confirmed(user);
    await waitFor(() => expect(desk.commands).toContainEqual({ type: "remove_demo" }));
    expect(await screen.findByRole("button", { name: "Start the demo" }), "it can be had again").toBeTruthy();
    expect(currentNav(), "what was in hand may be gone").toMatchObject({ task: null, request: null });
  });

  it("takes the place of removing the server on the demo's own page", async () => {
    go("servers");
    select({ server: "s2" });
    const { desk, user } = open();
    await confirmed(user);
    await waitFor(() => expect(desk.commands).toContainEqual({ type: "remove_demo" }));
    expect(await screen.findByRole("heading", { level: 1, name: "ci" })).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Remove the demo" }), "another server is removed as ever").toBeNull();
  });

  it("says what it could not do, and can be tried again", async () => {
    go("settings");
    const { user } = open({ code: "storage_full", message: "No space is left", retry: "after_fix" });
    await confirmed(user);
    const alert = await screen.findByRole("alert");
    expect(alert.textContent).toContain("The demo was not removed completely");
    expect(alert.textContent).toContain("No space is left");
  });
});
