import { count } from "../../format/size";

/** Lengths and parts too small for a number, for running text. */
export const units = {
  underSecond: "less than a second",
  underMs: "under 1 ms",
  underPercent: "under 1 %",
  emptyLines: (n: number) => `⟨${count(n)} empty lines⟩`,
  months: ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"],
  /** From Monday on. */
  weekdays: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"],
  today: "Today",
  yesterday: "Yesterday",
};
