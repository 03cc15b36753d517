/** Lengths and parts too small for a number, for running text. */
export const units = {
  underSecond: "less than a second",
  underMs: "under 1 ms",
  underPercent: "under 1 %",
  today: "Today",
  yesterday: "Yesterday",
};
