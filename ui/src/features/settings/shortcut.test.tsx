import { act, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";

import { DeskError } from "../../host/error";
import { useView } from "../../store/useView";
import { FakeHost } from "../../test/FakeHost";
import { renderWith } from "../../test/render";
import { anOverview, wholly } from "../../test/samples";
import type { ShortcutState } from "../../types";
import { shortcutOf } from "./ShortcutField";
import { ShortcutSetting } from "./ShortcutSetting";

function Setting() {
  const overview = useView({ type: "overview" }).data;
  return overview && <ShortcutSetting overview={overview} />;
}

/** A session in which a key that is chosen comes to this. */
function session(state: ShortcutState, becomes: ShortcutState = "held") {
  let overview = anOverview({ shortcut: state });
  const become = (state: ShortcutState, keys = overview.settings.shortcut) => {
    const { shortcut: _, ...settings } = overview.settings;
    overview = { ...overview, shortcut: state, settings: { ...settings, ...(keys !== undefined && { shortcut: keys }) } };
    desk.touch();
  };
  const desk: FakeHost = new FakeHost(
    () => wholly(overview),
    (command) => {
      if (command.type === "set_shortcut") {
        if (command.keys === "Ctrl+C") return Promise.reject(new DeskError({ code: "usage", message: "it needs Super, or two of Ctrl, Alt and Shift", retry: "never" }));
        if (command.keys === undefined) {
          const { shortcut: _, ...settings } = overview.settings;
          overview = { ...overview, settings };
        }
        become(command.keys === undefined ? "off" : becomes, command.keys);
      }
      return { type: "done" };
    },
  );
  renderWith(desk, <Setting />);
  const chosen = () => desk.commands.flatMap((command) => (command.type === "set_shortcut" ? [command.keys] : []));
  return { chosen, user: userEvent.setup({ delay: null }), becomes: (state: ShortcutState) => act(() => become(state)) };
}

const choose = () => screen.findByRole<HTMLButtonElement>("button", { name: "Choose a key…" });
const field = () => screen.getByRole<HTMLInputElement>("textbox", { name: "System-wide shortcut" });

describe("the system-wide shortcut", () => {
  it("is none at first, and is chosen by pressing it", async () => {
    const { chosen, user } = session("off");
    await user.click(await choose());
    expect(document.activeElement).toBe(field());
    await user.keyboard("{Control>}{Alt>}s{/Alt}{/Control}");
    expect(field().value).toBe("Ctrl+Alt+S");
    expect(chosen(), "nothing is in force before it is taken").toEqual([]);
    await user.keyboard("{Enter}");
    await screen.findByText(/Pressing it anywhere brings/);
    expect(chosen()).toEqual(["Ctrl+Alt+S"]);
    expect(document.activeElement, "the field is gone, the focus is not").toBe(await choose());

    await user.click(screen.getByRole("button", { name: "Remove" }));
    await screen.findByText(/Choose a key that works in every program/);
    expect(chosen()).toEqual(["Ctrl+Alt+S", undefined]);
  });

  it("traps nobody: Tab goes on, Escape leaves", async () => {
    const { chosen, user } = session("off");
    await user.click(await choose());
    await user.keyboard("{Control>}{Alt>}d{/Alt}{/Control}{Tab}");
    expect(document.activeElement).toBe(screen.getByRole("button", { name: "Use this key" }));
    await user.tab({ shift: true });
    await user.keyboard("{Escape}");
    expect(screen.queryByRole("textbox")).toBeNull();
    expect(document.activeElement).toBe(await choose());
    expect(chosen(), "who leaves has chosen nothing").toEqual([]);
  });

  it("says why a key cannot be chosen, and lets another be tried", async () => {
    const { user } = session("off");
    await user.click(await choose());
    await user.keyboard("{Control>}c{/Control}{Enter}");
    await screen.findByText(/needs Super, or two of/);
    await user.keyboard("{Meta>}b{/Meta}{Enter}");
    await screen.findByText(/Pressing it anywhere brings/);
    expect(screen.queryByText(/needs Super/)).toBeNull();
  });

  it("says that another program has it, and when it has it no longer", async () => {
    const { becomes, user } = session("off", "taken");
    await user.click(await choose());
    await user.keyboard("{Control>}{Alt>}s{/Alt}{/Control}{Enter}");
    await screen.findByText(/Another program uses this key/);
    becomes("held");
    await screen.findByText(/Pressing it anywhere brings/);
  });

  it.each(["wayland", "no_display", "not_here"] as const)("is not offered where it cannot be: %s", async (state) => {
    session(state);
    await screen.findByText(/signalbox next/);
    expect(screen.queryByRole("button")).toBeNull();
  });

  it("is the key itself, whatever it writes", () => {
    const none = { ctrlKey: false, altKey: false, shiftKey: false, metaKey: false };
    for (const [press, keys] of [
      [{ ...none, key: "!", code: "Digit1", altKey: true, shiftKey: true }, "Alt+Shift+1"],
      [{ ...none, key: "ß", code: "KeyS", ctrlKey: true, altKey: true }, "Ctrl+Alt+S"],
      [{ ...none, key: "z", code: "KeyY", metaKey: true }, "Super+Z"],
      [{ ...none, key: " ", code: "Space", metaKey: true }, "Super+Space"],
      [{ ...none, key: "ArrowUp", code: "ArrowUp", ctrlKey: true, shiftKey: true }, "Ctrl+Shift+Up"],
      [{ ...none, key: "F12", code: "F12", metaKey: true }, "Super+F12"],
    ] as const) {
      expect(shortcutOf(press)).toBe(keys);
    }
  });
});
