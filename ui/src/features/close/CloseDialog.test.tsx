import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";

import { DeskError } from "../../host/error";
import type { CloseRequest } from "../../host/host";
import { FakeHost } from "../../test/FakeHost";
import { renderWith } from "../../test/render";
import { CloseDialog } from "./CloseDialog";

async function asked(live = 3, host = new FakeHost(() => ({ type: "request" })), follower: CloseRequest["follower"] = "window") {
  renderWith(host, <CloseDialog />);
  act(() => host.requestClose({ live, follower }));
  await screen.findByRole("dialog", { name: "Close Signalbox?" });
  return { host, user: userEvent.setup() };
}

const button = (name: string) => screen.getByRole("button", { name });

describe("closing while tasks run", () => {
  it("is not asked about before a person wants to close", () => {
    renderWith(new FakeHost(() => ({ type: "request" })), <CloseDialog />);
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("says how many, what stops and what goes on", async () => {
    await asked(3);
    const text = screen.getByRole("dialog").textContent;
    expect(text).toContain("3 tasks are not over.");
    expect(text).toContain("Tasks go on at their servers");
    expect(text).toContain("servers that run as programs of this window");
    expect(text).toContain("signalbox serve");
  });

  it("says what stops when a command follows them, as its guest", async () => {
    await asked(2, new FakeHost(() => ({ type: "request" })), "command");
    const text = screen.getByRole("dialog").textContent;
    expect(text).toContain("A signalbox command follows them for as long as it runs.");
    expect(text).toContain("servers that run as its programs");
    expect(text).not.toContain("programs of this window");
  });

  it.each([
    ["this_run", true],
    ["keychain", false],
    ["file", false],
  ] as const)("says that secrets are not handed on where they are kept in %s: %s", async (place, said) => {
    const host = new FakeHost(
      () => ({ type: "request" }),
      () => ({ type: "secrets", secrets: { place, state: "open" } }),
    );
    await asked(2, host);
    // The reply is there once all that is due has run.
    await act(() => new Promise<void>((resolve) => setTimeout(resolve)));
    expect(screen.queryByText(/kept for this run only are not handed on/) !== null).toBe(said);
    expect(host.commands).toEqual([{ type: "secrets" }]);
  });

  it("counts one task as one", async () => {
    await asked(1);
    expect(screen.getByText("1 task is not over.")).toBeTruthy();
  });

  it("begins at Stay, so that Enter closes nothing", async () => {
    const { host, user } = await asked();
    await waitFor(() => expect(document.activeElement).toBe(button("Stay")));
    await user.keyboard("{Enter}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(host.closed).toEqual([]);
    expect(host.stayed).toBe(1);
  });

  it("stays on Escape", async () => {
    const { host, user } = await asked();
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(host.closed).toEqual([]);
    expect(host.stayed).toBe(1);
  });

  it.each([
    ["Keep following", true],
    ["Close", false],
  ])("%s closes, with keepFollowing %s", async (name, keepFollowing) => {
    const { host, user } = await asked();
    await user.click(button(name));
    expect(host.closed).toEqual([{ keepFollowing }]);
  });

  it("closes once, however often it is pressed", async () => {
    const host = new FakeHost(() => ({ type: "request" }));
    let calls = 0;
    host.closeWindow = () => {
      calls += 1;
      return new Promise(() => undefined);
    };
    const { user } = await asked(3, host);
    await user.click(button("Keep following"));
    await user.click(button("Handing over…"));
    expect(calls).toBe(1);
  });

  it("stays with the reason when nobody else can follow, and asks anew the next time", async () => {
    const host = new FakeHost(() => ({ type: "request" }));
    host.closeWindow = () => Promise.reject(new DeskError({ code: "spawn_failed", message: "signalbox serve did not start", retry: "after_fix" }));
    const { user } = await asked(3, host);
    await user.click(button("Keep following"));
    expect((await screen.findByRole("alert")).textContent).toContain("signalbox serve did not start");
    expect(button("Keep following"), "it can be tried again").toHaveProperty("disabled", false);
    act(() => host.requestClose({ live: 2, follower: "window" }));
    expect(screen.queryByRole("alert")).toBeNull();
    expect(screen.getByText("2 tasks are not over.")).toBeTruthy();
  });
});
