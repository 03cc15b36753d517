import type { Counts, TaskGroup } from "../../types";

/** A line of the list: the heading of a group, or the row with this number in the desk's order. */
export type Line = { kind: "heading"; group: TaskGroup; count: number } | { kind: "row"; row: number };

/** Where headings and rows stand. Found by counting, since most rows of a long list are not here. */
export interface Layout {
  readonly count: number;
  lineAt: (index: number) => Line;
  /** The line of a row. */
  indexOf: (row: number) => number;
  /** The heading that a line stands under; -1 without headings. */
  headingOf: (index: number) => number;
}

const ORDER = [
  ["needs_you", "needsYou"],
  ["working", "working"],
  ["ended", "ended"],
] as const satisfies readonly (readonly [TaskGroup, keyof Counts])[];

/** Headings before the rows of each group, when the desk counted the groups; else rows alone. */
export function layoutOf(total: number, groups: Counts | undefined, only: TaskGroup | undefined): Layout {
  if (!groups) {
    return { count: total, lineAt: (index) => ({ kind: "row", row: index }), indexOf: (row) => row, headingOf: () => -1 };
  }
  const sections: { group: TaskGroup; count: number; heading: number; firstRow: number }[] = [];
  let heading = 0;
  let firstRow = 0;
  for (const [group, key] of ORDER) {
    const count = only === undefined ? groups[key] : only === group ? total : 0;
    if (count === 0) continue;
    sections.push({ group, count, heading, firstRow });
    heading += count + 1;
    firstRow += count;
  }
  return {
    count: heading,
    lineAt: (index) => {
      const section = sections.findLast((other) => other.heading <= index);
      if (!section) return { kind: "row", row: index };
      if (section.heading === index) return { kind: "heading", group: section.group, count: section.count };
      return { kind: "row", row: section.firstRow + index - section.heading - 1 };
    },
    indexOf: (row) => {
      const section = sections.findLast((other) => other.firstRow <= row);
      return section ? section.heading + 1 + row - section.firstRow : row;
    },
    headingOf: (index) => sections.findLast((other) => other.heading <= index)?.heading ?? -1,
  };
}
