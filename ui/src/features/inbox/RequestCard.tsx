import { useCallback } from "react";

import { REQUEST_LAMP } from "../../components/lamp";
import { ServerWord } from "../../components/ServerText";
import { StatusLamp } from "../../components/StatusLamp";
import { ClockTime, useAgo } from "../../components/Time";
import { absolute, ms } from "../../format/time";
import { useClock } from "../../store/clock";
import { ACTION, CLOSE_REASON, REQUEST_STATE, t } from "../../strings";
import type { RequestRow } from "../../types";
import css from "./RequestCard.module.css";
import { NEAR_MS, timeLeft, useSecondsLeft } from "./time";
import { isAnswerable, titleOf } from "./words";

/** A question in the list; `tall` has room for a title of two lines. */
export function RequestCard({ row, tall }: { row: RequestRow; tall: boolean }) {
  const { title } = titleOf(row.message);
  const words = [row.serverName, row.tool, row.summary, row.mode === "url" ? (row.host ?? "") : ""].filter((word) => word !== "");
  return (
    <div className={css.card} data-open={isAnswerable(row)}>
      <span className={css.lamp} data-lamp={REQUEST_LAMP[row.state]}>
        <StatusLamp lamp={REQUEST_LAMP[row.state]} word={REQUEST_STATE[row.state]} />
      </span>
      <div className={`${css.title} ${tall ? css.two : ""}`}>
        <ServerWord text={title} />
      </div>
      <div className={css.right}>{row.closedAt === undefined ? <Deadline at={row.expiresAt} /> : <ClockTime at={row.closedAt} />}</div>
      <div className={css.line}>
        {words.map((word, index) => (
          <span key={index}>
            {index > 0 && " · "}
            <ServerWord text={word} />
          </span>
        ))}
      </div>
      <div className={css.state}>
        <State row={row} />
      </div>
    </div>
  );
}

function Deadline({ at }: { at: string | undefined }) {
  const left = useClock(useCallback((now: number) => (at === undefined ? "" : timeLeft(ms(at) - now)), [at]));
  const near = useClock(useCallback((now: number) => at !== undefined && ms(at) - now < NEAR_MS, [at]));
  if (at === undefined) return t.inbox.noLimit;
  return (
    <time dateTime={at} title={absolute(ms(at))} className={near ? css.near : undefined}>
      {left === "" ? t.inbox.overdue : t.inbox.left(left)}
    </time>
  );
}

function State({ row }: { row: RequestRow }) {
  const waited = useAgo(row.openedAt);
  const seconds = useSecondsLeft(row.state === "held" ? row.answer?.sendAt : undefined);
  switch (row.state) {
    case "open": {
      const more = row.mode === "other" ? t.inbox.cannotYet : row.mode === "url" ? t.inbox.inBrowser : row.hasDraft && t.inbox.draftKept;
      return [t.inbox.waiting(waited), more].filter(Boolean).join(" · ");
    }
    case "held":
      return `${seconds > 0 ? t.inbox.sendingIn(seconds) : REQUEST_STATE.sending} · ${REQUEST_STATE.held}`;
    case "answered":
      return row.answer ? ACTION[row.answer.action] : REQUEST_STATE.answered;
    case "closed":
      return row.reason ? CLOSE_REASON[row.reason] : REQUEST_STATE.closed;
    case "not_taken":
    case "refused":
    case "unknown":
      return <span className={css.again}>{REQUEST_STATE[row.state]}</span>;
    case "sending":
    case "orphaned":
      return REQUEST_STATE[row.state];
  }
}
