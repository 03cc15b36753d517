import { useCallback } from "react";

import { ServerWord } from "../../components/ServerText";
import { StatusLamp } from "../../components/StatusLamp";
import { signalOfRequest } from "../../components/lamp";
import { ClockTime, useAgo } from "../../components/Time";
import { absolute, ms, NEAR_MS } from "../../format/time";
import { useClock } from "../../store/clock";
import { REQUEST_STATE, t } from "../../strings";
import type { RequestRow } from "../../types";
import css from "./RequestCard.module.css";
import { timeLeft, useUndoLeft } from "./time";
import { isDecidable, SAMPLING, titleOf } from "./words";

interface Props {
  row: RequestRow;
  /** There is no room for the time beside the title. */
  narrow: boolean;
  /** The title takes two lines. */
  tall: boolean;
  /** How many are like it, itself included. */
  alike?: number;
  /** What stands above it, where it is the first of a group. */
  head?: string | undefined;
}

/** A question in the list. */
export function RequestCard({ row, narrow, tall, alike = 1, head }: Props) {
  const { title } = titleOf(row);
  const { lamp, word } = signalOfRequest(row);
  const words = [row.serverName, row.tool, row.summary, row.mode === "url" ? (row.host ?? "") : ""].filter((part) => part !== "");
  return (
    <>
      {head !== undefined && <div className={css.divider}>{head}</div>}
      <div className={css.card} data-open={isDecidable(row) && row.snoozed === undefined} data-closed={row.closedAt !== undefined} data-narrow={narrow} data-tall={tall}>
        <span className={css.lamp} data-lamp={lamp}>
          {/* That it can be undone, and for how long, is said below. */}
          <StatusLamp lamp={lamp} word={row.state === "held" ? t.inbox.held.title : word} />
        </span>
        <div className={`${css.title} ${tall ? css.two : ""}`}>
          <ServerWord text={title} />
        </div>
        <div className={css.right}>
          {row.closedAt !== undefined && <ClockTime at={row.closedAt} />}
          {row.closedAt === undefined && (row.expiresAt !== undefined || (row.call !== undefined && !narrow)) && <Deadline at={row.expiresAt} />}
        </div>
        <div className={css.below}>
          <div className={css.line}>
            {words.map((part, index) => (
              <span key={index}>
                {index > 0 && " · "}
                <ServerWord text={part} />
              </span>
            ))}
          </div>
          <div className={css.state}>
            <State row={row} alike={alike} cramped={narrow && tall} />
          </div>
        </div>
      </div>
    </>
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

interface StateProps {
  row: RequestRow;
  alike: number;
  /** It shares a short line with the server's name and the time. */
  cramped: boolean;
}

function State({ row, alike, cramped }: StateProps) {
  const waited = useAgo(row.openedAt);
  const left = useUndoLeft(row.state === "held" ? row.answer : undefined);
  if (row.snoozed) {
    const words = t.inbox.snooze;
    return row.returnsAt === undefined ? (
      words.inList
    ) : (
      <>
        {words.inListUntil} <ClockTime at={row.returnsAt} />
      </>
    );
  }
  switch (row.state) {
    case "open": {
      const same = alike > 1 ? t.inbox.stack.inList(alike) : "";
      const more = beside(row);
      // How long it has waited says least: it goes where it would cut off something else.
      const since = cramped && (same + more !== "" || row.expiresAt !== undefined) ? "" : t.inbox.waiting(waited);
      return [same, since, more].filter(Boolean).join(" · ");
    }
    case "held":
      return left === "" ? REQUEST_STATE.held : t.inbox.round.undoFor(left);
    case "sending":
      return row.answer?.sentAt === undefined ? t.inbox.notSentYet : REQUEST_STATE.sending;
    case "not_taken":
    case "refused":
    case "unknown":
      return <span className={css.again}>{REQUEST_STATE[row.state]}</span>;
    case "answered":
    case "closed":
    case "orphaned":
      return signalOfRequest(row).word;
  }
}

/** What else is to be known of an open question at a glance. */
function beside(row: RequestRow): string {
  if (row.mode === "other") return t.inbox.onlyRefused;
  if (row.mode === "url") {
    if (row.visitingAt !== undefined) return t.inbox.pageMayBeOpen;
    return row.visitedAt === undefined ? t.inbox.opensPage : t.inbox.pageOpened;
  }
  if (row.hasDraft) return t.inbox.draftKept;
  return row.method === SAMPLING ? t.inbox.forModel : "";
}
