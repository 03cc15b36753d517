import { ActionButton, Button } from "../../components/Button";
import { ServerWord } from "../../components/ServerText";
import { ErrorNote } from "../../components/States";
import { select } from "../../places/nav";
import { useAct } from "../../store/call";
import { useView, useViews } from "../../store/useView";
import { ACTION, t } from "../../strings";
import type { RequestDetail, RequestId } from "../../types";
import { useDecided } from "./elsewhere";
import css from "./inbox.module.css";
import { useUndoLeft } from "./time";
import { titleOf } from "./words";

interface Props {
  /** The questions that were answered last. */
  ids: readonly RequestId[];
  inHand: RequestId;
}

/** What was answered last, for as long as it can be undone and another question is shown. */
export function JustAnswered({ ids, inHand }: Props) {
  const views = useViews(ids.map((request) => ({ type: "request", request }) as const));
  const held = views.map((view) => view.data).filter((data): data is RequestDetail => data?.row.state === "held");
  const [first] = held;
  if (!first || ids.includes(inHand)) return null;
  return <Held first={first} held={held} inHand={inHand} />;
}

function Held({ first: { row, round }, held, inHand }: { first: RequestDetail; held: readonly RequestDetail[]; inHand: RequestId }) {
  const act = useAct();
  const left = useUndoLeft(row.answer);
  // Where the question that is shown can be undone itself, the key is for that one.
  const isShownUndoable = useView({ type: "request", request: inHand }).data?.ways.takeBack ?? false;
  const elsewhere = useDecided(row.id);
  const undo = async () => {
    for (const { row: { id, answer } } of held) {
      if (answer && !(await act.hand({ type: "undo", request: id, decidedAt: answer.decidedAt }))) return;
    }
    select({ request: row.id });
  };
  // Somebody else was faster, and it is their answer that is held.
  if (elsewhere !== undefined && elsewhere.at === row.answer?.decidedAt) return null;
  const what = t.inbox.held.answered(row.answer ? ACTION[row.answer.action] : "", held.length);
  return (
    <section className={css.toast} aria-label={t.inbox.held.last}>
      {/* Said once, not every second: the counting stands outside of it. */}
      <span role="status" className="unseen">
        {t.inbox.held.title}: {what}
      </span>
      <p className={css.toastTitle}>
        <strong>{what}</strong>{" "}
        <button type="button" className={css.link} onClick={() => select({ request: row.id })}>
          <ServerWord text={titleOf(row).title} />
        </button>
      </p>
      <div className={css.toastFoot}>
        {isShownUndoable ? (
          <Button disabled={act.busy} onClick={() => void undo()}>
            {t.actions["request.undo"]}
          </Button>
        ) : (
          <ActionButton action="request.undo" disabled={act.busy} onRun={() => void undo()} />
        )}
        <span>{left !== "" && (round ? t.inbox.held.keptIn(left) : t.inbox.held.in(left))}</span>
      </div>
      {act.error && <ErrorNote error={act.error} />}
    </section>
  );
}
