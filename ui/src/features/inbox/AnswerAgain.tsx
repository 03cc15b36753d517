import { ServerText } from "../../components/ServerText";
import { ClockTime } from "../../components/Time";
import { ACTION, noteWords, t } from "../../strings";
import type { RequestDetail } from "../../types";
import css from "./inbox.module.css";
import { asksSecret } from "./words";

/** Why a question that was answered is open again, and what the answer was. */
export function AnswerAgain({ detail }: { detail: RequestDetail }) {
  const { state, reason, answer } = detail.row;
  const failed = state === "not_taken" || state === "refused" || state === "unknown";
  const lapsed = reason === "lapsed" && (failed || state === "open");
  if (!failed && !lapsed) return null;
  return (
    <div className={css.again} role="status">
      {lapsed && <p>{t.inbox.receipt.lapsed(asksSecret(detail))}</p>}
      {failed && <p>{t.inbox.again[state]}</p>}
      {failed && answer && (
        <p className={css.quiet}>
          {t.inbox.former(ACTION[answer.action])} <ClockTime at={answer.decidedAt} />
        </p>
      )}
      {failed && answer?.refusal !== undefined && (
        <div className={css.quiet}>
          {t.inbox.refusal}: <ServerText text={noteWords(answer.refusal)} limit={600} />
        </div>
      )}
    </div>
  );
}
