import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";

import { App } from "../app/App";
import { go } from "../places/nav";
import { showing } from "../test/desk";
import { FakeHost } from "../test/FakeHost";
import { renderWith } from "../test/render";
import { readZoom, ZOOMS, zoomBy } from "./zoom";

/** A window that remembers. */
async function opened(remembered = new Map<string, string>()) {
  const show = showing({ remembered });
  const host = new FakeHost(show, (command) => {
    if (command.type === "set_preference") {
      remembered.set(command.key, command.value);
      setTimeout(() => host.touch());
    }
    return { type: "done" };
  });
  renderWith(host, <App />);
  await screen.findByRole("navigation");
  return { host, remembered };
}

const press = (key: string, target: Element = document.body) => fireEvent.keyDown(target, { key, ctrlKey: true });

describe("zoom", () => {
  it("goes from half to twice the size in steps, and stops there", () => {
    let zoom = readZoom(undefined);
    const seen = [zoom];
    for (let n = 0; n < 12; n++) seen.push((zoom = zoomBy("Mod++", zoom) ?? zoom));
    expect(seen.at(-1)).toBe(200);
    for (let n = 0; n < 12; n++) seen.push((zoom = zoomBy("Mod+-", zoom) ?? zoom));
    expect(zoom).toBe(50);
    expect([...new Set(seen)].sort((one, other) => one - other), "each step on the way").toEqual(ZOOMS);
    expect(zoomBy("Mod+0", 175)).toBe(100);
    for (const keys of ["+", "-", "0", "Mod+1", undefined]) expect(zoomBy(keys, 100), "other keys are other things").toBeUndefined();
  });

  it.each([150, "150", 151, null, {}, Number.NaN])("makes sense of what is remembered: %j", (remembered) => {
    expect(readZoom(remembered)).toBe(remembered === 150 ? 150 : 100);
  });
});

describe("the keys of zoom", () => {
  beforeEach(() => go("tasks"));

  // The first one: nothing was chosen yet.
  it("begin with what is remembered", async () => {
    const { host } = await opened(new Map([["zoom", "150"]]));
    await waitFor(() => expect(host.zoomed).toBe(1.5));
  });

  it("change it and are remembered, with or without Shift", async () => {
    const { host, remembered } = await opened();
    press("0");
    press("+");
    press("=");
    await waitFor(() => expect(host.zoomed).toBe(1.25));
    press("-");
    await waitFor(() => expect(host.zoomed).toBe(1.1));
    await waitFor(() => expect(remembered.get("zoom")).toBe("110"));
    press("0");
    await waitFor(() => expect(host.zoomed).toBe(1));
  });

  it("work in a field and behind a dialog", async () => {
    const { host } = await opened();
    press("0");
    const filter = await screen.findByRole("combobox", { name: /^Filter/ });
    press("+", filter);
    await waitFor(() => expect(host.zoomed).toBe(1.1));
    await userEvent.keyboard("{Escape}");
    act(() => (document.activeElement as HTMLElement).blur());
    await userEvent.keyboard("?");
    press("-", await screen.findByRole("dialog"));
    await waitFor(() => expect(host.zoomed).toBe(1));
  });

  it("show in the settings, where it can be chosen, too", async () => {
    go("settings");
    const { host } = await opened();
    press("0");
    const setting = await screen.findByLabelText<HTMLSelectElement>("Zoom");
    await userEvent.selectOptions(setting, "200 %");
    await waitFor(() => expect(host.zoomed).toBe(2));
    press("-");
    await waitFor(() => expect(setting.value).toBe("175"));
  });
});
