import { act, cleanup, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";

import { showing, type SmallDesk } from "../test/desk";
import { FakeHost } from "../test/FakeHost";
import { anOverview } from "../test/samples";
import type { Code } from "../types";

const PUT_AWAY = "Hide this until it changes";
const trouble = (code: Code, message: string) => anOverview({ inbox: 1, troubles: [{ code, message }] });
const shown = () => screen.queryByRole("button", { name: PUT_AWAY }) !== null;

/** A window that begins anew: only what it kept is left of the one before. */
async function start(overview: SmallDesk["overview"]) {
  cleanup();
  vi.resetModules();
  const { App } = await import("./App");
  const { renderWith } = await import("../test/render");
  const desk: SmallDesk = { overview };
  const host = new FakeHost(showing(desk));
  renderWith(host, <App />);
  await screen.findByRole("button", { name: /open question/ });
  return (next: SmallDesk["overview"]) => {
    desk.overview = next;
    act(() => host.touch());
  };
}

beforeEach(() => localStorage.clear());

it("what lasts stays put away over restarts, until its text changes", async () => {
  await start(trouble("notifications_failed", "no service"));
  await userEvent.click(await screen.findByRole("button", { name: PUT_AWAY }));
  const see = await start(anOverview({ inbox: 2 }));
  see(trouble("notifications_failed", "no service"));
  await screen.findByRole("button", { name: /1 open question/ });
  expect(shown(), "nobody had looked yet at the start").toBe(false);
  see(trouble("notifications_failed", "another reason"));
  await waitFor(() => expect(shown()).toBe(true));
  await start(trouble("notifications_failed", "no service"));
  await waitFor(() => expect(shown(), "it has changed since, and back").toBe(true));
});

it("what does not last is news when the window starts again", async () => {
  await start(trouble("storage_full", "no space"));
  await userEvent.click(await screen.findByRole("button", { name: PUT_AWAY }));
  await waitFor(() => expect(shown()).toBe(false));
  await start(trouble("storage_full", "no space"));
  await waitFor(() => expect(shown()).toBe(true));
});
