import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { choose, keysOf } from "../../actions/chosen";
import { App } from "../../app/App";
import { go } from "../../places/nav";
import { wearContrast } from "../../styles/highContrast";
import { showing } from "../../test/desk";
import { FakeHost } from "../../test/FakeHost";
import { renderWith } from "../../test/render";

async function open(remembered?: string) {
  const kept = new Map(remembered === undefined ? [] : [["keys", remembered]]);
  const host = new FakeHost(showing({ remembered: kept }), (command) => {
    if (command.type === "set_preference") kept.set(command.key, command.value);
    return command.type === "secrets" ? { type: "secrets", secrets: { place: "keychain", state: "open" } } : { type: "done" };
  });
  renderWith(host, <App />);
  await screen.findByRole("heading", { name: "Keyboard" });
  return { host, kept, user: userEvent.setup({ delay: null }) };
}

const button = (name: string) => screen.getByRole<HTMLButtonElement>("button", { name });
const NEXT = "Change the key for Next question";

describe("the keys in the settings", () => {
  beforeEach(() => go("settings"));
  afterEach(() => act(() => choose({})));

  it("are chosen by pressing one, kept, and named by the help", async () => {
    const { kept, user } = await open();
    await user.click(button(NEXT));
    const field = screen.getByRole("textbox", { name: "New key for Next question" });
    expect(document.activeElement).toBe(field);
    await user.keyboard("y");
    expect(keysOf("request.next"), "nothing is in force before it is taken").toEqual(["n"]);
    await user.keyboard("{Enter}");
    expect(keysOf("request.next")).toEqual(["y"]);
    expect(kept.get("keys")).toBe('{"request.next":"y"}');
    expect(document.activeElement, "the field is gone, the focus is not").toBe(button(NEXT));

    await user.keyboard("?");
    const line = within(await screen.findByRole("dialog", { name: "Keyboard" })).getByText("Next question").closest("div");
    expect(line?.textContent).toBe("Next questiony");
  });

  it("are chosen in sight: the field comes with its buttons", async () => {
    const { user } = await open();
    const shown: Element[] = [];
    const spy = vi.spyOn(Element.prototype, "scrollIntoView").mockImplementation(function (this: Element) {
      shown.push(this);
    });
    await user.click(button(NEXT));
    expect(shown.some((place) => place.contains(button("Use this key")))).toBe(true);
    spy.mockRestore();
  });

  it("say a conflict in words before it takes effect", async () => {
    const { kept, user } = await open();
    await user.click(button(NEXT));
    await user.keyboard("u");
    expect(screen.getByRole("alert").textContent).toBe("This key is used by “Undo”. Choose another one, or change that one first.");
    expect(button("Use this key").disabled).toBe(true);
    await user.keyboard("{Enter}");
    expect(keysOf("request.next")).toEqual(["n"]);
    expect(kept.size).toBe(0);
    await user.keyboard("{Escape}");
    expect(document.activeElement).toBe(button(NEXT));
  });

  it("give no letter to what sends an answer", async () => {
    const { user } = await open();
    await user.click(button("Change the key for Send"));
    await user.keyboard("y");
    expect(screen.getByRole("alert").textContent).toMatch(/a letter cannot do it/);
    await user.keyboard("{Backspace}5{Enter}");
    expect(keysOf("request.submit")).toEqual(["5", "Mod+Enter"]);
  });

  it("take two keys, a combination, or none", async () => {
    const { user } = await open();
    await user.click(button(NEXT));
    await user.keyboard("bn{Enter}");
    expect(keysOf("request.next")).toEqual(["b n"]);
    await user.click(button(NEXT));
    await user.keyboard("{Control>}m{/Control}{Enter}");
    expect(keysOf("request.next")).toEqual(["Mod+m"]);
    await user.click(button(NEXT));
    await user.keyboard("{Backspace}{Enter}");
    expect(keysOf("request.next")).toEqual([]);
    expect(button(NEXT).closest("[role=listitem]")?.textContent).toMatch(/no key/);
  });

  it("are reset one by one, where their own key is free, and all at once", async () => {
    const { user, kept } = await open('{"request.next":"y","request.undo":"n"}');
    await waitFor(() => expect(keysOf("request.undo")).toEqual(["n"]));
    expect(button("Reset the key for Next question").disabled).toBe(true);
    expect(screen.getByText("Its original key, n, is now used by “Undo”. Change that one first.")).toBeTruthy();
    await user.click(button("Reset the key for Undo"));
    expect(document.activeElement).toBe(button("Change the key for Undo"));
    expect(kept.get("keys")).toBe('{"request.next":"y"}');
    await user.click(button("Reset all keys"));
    expect(kept.get("keys")).toBe("{}");
    expect(keysOf("request.next")).toEqual(["n"]);
    expect(document.activeElement, "the button is gone, the focus is not").not.toBe(document.body);
    expect(screen.queryByRole("button", { name: /^Reset/ })).toBeNull();
  });
});

describe("the contrast", () => {
  beforeEach(() => go("settings"));
  afterEach(() => wearContrast("system"));

  it("is worn as soon as it is chosen, and remembered", async () => {
    const { kept, user } = await open();
    expect(document.documentElement.dataset["contrast"]).toBeUndefined();
    await user.selectOptions(screen.getByLabelText("Contrast"), "High");
    expect(document.documentElement.dataset["contrast"]).toBe("more");
    expect(kept.get("contrast")).toBe('"more"');
  });
});
