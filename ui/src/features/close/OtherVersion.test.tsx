import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";

import { DeskError } from "../../host/error";
import type { CloseRequest } from "../../host/host";
import { FakeHost } from "../../test/FakeHost";
import { renderWith } from "../../test/render";
import type { Owner } from "../../types";
import { OtherVersion } from "./OtherVersion";

const RESTART = "Restart the background program";
const OLDER: Owner = { kind: "serve", pid: 7, version: "0.0.9", home: "/h" };
const LIVE: CloseRequest = { live: 2, follower: "serve", ending: 0, ends: [], unsure: false, held: 0, forgotten: [], unseen: false, quits: true };

async function shown(stops: CloseRequest | null, act?: ConstructorParameters<typeof FakeHost>[1]) {
  const host = new FakeHost(() => ({ type: "request" }), act);
  host.stops = stops;
  renderWith(host, <OtherVersion owner={OLDER} />);
  await screen.findByText(/background program is Signalbox 0.0.9, older than this window, which is 0.1.0. Restart it/);
  return { host, user: userEvent.setup() };
}

const press = (user: ReturnType<typeof userEvent.setup>, name: string) => user.click(screen.getByRole("button", { name }));

describe("a program in the background of another version", () => {
  it.each<[string, Owner | undefined]>([
    ["nobody is known", undefined],
    ["it is of ours", { ...OLDER, version: "0.1.0" }],
    ["a window or a command owns the data", { ...OLDER, kind: "command" }],
  ])("is not spoken of where %s", async (_, owner) => {
    const host = new FakeHost(() => ({ type: "request" }));
    renderWith(host, <OtherVersion owner={owner} />);
    await waitFor(() => expect(screen.queryByRole("button")).toBeNull());
  });

  it.each([null, LIVE])("is restarted at once where nothing is lost by it: %j", async (stops) => {
    const { host, user } = await shown(stops);
    await press(user, RESTART);
    await waitFor(() => expect(host.restarts).toBe(1));
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("says first what would be lost", async () => {
    const { host, user } = await shown({ ...LIVE, ending: 1, ends: [{ id: "t3", server: "build", tool: "compile", why: "program" }] });
    await press(user, RESTART);
    const dialog = await screen.findByRole("dialog");
    expect(dialog.textContent).toContain("build · compile (t3)");
    expect(host.restarts).toBe(0);
    await press(user, "Restart");
    await waitFor(() => expect(host.restarts).toBe(1));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  it("is not to be restarted where it is newer: this window is", async () => {
    const host = new FakeHost(() => ({ type: "request" }));
    renderWith(host, <OtherVersion owner={{ ...OLDER, version: "0.2.0" }} />);
    await screen.findByText(/newer than this window, which is 0.1.0. Close this window and open the newer Signalbox/);
    expect(screen.queryByRole("button")).toBeNull();
  });

  it("names the servers that would have to be given their secrets again", async () => {
    const { host, user } = await shown({ ...LIVE, forgotten: ["ci"] });
    await press(user, RESTART);
    const dialog = await screen.findByRole("dialog");
    expect(dialog.textContent).toContain("kept for this run only");
    expect(screen.getByRole("listitem").textContent).toBe("ci");
    expect(dialog.textContent).not.toContain("Everything else goes on");
    expect(host.restarts, "not before it was said").toBe(0);
    await press(user, "Restart");
    await waitFor(() => expect(host.restarts).toBe(1));
  });

  it("says that held answers may become drafts", async () => {
    const { user } = await shown({ ...LIVE, held: 2 });
    await press(user, RESTART);
    expect((await screen.findByRole("dialog")).textContent).toContain("2 answers are within their undo time");
  });

  it("says that the encrypted file is locked afterwards", async () => {
    const { host, user } = await shown(null, () => ({ type: "secrets", secrets: { place: "file", state: "open" } }));
    await press(user, RESTART);
    expect((await screen.findByRole("dialog")).textContent).toContain("may have to be unlocked again");
    expect(host.restarts).toBe(0);
  });

  it("does not ask about what is no background program: that goes on, and says so", async () => {
    const { host, user } = await shown({ ...LIVE, live: 0, follower: "window", unsure: true });
    host.restartBackground = () => Promise.reject(new DeskError({ code: "not_possible", message: "close the other window", retry: "never" }));
    await press(user, RESTART);
    expect((await screen.findByRole("alert")).textContent).toContain("close the other window");
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("says that nobody knows where it cannot be asked", async () => {
    const { user } = await shown({ ...LIVE, live: 0, unsure: true });
    await press(user, RESTART);
    expect((await screen.findByRole("dialog")).textContent).toContain("nobody can ask it what it is doing");
  });

  it("says why it goes on", async () => {
    const { host, user } = await shown(null);
    host.restartBackground = () => Promise.reject(new DeskError({ code: "storage_in_use", message: "it does not end", retry: "later" }));
    await press(user, RESTART);
    expect((await screen.findByRole("alert")).textContent).toContain("it does not end");
  });
});
