import type { NotifyRules, Overview } from "../../types";

/** Whether notifications are raised, as far as is known: some are wanted, and the last one was not refused. */
export function notifies(overview: Pick<Overview, "settings" | "troubles"> | undefined): boolean {
  if (!overview) return false;
  return tellsAnything(overview.settings.notifications) && !overview.troubles.some(({ code }) => code === "notifications_failed");
}

function tellsAnything({ level, rules }: NotifyRules): boolean {
  return level !== "nothing" || rules.some((rule) => rule.level !== "nothing");
}
