import type { Overview } from "../../types";

/** Whether notifications are raised, as far as is known: they are wanted, and the last one was not refused. */
export function notifies(overview: Pick<Overview, "settings" | "troubles"> | undefined): boolean {
  return overview?.settings.notifications === true && !overview.troubles.some(({ code }) => code === "notifications_failed");
}
