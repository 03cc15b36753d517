import { ACTION, t } from "../../strings";
import type { RequestDetail } from "../../types";
import { useDecided } from "./elsewhere";
import css from "./inbox.module.css";

/** A question was decided, or ended, by no act of this window while its answer was begun here. */
export function Meanwhile({ detail }: { detail: RequestDetail }) {
  const decided = useDecided(detail.row.id);
  if (!decided?.begun) return null;
  return (
    <p className={css.again} role="alert">
      <strong>{whatHappened(detail, decided.at)}</strong> {t.inbox.meanwhile.unsent}
    </p>
  );
}

function whatHappened({ row: { answer, decidedBy }, ways }: RequestDetail, at: string | undefined): string {
  const words = t.inbox.meanwhile;
  if (answer !== undefined && answer.decidedAt === at) {
    return (decidedBy === "signalbox" ? words.byUs : words.answered)(ACTION[answer.action]);
  }
  return ways.settled === "orphaned" || ways.settled === "cut_off" ? words.noLongerAsked : words.over;
}
