import { useImperativeHandle, useRef, useState, type Ref } from "react";

import { isField } from "../../actions/keys";
import { showBeginning } from "../../components/focus";
import { ErrorNote } from "../../components/States";
import { select } from "../../places/nav";
import { PaneBody } from "../../places/Panes";
import { t } from "../../strings";
import type { Overview, RequestDetail, RequestId } from "../../types";
import { Careful } from "./Careful";
import { Foot } from "./Foot";
import css from "./inbox.module.css";
import { Meanings } from "./Meanings";
import { useDropDraft, useFilled } from "./drafts";
import { useManner } from "./manner";
import { QuestionBody, type BodyProps } from "./QuestionBody";
import { QuestionHead } from "./QuestionHead";
import type { PaneHandle } from "./RequestPane";
import { AddRemark, RemarkLine } from "./Remark";
import { useNoting } from "./remarks";
import { ReviewDialog } from "./ReviewDialog";
import { RoundIndex } from "./RoundIndex";
import { RoundSection } from "./RoundSection";
import type { GivenTogether } from "./StackAnswered";
import { StackBar } from "./StackBar";
import { isReachable, stageOf, together } from "./stage";
import { useAnswering } from "./useAnswering";
import { useEntered, useSlid } from "./useArrived";
import { useCaution } from "./useCaution";
import { PageTrouble, usePage } from "./usePage";
import { titleOf } from "./words";
import { yesNoOf } from "./yesNo";

interface Props {
  /** The question in hand: what the foot acts on. */
  hand: RequestDetail;
  /** All that is answered together with it, itself included. */
  members: readonly RequestDetail[];
  overview: Overview | undefined;
  next: (() => void) | undefined;
  onDecided: (ids: readonly RequestId[]) => void;
  onPutOff: (ids: readonly RequestId[]) => void;
  /** How many open questions are like the one in hand, itself included. */
  alike: number;
  onGiven: (given: GivenTogether) => void;
  ref: Ref<PaneHandle>;
}

/** Whether somebody is typing there. */
function isTypedIn(pane: HTMLElement | null): boolean {
  return isField(document.activeElement) && pane?.contains(document.activeElement) === true;
}

/** A question, or the questions of a round, on one sheet: what is asked, what can be said, and how far it got. */
export function Sheet({ hand, members, overview, next, onDecided, onPutOff, alike, onGiven, ref }: Props) {
  const { row } = hand;
  const server = overview?.servers.find((other) => other.id === row.server);
  const hold = overview?.settings.undoMs ?? 0;
  const round = together(hand, members);
  const reachable = isReachable(server);
  const stage = (detail: RequestDetail) => stageOf(detail, round.undecidedBeside(detail.row.id), reachable);

  const { slid, isTooSoon } = useSlid(hand);
  const answering = useAnswering(members, { hold, isTooSoon, onDecided, onPutOff });
  const page = usePage(hand, members, isTooSoon);
  const { caution, isHarmless } = useCaution(hand, JSON.stringify([reachable, answering.review !== undefined]));
  const [manner] = useManner();
  // What is not known to be harmless is looked at, and so is what cannot be undone.
  const mayGo = manner?.unreviewed === true && hold > 0 && isHarmless;
  const noting = useNoting(row.id);
  const filled = useFilled(round.open);
  useDropDraft(members);

  const [misfitsAt, setMisfitsAt] = useState<HTMLDivElement | null>(null);
  const pane = useRef<HTMLDivElement>(null);
  // Who asks, and for what, is to be checked before anything is filled in: the sheet is seen from its beginning.
  const begin = (keys: boolean) => {
    showBeginning(pane.current);
    if (!answering.focus(row.id, { keys, still: true })) pane.current?.focus();
  };
  // Whoever answers one that stands below others of its round comes to where it stands.
  const answer = () => {
    const isBelow = round.count > 1 && members[0]?.row.id !== row.id;
    if (!isBelow || !answering.focus(row.id)) begin(false);
  };
  // Of what came from outside, by a link or a notification, nobody knows which key they press next: it stays a key.
  const look = () => {
    if (!isTypedIn(pane.current)) begin(true);
  };
  useImperativeHandle(ref, () => ({ focus: answer }));
  useEntered(row.id, (to) => (to === "answer" ? answer() : look()));

  const inHand = stage(hand);
  const body = (detail: RequestDetail): BodyProps => ({
    detail,
    stage: stage(detail),
    answering,
    opening: page.busy && detail.row.id === row.id,
    misfitsAt,
    server: row.serverName,
  });
  const others = round.open.filter((detail) => detail.row.id !== row.id);
  // Both go with one press where both are filled in; else it is about the one in hand.
  const wanted = round.open.length > 1 && filled.length === round.open.length ? filled : [row.id];
  const error = answering.review ? undefined : answering.error;
  return (
    <>
      <PaneBody label={t.inbox.question} slid={slid} ref={pane}>
        <QuestionHead detail={hand} over={inHand === "over"} count={round.count} />
        {/* It is about a yes. */}
        {caution && inHand === "open" && hand.ways.accept !== undefined && <Careful caution={caution} />}
        {round.count === 1 ? (
          <QuestionBody {...body(hand)} />
        ) : (
          <>
            {members.map((detail) => (
              <RoundSection
                key={detail.row.id}
                {...body(detail)}
                round={round}
                inHand={detail.row.id === row.id}
                onTake={() => select({ request: detail.row.id })}
              />
            ))}
            {members.length < round.count && <RoundIndex detail={hand} />}
          </>
        )}
        {inHand === "open" && <AddRemark noting={noting} />}
      </PaneBody>
      {inHand === "open" && <Meanings ways={hand.ways} call={row.call} about={round.count > 1 ? titleOf(row).title : undefined} />}
      {inHand === "open" && hand.ways.accept === "content" && (
        <StackBar key={row.id} detail={hand} alike={alike} caution={caution} answering={answering} hold={hold} onGiven={onGiven} />
      )}
      {(error || page.error) && (
        <div className={css.notes}>
          {error && <ErrorNote error={error} />}
          {page.error && <PageTrouble error={page.error} detail={hand} visited={page.visited} />}
        </div>
      )}
      <div ref={setMisfitsAt} className={css.misfits} />
      {inHand === "open" && <RemarkLine noting={noting} />}
      <Foot
        detail={hand}
        stage={inHand}
        caution={caution}
        undecided={round.undecidedBeside(row.id)}
        answering={answering}
        page={page}
        wanted={wanted}
        unreviewed={mayGo ? yesNoOf(hand) : undefined}
        onOther={others[0] && (() => select({ request: others[0]?.row.id ?? row.id }))}
        next={next}
      />
      <ReviewDialog
        answering={answering}
        server={row.serverName}
        hold={hold}
        beside={round.beside(answering.review?.map((item) => item.request) ?? [])}
        titled={round.count > 1}
        caution={caution}
      />
    </>
  );
}
