import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";

import { DeskError } from "../../host/error";
import { FakeHost } from "../../test/FakeHost";
import { renderWith } from "../../test/render";
import { anOverview, wholly } from "../../test/samples";
import type { Autostart } from "../../types";
import { SessionSettings } from "./SessionSettings";

const OFF: Autostart = { on: false, file: "/home/ada/.config/autostart/signalbox.desktop" };

/** A machine whose file says this, and takes what it is told unless it is write-protected. */
function machine(autostart: Autostart, refuses = false) {
  let now = autostart;
  const desk = new FakeHost(
    () => wholly(anOverview()),
    (command) => {
      if (command.type === "set_autostart") {
        if (refuses) return Promise.reject(new DeskError({ code: "storage_denied", message: "signalbox.desktop cannot be written", retry: "never" }));
        now = { on: command.on, ...(now.file !== undefined && { file: now.file }) };
      }
      return { type: "autostart", autostart: now };
    },
  );
  renderWith(desk, <SessionSettings />);
  return { desk, user: userEvent.setup({ delay: null }) };
}

const box = () => screen.getByRole<HTMLInputElement>("checkbox", { name: "Start Signalbox when I log in" });

describe("starting with the session", () => {
  it("is off at first, and stands as the machine says after a press", async () => {
    const { desk, user } = machine(OFF);
    expect(box().disabled, "before it is known").toBe(true);
    await expect.poll(() => box().disabled).toBe(false);
    expect(box().checked).toBe(false);
    await user.click(box());
    await expect.poll(() => box().checked).toBe(true);
    await user.click(box());
    await expect.poll(() => box().checked).toBe(false);
    expect(desk.commands.map((command) => command.type === "set_autostart" && command.on)).toEqual([false, true, false]);
  });

  it("stays as it was where the file cannot be written, and says why", async () => {
    const { user } = machine(OFF, true);
    await expect.poll(() => box().disabled).toBe(false);
    await user.click(box());
    await screen.findByText(/cannot be written/);
    expect(box().checked).toBe(false);
  });

  it("says what is started instead", async () => {
    machine({ ...OFF, other: '"/old/signalbox-desktop" --hidden' });
    await screen.findByText(/something else starts in its place: "\/old\/signalbox-desktop" --hidden/);
    expect(box().checked).toBe(false);
  });

  it("is not offered where the system has no such thing", async () => {
    machine({ on: false });
    await screen.findByText(/cannot start when you log in/);
    expect(screen.queryByRole("checkbox")).toBeNull();
  });
});
