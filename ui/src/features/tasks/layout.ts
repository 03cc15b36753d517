import type { Head } from "../../types";

/** A line of the list: a head, or the row with this number in the desk's order. */
export type Line = { kind: "heading"; head: Head } | { kind: "row"; row: number };

/** Where heads and rows stand. Found by counting, since most rows of a long list are not here. */
export interface Layout {
  readonly count: number;
  lineAt: (index: number) => Line;
  /** The line of a row. */
  indexOf: (row: number) => number;
  /** The head that a line stands under; -1 without heads. */
  headingOf: (index: number) => number;
}

/** A head and its rows. */
interface Section {
  head: Head;
  heading: number;
  firstRow: number;
}

/** The last section that begins at or before a number; sections stand in order, and there may be thousands. */
function last(sections: readonly Section[], by: "heading" | "firstRow", number: number): Section | undefined {
  let [low, high] = [0, sections.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sections[middle] as Section)[by] <= number) low = middle + 1;
    else high = middle;
  }
  return sections[low - 1];
}

/** Heads before the rows of each group; rows alone where there are none. */
export function layoutOf(total: number, heads: readonly Head[]): Layout {
  if (heads.length === 0) {
    return { count: total, lineAt: (index) => ({ kind: "row", row: index }), indexOf: (row) => row, headingOf: () => -1 };
  }
  const sections: Section[] = [];
  let heading = 0;
  let firstRow = 0;
  for (const head of heads) {
    sections.push({ head, heading, firstRow });
    heading += head.count + 1;
    firstRow += head.count;
  }
  return {
    count: heading,
    lineAt: (index) => {
      const section = last(sections, "heading", index);
      if (!section) return { kind: "row", row: index };
      if (section.heading === index) return { kind: "heading", head: section.head };
      return { kind: "row", row: section.firstRow + index - section.heading - 1 };
    },
    indexOf: (row) => {
      const section = last(sections, "firstRow", row);
      return section ? section.heading + 1 + row - section.firstRow : row;
    },
    headingOf: (index) => last(sections, "heading", index)?.heading ?? -1,
  };
}
