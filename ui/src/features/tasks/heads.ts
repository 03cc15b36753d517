import { day } from "../../format/time";
import { OUTCOME, STATUS, TASK_GROUP, TRACKING, t } from "../../strings";
import type { Head } from "../../types";

const WORDS: Record<string, Record<string, string>> = { is: TASK_GROUP, status: STATUS, outcome: OUTCOME, tracking: TRACKING, origin: t.tasks.startedBy };

/** What stands above the rows of a group; a server's or a tool's name as it is. */
export function titleOf({ of }: Head, now: number): string {
  switch (of.by) {
    case "server":
      return of.name;
    case "tool":
      return of.tool === "" ? t.tasks.adopted : of.tool;
    case "day":
      return day(of.day, now);
    case "word":
      return of.word === undefined ? t.tasks.none : (WORDS[of.key]?.[of.word] ?? of.word);
  }
}

/** Stable over changes of the list. */
export function keyOf({ of }: Head): string {
  return JSON.stringify(of);
}
