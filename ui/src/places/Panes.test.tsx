import { fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";

import { PaneBody, TURN_MS } from "./Panes";

afterEach(() => void vi.useRealTimers());

it("says that a pane scrolls until its wheel rests, so that no text in it takes the wheel on the way", () => {
  vi.useFakeTimers();
  render(<PaneBody label="pane">text</PaneBody>);
  const pane = screen.getByRole("region", { name: "pane" });
  const scrolls = () => pane.dataset.scrolling !== undefined;
  fireEvent.scroll(pane);
  expect(scrolls(), "no wheel scrolled it").toBe(false);
  const turn = () => {
    fireEvent.wheel(pane, { clientX: 9, clientY: 9 });
    fireEvent.scroll(pane);
  };
  turn();
  vi.advanceTimersByTime(TURN_MS - 1);
  turn();
  vi.advanceTimersByTime(TURN_MS - 1);
  expect(scrolls(), "it was turned again").toBe(true);
  vi.advanceTimersByTime(1);
  expect(scrolls()).toBe(false);

  turn();
  fireEvent.pointerMove(pane, { clientX: 9, clientY: 9 });
  expect(scrolls(), "the page moved, and not the pointer").toBe(true);
  fireEvent.pointerMove(pane, { clientX: 8, clientY: 9 });
  expect(scrolls(), "somebody wants to press what is there").toBe(false);
});
