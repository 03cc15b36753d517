import { act, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { ActionButton, ActionHint } from "../components/Button";
import { faultOf, keysUnder, readChoice, withKeys } from "./choice";
import { choose } from "./chosen";
import { listenForKeys } from "./keys";
import { useAction } from "./registry";
import { shortcuts } from "./spelling";
import { ACTION_IDS, specOf, type ActionId } from "./table";

function Bound({ id, run }: { id: ActionId; run: () => void }) {
  useAction(id, run);
  return null;
}

const press = (key: string, target: Element = document.body) => fireEvent.keyDown(target, { key });

describe("a chosen key", () => {
  let stop: () => void;
  beforeEach(() => {
    stop = listenForKeys(window);
  });
  afterEach(() => {
    stop();
    act(() => choose({}));
  });

  it("runs the action in the place of the table's, and never while typing", () => {
    const next = vi.fn();
    render(
      <>
        <Bound id="request.next" run={next} />
        <input aria-label="field" />
      </>,
    );
    act(() => choose({ "request.next": "m" }));
    press("n");
    press("m", screen.getByLabelText("field"));
    expect(next, "n is free, and m is text in a field").not.toHaveBeenCalled();
    press("m");
    expect(next).toHaveBeenCalledOnce();
  });

  it("may be two, one after the other, or none", () => {
    const next = vi.fn();
    render(<Bound id="request.next" run={next} />);
    act(() => choose({ "request.next": "b n" }));
    press("b");
    press("n");
    expect(next).toHaveBeenCalledOnce();
    act(() => choose({ "request.next": "" }));
    press("n");
    expect(next, "without a key nothing does it").toHaveBeenCalledOnce();
  });

  it("is the one that hints and aria-keyshortcuts name, at once", () => {
    render(
      <>
        <ActionButton action="request.decline" onRun={() => undefined} />
        <p>
          <ActionHint action="request.next" />
        </p>
      </>,
    );
    const button = screen.getByRole("button", { name: /Decline/ });
    expect(button.getAttribute("aria-keyshortcuts")).toBe("3");
    act(() => choose({ "request.decline": "Mod+d", "request.next": "m" }));
    expect(button.getAttribute("aria-keyshortcuts")).toBe("Control+d");
    expect(button.textContent).toBe("DeclineCtrld");
    expect(screen.getByText("m")).toBeTruthy();
  });

  it("is spelled with Shift where a screen reader needs to know", () => {
    expect(shortcuts(["J", "Mod++", "g i"])).toBe("Shift+J Control++");
  });
});

describe("the rules for keys", () => {
  it("say who has a key, or begins with it", () => {
    expect(faultOf({}, "request.next", "u")).toEqual({ why: "taken", by: "request.undo" });
    expect(faultOf({}, "request.next", "g"), "g would hide g i").toEqual({ why: "taken", by: "go.inbox" });
    expect(faultOf({}, "request.next", "u n"), "u would come first").toEqual({ why: "taken", by: "request.undo" });
    expect(faultOf({ "request.undo": "m" }, "request.next", "u"), "u is free by then").toBeUndefined();
    expect(faultOf({ "request.undo": "m" }, "request.next", "m")).toEqual({ why: "taken", by: "request.undo" });
  });

  it("give no letter to what decides a question, and nothing plain to what takes effect at once", () => {
    for (const id of ["request.submit", "request.decline"] as const) {
      expect(faultOf({}, id, "y"), id).toEqual({ why: "letter" });
      expect(faultOf({}, id, "q ж"), id).toEqual({ why: "letter" });
      expect(faultOf({}, id, "5"), id).toBeUndefined();
    }
    for (const id of ["request.cancel", "start.run", "task.forget", "server.check"] as const) {
      for (const keys of ["5", "y", "q 5"]) expect(faultOf({}, id, keys), `${id} ${keys}`).toEqual({ why: "plain" });
      expect(faultOf({}, id, "Mod+d"), id).toBeUndefined();
      expect(faultOf({}, id, "F9"), id).toBeUndefined();
    }
  });

  it("leave the keys of controls and of editing alone", () => {
    for (const keys of ["Enter", "Tab", " ", "Escape", "ArrowDown", "Backspace", "Mod+c", "Mod+V", "Mod+ArrowLeft", "g  ", "x y z"]) {
      expect(faultOf({}, "request.next", keys), keys).toEqual({ why: "reserved" });
    }
  });

  it("find no fault with the table itself", () => {
    const faults = ACTION_IDS.filter((id) => specOf(id).guard !== "fixed" && faultOf({}, id, specOf(id).keys[0] ?? ""));
    expect(faults).toEqual([]);
  });

  it("leave out of what is remembered only what does not go with this table", () => {
    const swapped = { "request.next": "u", "request.undo": "n" };
    expect(readChoice(swapped), "keys may be exchanged").toEqual(swapped);
    expect(readChoice({ ...swapped, "request.submit": "y", gone: "m", back: "b", search: 3 })).toEqual(swapped);
    expect(readChoice({ "request.next": "u", "request.undo": "3" }), "3 is taken; then so is u").toEqual({});
    for (const other of [undefined, null, "x", 3]) expect(readChoice(other)).toEqual({});
  });

  it("keep no choice of what is the table's own", () => {
    expect(withKeys({ "request.next": "m" }, "request.next", "n")).toEqual({});
    expect(keysUnder({ search: "f" }, "search"), "a second key stays").toEqual(["f", "Mod+f"]);
  });
});
