import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { fireEvent, render, screen } from "@testing-library/react";
import { useLayoutEffect } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { ActionButton } from "../components/Button";
import { listenForKeys } from "./keys";
import { runAction, useAction, useModalKeys } from "./registry";
import { ACTION_IDS, specOf, type ActionId } from "./table";

function Bound({ id, run }: { id: ActionId; run: () => void }) {
  useAction(id, run);
  return null;
}

/** Acts as soon as a number is on screen. */
function Shown({ n, onRun }: { n: number; onRun: (n: number) => void }) {
  useAction("list.all", () => onRun(n));
  useLayoutEffect(() => void runAction("list.all"), [n]);
  return n;
}

const press = (key: string, target: Element = document.body, more = {}) => fireEvent.keyDown(target, { key, ...more });

describe("keys", () => {
  let stop: () => void;
  beforeEach(() => {
    stop = listenForKeys(window);
  });
  afterEach(() => stop());

  it("act on what is shown, in the moment in which it is", () => {
    const ran = vi.fn();
    const { rerender } = render(<Shown n={3} onRun={ran} />);
    rerender(<Shown n={110_000} onRun={ran} />);
    expect(ran.mock.calls, "never on what was shown before").toEqual([[3], [110_000]]);
  });

  it("run what is bound, and what was bound last wins", () => {
    const back = vi.fn();
    const front = vi.fn();
    const { rerender } = render(<Bound id="list.next" run={back} />);
    rerender(
      <>
        <Bound id="list.next" run={back} />
        <Bound id="list.next" run={front} />
      </>,
    );
    press("j");
    expect(front).toHaveBeenCalledOnce();
    expect(back).not.toHaveBeenCalled();
    rerender(<Bound id="list.next" run={back} />);
    press("j");
    expect(back, "what lies behind takes over again").toHaveBeenCalledOnce();
  });

  it("never fire while typing, except the chord that sends", () => {
    const submit = vi.fn();
    const next = vi.fn();
    render(
      <>
        <Bound id="request.submit" run={submit} />
        <Bound id="list.next" run={next} />
        <input aria-label="field" />
        <textarea aria-label="area" />
      </>,
    );
    for (const field of [screen.getByLabelText("field"), screen.getByLabelText("area")]) {
      press("1", field);
      press("j", field);
    }
    expect(submit).not.toHaveBeenCalled();
    expect(next).not.toHaveBeenCalled();
    press("Enter", screen.getByLabelText("area"), { ctrlKey: true });
    expect(submit).toHaveBeenCalledOnce();
  });

  it("find the search from within a field, by its chord", () => {
    const search = vi.fn();
    render(
      <>
        <Bound id="search" run={search} />
        <input aria-label="field" />
      </>,
    );
    press("/", screen.getByLabelText("field"));
    expect(search, "that is text").not.toHaveBeenCalled();
    press("f", screen.getByLabelText("field"), { ctrlKey: true });
    expect(search).toHaveBeenCalledOnce();
  });

  it("quit from within a field, too", () => {
    const quit = vi.fn();
    render(
      <>
        <Bound id="quit" run={quit} />
        <input aria-label="field" />
      </>,
    );
    press("q", screen.getByLabelText("field"), { ctrlKey: true });
    expect(quit, "whoever types may quit as well").toHaveBeenCalledOnce();
  });

  it("come as sequences, too", () => {
    const inbox = vi.fn();
    render(<Bound id="go.inbox" run={inbox} />);
    press("i");
    expect(inbox).not.toHaveBeenCalled();
    press("g");
    press("i");
    expect(inbox).toHaveBeenCalledOnce();
  });

  it("leave Enter to a focused button", () => {
    const open = vi.fn();
    render(
      <>
        <Bound id="list.open" run={open} />
        <button type="button">other</button>
      </>,
    );
    press("Enter", screen.getByText("other"));
    expect(open).not.toHaveBeenCalled();
    press("Enter");
    expect(open).toHaveBeenCalledOnce();
  });

  it("do not repeat an answer while a key is held", () => {
    const decline = vi.fn();
    const next = vi.fn();
    render(
      <>
        <Bound id="request.decline" run={decline} />
        <Bound id="list.next" run={next} />
      </>,
    );
    press("3", document.body, { repeat: true });
    press("j", document.body, { repeat: true });
    expect(decline).not.toHaveBeenCalled();
    expect(next).toHaveBeenCalledOnce();
  });

  it("stay in front of a dialog", () => {
    const next = vi.fn();
    function Modal() {
      useModalKeys(true);
      return null;
    }
    const { rerender } = render(
      <>
        <Bound id="list.next" run={next} />
        <Modal />
      </>,
    );
    press("j");
    expect(next).not.toHaveBeenCalled();
    rerender(<Bound id="list.next" run={next} />);
    press("j");
    expect(next).toHaveBeenCalledOnce();
  });

  it("are the same as the button's, and off while it cannot be pressed", () => {
    const decline = vi.fn();
    const { rerender } = render(<ActionButton action="request.decline" onRun={decline} />);
    press("3");
    fireEvent.click(screen.getByRole("button", { name: /Decline/ }));
    expect(decline).toHaveBeenCalledTimes(2);
    rerender(<ActionButton action="request.decline" onRun={decline} disabled />);
    press("3");
    expect(decline).toHaveBeenCalledTimes(2);
  });
});

describe("what marks all", () => {
  let stop: () => void;
  beforeEach(() => {
    stop = listenForKeys(window);
    getSelection()?.removeAllRanges();
  });
  afterEach(() => stop());

  const all = (target: Element) => !press("a", target, { ctrlKey: true });
  const marked = () => getSelection()?.toString() ?? "";

  it("marks nothing of the window, where nothing takes it", () => {
    render(<p>the window</p>);
    expect(all(document.body), "the web view would mark all of it").toBe(true);
    expect(marked()).toBe("");
  });

  it("is a field's own", () => {
    render(<input aria-label="field" />);
    expect(all(screen.getByLabelText("field"))).toBe(false);
  });

  it("marks a text that has the focus, or that was pressed in what has it, and picks nothing", () => {
    const pick = vi.fn();
    render(
      <>
        <Bound id="list.all" run={pick} />
        <div tabIndex={-1} aria-label="pane">
          <h1>head</h1>
          <pre data-text="">a result</pre>
        </div>
        <div tabIndex={-1} aria-label="list" />
      </>,
    );
    const text = screen.getByText("a result");
    expect(all(text)).toBe(true);
    expect(marked()).toBe("a result");
    getSelection()?.collapse(text.firstChild, 2);
    all(screen.getByLabelText("pane"));
    expect(marked(), "nothing beside it").toBe("a result");
    all(screen.getByLabelText("pane"));
    expect(marked(), "nor when it is marked already").toBe("a result");
    expect(pick).not.toHaveBeenCalled();
    all(screen.getByLabelText("list"));
    expect(pick, "the focus is elsewhere by now").toHaveBeenCalledOnce();
    getSelection()?.removeAllRanges();
    all(screen.getByLabelText("pane"));
    expect(pick, "no text is meant").toHaveBeenCalledTimes(2);
  });
});

describe("the action table", () => {
  it("gives no key to two actions that could be on screen together", () => {
    const owners = new Map<string, ActionId[]>();
    for (const id of ACTION_IDS) for (const keys of specOf(id).keys) owners.set(keys, [...(owners.get(keys) ?? []), id]);
    const shared = [...owners].filter(([, ids]) => ids.length > 1);
    expect(shared, "these belong to places that are never shown together").toEqual([
      // The first page has no list.
      ["Enter", ["list.open", "demo.start"]],
      ["Mod+Enter", ["request.submit", "start.run"]],
    ]);
  });

  it("has no plain key for what reaches a server without a question or a way back", () => {
    // Each of these moves, opens something, asks first, or can be taken back.
    const harmless = /^(list|go)\.|^(request\.(submit|decline|undo|next|snooze|stack|note|why)|start\.open|task\.(answer|cancel|again|tag|note)|server\.(edit|access)|search|back|help)$/;
    const plain = ACTION_IDS.filter((id) => specOf(id).keys.some((keys) => keys.split(" ").at(-1)?.length === 1));
    expect(plain.filter((id) => !harmless.test(id))).toEqual([]);
  });

  it("is where each key comes from that is shown", () => {
    const src = join(import.meta.dirname, "..");
    const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((file) => /(?<!\.test)\.tsx$/.test(file));
    const literal = files.filter((file) => /<(Kbd|KeyHint) keys="/.test(readFileSync(join(src, file), "utf8")));
    expect(literal).toEqual([]);
  });
});
