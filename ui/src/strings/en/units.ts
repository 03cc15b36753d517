import { count } from "../../format/size";

/** Lengths and parts too small for a number, for running text. */
export const units = {
  underSecond: "less than a second",
  underMs: "under 1 ms",
  underPercent: "under 1 %",
  emptyLines: (n: number) => `⟨${count(n)} empty lines⟩`,
  today: "Today",
  yesterday: "Yesterday",
};
