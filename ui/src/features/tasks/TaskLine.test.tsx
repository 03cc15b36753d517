import { act, cleanup, render } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { ago, aTask, NOW } from "../../test/samples";
import type { TaskRow } from "../../types";
import { TaskLine } from "./TaskLine";

const pass = () =>
  act(() => {
    vi.advanceTimersByTime(1_000);
  });

describe("a task's row", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  /** How often something in the row changes in so many seconds. */
  function changes(row: TaskRow, seconds: number, selected = false): number {
    cleanup();
    vi.setSystemTime(NOW);
    const { container } = render(<TaskLine row={row} selected={selected} />);
    const observer = new MutationObserver(() => undefined);
    observer.observe(container, { subtree: true, childList: true, characterData: true, attributes: true });
    for (let n = 0; n < seconds; n += 1) pass();
    return observer.takeRecords().length;
  }

  const young = aTask({ createdAt: ago(0), seenAt: ago(0), expiresAt: ago(-3_600_000 - 30_000) });

  it("stands still while nothing happens", () => {
    expect(changes(young, 29)).toBe(0);
  });

  it("moves once a second in the row in hand alone", () => {
    expect(changes(young, 29, true)).toBe(29);
  });

  it("counts by the minute, and by the second once its end is near", () => {
    expect(changes(aTask({ createdAt: ago(0), seenAt: ago(0), expiresAt: ago(-7_230_000) }), 61), "elapsed, silent and left, each once").toBe(3);
    expect(changes(aTask({ createdAt: ago(0), seenAt: ago(0), expiresAt: ago(-60_000) }), 10)).toBe(10);
  });
});
