import axe from "axe-core";

/** Nothing is laid out or coloured here: that is for `contrast.test.ts` and the real window. */
const UNSEEN = ["color-contrast", "target-size", "region"];
/** A place that stands in no window has bars that belong to nothing. */
const OF_A_WINDOW = ["landmark-no-duplicate-banner", "landmark-no-duplicate-contentinfo", "landmark-unique"];

/** What axe finds wrong with the page, each with the element. */
export async function faults(): Promise<string[]> {
  const left = document.querySelector("main") ? UNSEEN : [...UNSEEN, ...OF_A_WINDOW];
  const { violations } = await axe.run(document.body, { rules: Object.fromEntries(left.map((rule) => [rule, { enabled: false }])) });
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 240)}`));
}
