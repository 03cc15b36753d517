import { act, renderHook } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";

import { currentNav, select } from "./nav";
import { useChosen } from "./useChosen";

const showTask = (task: string) => select({ task });

/** A list of a hundred rows, of which those up to a number are here. */
function listed(here: number, error?: object) {
  const row = (index: number) => (index < here ? { id: `t${index}` } : undefined);
  return { shown: { total: 100 }, at: row, indexOf: (id: string | null) => (id === null ? -1 : Number(id.slice(1))), viewed: { error } };
}

const useListed = (rows: ReturnType<typeof listed>) => useChosen(rows, "all", currentNav().task, showTask);

beforeEach(() => select({ task: "t3" }));

describe("a row that is chosen before it is here", () => {
  it("is in hand once it comes", () => {
    const { result, rerender } = renderHook(useListed, { initialProps: listed(50) });
    act(() => result.current.choose(80));
    expect(result.current).toMatchObject({ index: 80, isAwaited: true });
    rerender(listed(100));
    expect(currentNav()).toMatchObject({ task: "t80", awaited: null });
  });

  it("is given up while the desk cannot be reached, and what was in hand stays", () => {
    const { result, rerender } = renderHook(useListed, { initialProps: listed(50) });
    act(() => result.current.choose(80));
    rerender(listed(50, new Error("gone")));
    expect(currentNav()).toMatchObject({ task: "t3", awaited: null });
    expect(result.current).toMatchObject({ index: 3, isAwaited: false });
    rerender(listed(100));
    expect(currentNav().task, "it does not jump there later").toBe("t3");
  });
});
