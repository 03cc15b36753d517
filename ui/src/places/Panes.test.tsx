import { fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";

import { PaneBody, TURN_MS } from "./Panes";

afterEach(() => void vi.useRealTimers());

it("says that a pane scrolls until its wheel rests, so that no text in it takes the wheel on the way", () => {
  vi.useFakeTimers();
  render(<PaneBody label="pane">text</PaneBody>);
  const pane = screen.getByRole("region", { name: "pane" });
  const scrolls = () => pane.dataset.scrolling !== undefined;
  expect(scrolls()).toBe(false);
  fireEvent.scroll(pane);
  vi.advanceTimersByTime(TURN_MS - 1);
  fireEvent.scroll(pane);
  vi.advanceTimersByTime(TURN_MS - 1);
  expect(scrolls(), "it was turned again").toBe(true);
  vi.advanceTimersByTime(1);
  expect(scrolls()).toBe(false);
});
