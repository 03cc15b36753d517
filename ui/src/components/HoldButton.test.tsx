import { act, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { HOLD_MS, HoldButton } from "./HoldButton";

const WORDS = { idle: "Hold to send", holding: "Keep holding", ripe: "Let go" };

function shown(hold = true) {
  const onDone = vi.fn();
  render(<HoldButton look="primary" hold={hold} disabled={false} onDone={onDone} words={WORDS} />);
  return { onDone, button: screen.getByRole("button") };
}

function pass(ms: number) {
  act(() => {
    vi.advanceTimersByTime(ms);
  });
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe("a button that is held", () => {
  it.each([
    ["the pointer", (button: Element) => fireEvent.pointerDown(button, { button: 0 }), (button: Element) => fireEvent.pointerUp(button)],
    ["Enter", (button: Element) => fireEvent.keyDown(button, { key: "Enter" }), (button: Element) => fireEvent.keyUp(button, { key: "Enter" })],
    ["Space", (button: Element) => fireEvent.keyDown(button, { key: " " }), (button: Element) => fireEvent.keyUp(button, { key: " " })],
  ])("acts once it is let go after a second of %s, and not before", (_, down, up) => {
    const { onDone, button } = shown();
    down(button);
    pass(HOLD_MS - 1);
    expect(button.textContent).toBe("Keep holding");
    up(button);
    pass(HOLD_MS);
    expect(onDone, "let go early").not.toHaveBeenCalled();
    down(button);
    pass(HOLD_MS);
    expect(button.textContent).toBe("Let go");
    expect(onDone, "nothing is done while it is down").not.toHaveBeenCalled();
    up(button);
    expect(onDone).toHaveBeenCalledOnce();
  });

  it("does nothing when the pointer moves away, or the focus", () => {
    const { onDone, button } = shown();
    fireEvent.pointerDown(button, { button: 0 });
    pass(HOLD_MS);
    fireEvent.pointerLeave(button);
    fireEvent.pointerUp(button);
    fireEvent.keyDown(button, { key: "Enter" });
    pass(HOLD_MS);
    fireEvent.blur(button);
    fireEvent.keyUp(button, { key: "Enter" });
    expect(onDone).not.toHaveBeenCalled();
  });

  it("takes no press, and no key that repeats for a second one", () => {
    const { onDone, button } = shown();
    fireEvent.click(button);
    fireEvent.keyDown(button, { key: "Enter", repeat: true });
    pass(HOLD_MS);
    fireEvent.keyUp(button, { key: "Enter" });
    expect(onDone, "the key was down before the button had the focus").not.toHaveBeenCalled();
  });

  it("is pressed where it need not be held", () => {
    const { onDone, button } = shown(false);
    fireEvent.click(button);
    expect(onDone).toHaveBeenCalledOnce();
  });
});
