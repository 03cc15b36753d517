import { useId, useRef, type FocusEvent } from "react";

import { ArgumentRows } from "../../components/ArgumentRows";
import { ACTION_LAMP, signalOfRequest, type Signal } from "../../components/lamp";
import { ServerWord } from "../../components/ServerText";
import { StatusLamp } from "../../components/StatusLamp";
import { ACTION, REQUEST_STATE, t } from "../../strings";
import type { RequestDetail } from "../../types";
import css from "./inbox.module.css";
import { Meanwhile } from "./Meanwhile";
import { Message } from "./QuestionHead";
import { QuestionBody, type BodyProps } from "./QuestionBody";
import type { Stage, Together } from "./stage";
import { useUndoLeft } from "./time";
import { useBy } from "./useBy";
import { shownContent, titleOf } from "./words";

interface Props extends BodyProps {
  round: Together;
  inHand: boolean;
  /** Takes it in hand. */
  onTake: () => void;
}

/** One question of several that go out together. A decided one is folded to what was said, and can be changed from there. */
export function RoundSection({ round, inHand, onTake, ...props }: Props) {
  const { detail, stage, answering } = props;
  const title = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const answer = useRef<HTMLButtonElement>(null);
  const onFocus = ({ target }: FocusEvent) => {
    // Taking it in hand takes this button away: that is for a press to do.
    if (target !== answer.current) onTake();
  };
  const take = () => {
    onTake();
    if (!answering.focus(detail.row.id)) heading.current?.focus();
  };
  const folded = stage === "held" || stage === "kept" || stage === "waiting" || stage === "sending";
  const { lamp, word } = signalOf(detail, stage);
  return (
    // Whatever of it gets the focus takes it in hand, so that the foot speaks of the same question.
    <section className={css.card} data-in-hand={inHand} aria-current={inHand || undefined} aria-labelledby={title} onFocus={inHand ? undefined : onFocus}>
      <header className={css.cardHead}>
        <StatusLamp lamp={lamp} word={word} />
        <h2 ref={heading} id={title} tabIndex={-1} className={css.cardTitle}>
          <ServerWord text={titleOf(detail.row).title} />
        </h2>
        <span className={css.cardState}>
          <Words detail={detail} stage={stage} round={round} />
          {detail.ways.takeBack && (
            <>
              {" · "}
              <button
                type="button"
                className={css.link}
                disabled={answering.isBusy(detail.row.id)}
                title={t.inbox.takeBackMeans(detail.row.answer?.masked !== undefined)}
                onClick={() => void answering.takeBack(detail.row.id)}
              >
                {t.inbox.round.change}
              </button>
            </>
          )}
          {inHand && (
            <>
              {" · "}
              <strong className={css.strong}>{t.inbox.round.inHand}</strong>
            </>
          )}
          {stage === "open" && !inHand && (
            <>
              {" · "}
              <button ref={answer} type="button" className={css.link} onClick={take}>
                {t.inbox.round.answerThis}
              </button>
            </>
          )}
        </span>
      </header>
      {folded && !(detail.row.mode === "url") ? (
        <>
          <Meanwhile detail={detail} />
          <Said detail={detail} />
        </>
      ) : (
        <>
          <Message row={detail.row} />
          <QuestionBody {...props} />
        </>
      )}
    </section>
  );
}

function Said({ detail: { row } }: { detail: RequestDetail }) {
  const by = useBy(row);
  if (!row.answer) return null;
  if (row.answer.content === undefined) return <p>{by(ACTION[row.answer.action])}</p>;
  return <ArgumentRows json={shownContent(row.answer)} />;
}

function signalOf({ row }: RequestDetail, stage: Stage): Signal {
  const decided = stage !== "open" && stage !== "no_longer_asked" && row.state !== "closed";
  if (decided && row.answer) return { lamp: ACTION_LAMP[row.answer.action], word: ACTION[row.answer.action] };
  return signalOfRequest(row);
}

function Words({ detail: { row }, stage, round }: { detail: RequestDetail; stage: Stage; round: Together }) {
  const left = useUndoLeft(stage === "held" ? row.answer : undefined);
  const words = t.inbox.round;
  switch (stage) {
    case "open":
      return words.stillOpen;
    case "held":
      return left === "" ? words.kept(round.count - 1) : words.undoFor(left);
    case "kept":
      return words.kept(round.count - 1);
    case "waiting":
      return words.waiting;
    case "sending":
      return row.answer?.sentAt === undefined ? words.beingSent : words.sent;
    case "over":
    case "no_longer_asked":
      return REQUEST_STATE[row.state];
  }
}
