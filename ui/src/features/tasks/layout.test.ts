import { describe, expect, it } from "vitest";

import type { Head } from "../../types";
import { layoutOf } from "./layout";

const heads = (counts: Record<string, number>): Head[] => Object.entries(counts).map(([word, count]) => ({ of: { by: "word", key: "is", word }, count }));

const lines = (layout: ReturnType<typeof layoutOf>) =>
  Array.from({ length: layout.count }, (_, index) => {
    const line = layout.lineAt(index);
    return line.kind === "heading" ? line.head.of.by === "word" && line.head.of.word : line.row;
  });

describe("the lines of the task list", () => {
  it("put a heading before each group that has tasks", () => {
    const layout = layoutOf(5, heads({ needs_you: 2, ended: 3 }));
    expect(lines(layout)).toEqual(["needs_you", 0, 1, "ended", 2, 3, 4]);
  });

  it("have no headings where the desk counted no groups", () => {
    expect(lines(layoutOf(3, []))).toEqual([0, 1, 2]);
  });

  it("show one group alone with its own count", () => {
    const layout = layoutOf(2, heads({ working: 2 }));
    expect(lines(layout)).toEqual(["working", 0, 1]);
  });

  it("know their heading", () => {
    const { headingOf } = layoutOf(5, heads({ needs_you: 2, ended: 3 }));
    expect([0, 1, 2, 3, 6].map(headingOf)).toEqual([0, 0, 0, 3, 3]);
    expect(layoutOf(3, []).headingOf(2)).toBe(-1);
  });

  it("find each row's line again, also in a list of 110,000", () => {
    const layout = layoutOf(110_000, heads({ needs_you: 3, working: 9_997, ended: 100_000 }));
    for (const row of [0, 2, 3, 9_999, 10_000, 109_999]) {
      expect(layout.lineAt(layout.indexOf(row)), `row ${row}`).toEqual({ kind: "row", row });
    }
    expect(layout.count).toBe(110_003);
  });
});
