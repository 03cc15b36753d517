import { total } from "../../format/counts";
import type { Overview } from "../../types";

/** Whether nothing was ever done here: no server, no task, no question. */
export function isFirst({ servers, tasks, inbox }: Overview): boolean {
  return servers.length === 0 && inbox === 0 && total(tasks) === 0;
}
