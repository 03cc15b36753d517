import type { ReactNode } from "react";

import { useKeys } from "../../actions/chosen";
import { shortcuts } from "../../actions/spelling";
import { ActionButton, ActionHint, Button } from "../../components/Button";
import { useNav } from "../../places/nav";
import { PaneFoot, Spring } from "../../places/Panes";
import { t } from "../../strings";
import type { Json, RequestDetail, RequestId } from "../../types";
import css from "./inbox.module.css";
import { MEANS } from "./Meanings";
import { OpenPage } from "./OpenPage";
import { PageFoot, VisitedFoot } from "./PageFoot";
import { SnoozeButton } from "./SnoozeDialog";
import type { Stage } from "./stage";
import { useUndoLeft } from "./time";
import type { Answering } from "./useAnswering";
import type { Caution } from "./useCaution";
import type { PageOpening } from "./usePage";

/** What every foot gets. */
export interface FootProps {
  detail: RequestDetail;
  stage: Stage;
  /** Why a yes takes a press of its own, where it does. */
  caution: Caution | undefined;
  /** How many others of its round are not decided for good. */
  undecided: number;
  answering: Answering;
  page: PageOpening;
  /** The questions whose answers go with one press. */
  wanted: readonly RequestId[];
  /** Which content goes without a review, where any does. */
  unreviewed: ((content: Json) => boolean) | undefined;
  /** Goes to another open question of the round; undefined when there is none. */
  onOther: (() => void) | undefined;
  /** Goes to the next open question of the inbox; undefined when there is none. */
  next: (() => void) | undefined;
}

/** What can be done with the question in hand: exactly what the desk offers, and nothing without saying what it means. */
export function Foot(props: FootProps) {
  const { detail, stage, next } = props;
  const accepted = detail.row.mode === "url" && detail.row.answer?.action === "accept";
  switch (stage) {
    case "open":
      return detail.ways.accept === "page" ? <PageFoot key={`${detail.row.id} ${detail.asks}`} {...props} /> : <OpenFoot {...props} />;
    case "held":
      return <HeldFoot {...props} />;
    case "kept":
    case "waiting":
      return <KeptFoot {...props} />;
    case "sending":
    case "over":
      if (detail.ways.takeBack) return <KeptFoot {...props} />;
      return accepted && detail.row.call !== undefined && detail.row.state !== "closed" ? (
        <VisitedFoot {...props} call={detail.row.call} />
      ) : (
        <NextFoot next={next} />
      );
    case "no_longer_asked":
      return <NoLongerAskedFoot {...props} />;
  }
}

function OpenFoot({ detail, answering, wanted, unreviewed }: FootProps) {
  const idle = isIdle(answering, detail.row.id);
  const form = detail.ways.accept !== undefined;
  return (
    <PaneFoot>
      {form && (
        <ActionButton
          look="primary"
          action="request.submit"
          title={unreviewed ? t.inbox.unreviewedMeans : t.inbox.acceptMeans}
          disabled={!idle || answering.review !== undefined}
          // A plain key may be pressed by mistake: by that one the answer is always seen before it goes.
          onRun={(keys) => void answering.show(wanted, keys === undefined || keys.startsWith("Mod+") ? unreviewed : undefined)}
        >
          {wanted.length > 1 ? t.inbox.reviewAll(wanted.length) : unreviewed ? t.inbox.unreviewed : t.inbox.review}
        </ActionButton>
      )}
      <Refusals detail={detail} answering={answering} />
    </PaneFoot>
  );
}

/** Decline and dismiss, where the desk offers them, and putting it off. */
export function Refusals({ detail, answering }: Pick<FootProps, "detail" | "answering">) {
  const { row, ways, round } = detail;
  const idle = isIdle(answering, row.id);
  const about = round && round.requests.length > 1 ? `${MEANS.about} ` : "";
  return (
    <>
      {ways.decline && (
        <ActionButton
          action="request.decline"
          aria-describedby={about + MEANS.decline}
          disabled={!idle}
          onRun={() => void answering.say(row.id, "decline")}
        />
      )}
      {ways.dismiss && (
        <ActionButton
          action="request.cancel"
          aria-describedby={about + MEANS.dismiss}
          disabled={!idle}
          onRun={() => void answering.say(row.id, "cancel")}
        />
      )}
      {ways.settled === undefined && <SnoozeButton detail={detail} answering={answering} />}
    </>
  );
}

/** Whether a question can be answered at this moment. */
export function isIdle(answering: Answering, id: RequestId): boolean {
  return !answering.checking && !answering.isBusy(id);
}

function HeldFoot({ detail: { row }, undecided, answering, next }: FootProps) {
  const left = useUndoLeft(row.answer);
  const counting = undecided > 0 ? t.inbox.held.keptIn(left) : t.inbox.held.in(left);
  return (
    <PaneFoot>
      <ActionButton action="request.undo" disabled={answering.isBusy(row.id)} onRun={() => void answering.takeBack(row.id)} />
      {/* Said once, not every second: the counting stands outside of it. */}
      <span role="status" className="unseen">
        {t.inbox.held.title}
      </span>
      <span>{left !== "" ? counting : undecided === 0 && t.inbox.held.now}</span>
      <Spring />
      <NextButton next={next} />
    </PaneFoot>
  );
}

/** An answer that is decided and has not gone out: it can be changed, and what it waits for is said. */
function KeptFoot({ detail, stage, undecided, answering, page, onOther, next }: FootProps) {
  const { row, ways } = detail;
  const kept = stage === "kept";
  const consented = row.mode === "url" && row.answer?.action === "accept";
  return (
    <PaneFoot>
      {kept && onOther && (
        <Button look="primary" onClick={onOther}>
          {t.inbox.round.toOpen}
        </Button>
      )}
      {ways.takeBack && (
        <ActionButton
          action="request.undo"
          title={t.inbox.takeBackMeans(row.answer?.masked !== undefined)}
          disabled={answering.isBusy(row.id)}
          onRun={() => void answering.takeBack(row.id)}
        >
          {kept ? t.inbox.round.change : t.inbox.takeBack}
        </ActionButton>
      )}
      {consented && <OpenPage detail={detail} look="plain" disabled={page.busy} page={page} />}
      {kept && (
        <span role="status" className={css.stage}>
          {t.inbox.kept(onOther ? undecided : 0, undecided)}
        </span>
      )}
      <Spring />
      {!(kept && onOther) && <NextButton next={next} />}
    </PaneFoot>
  );
}

function NoLongerAskedFoot({ detail: { row, ways }, answering, next }: FootProps) {
  return (
    <PaneFoot>
      {ways.putAway && (
        <Button title={t.inbox.noLongerAsked.putAwayMeans} disabled={answering.isBusy(row.id)} onClick={() => void answering.putAway(row.id)}>
          {t.inbox.noLongerAsked.putAway}
        </Button>
      )}
      <Spring />
      <NextButton next={next} />
    </PaneFoot>
  );
}

/** The way on, for when a question is done with. It is only ever gone by a person's act. */
export function NextFoot({ next, children }: { next: (() => void) | undefined; children?: ReactNode }) {
  const narrowed = useNav((nav) => nav.only.inbox !== null || nav.sought.tokens.length > 0 || nav.sought.text.trim() !== "");
  return (
    <PaneFoot>
      {children}
      {next ? (
        <NextButton look={children === undefined ? "primary" : "quiet"} next={next} />
      ) : (
        children === undefined && <span className={css.quiet}>{narrowed ? t.inbox.nothingNextListed : t.inbox.nothingNext}</span>
      )}
    </PaneFoot>
  );
}

/** The key is bound by the place, also where no foot shows it. */
function NextButton({ next, look = "quiet" }: { next: (() => void) | undefined; look?: "primary" | "quiet" }) {
  const keys = useKeys("request.next");
  return (
    next && (
      <Button look={look} onClick={next} aria-keyshortcuts={shortcuts(keys)}>
        {t.inbox.nextQuestion}
        <ActionHint action="request.next" />
      </Button>
    )
  );
}
