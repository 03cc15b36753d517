import { useState } from "react";

import { ActionButton, Button } from "../../components/Button";
import { ErrorNote } from "../../components/States";
import { useAct } from "../../store/call";
import { useView } from "../../store/useView";
import { ACTION, CODES, t } from "../../strings";
import type { Action, RequestId, TogetherOutcome } from "../../types";
import css from "./inbox.module.css";
import stackCss from "./Stack.module.css";
import { useUndoLeft } from "./time";

/** An answer that several questions got together, and what became of each. */
export interface GivenTogether {
  action: Action;
  /** The undo window in ms. */
  hold: number;
  outcomes: readonly TogetherOutcome[];
}

/** So many of those that failed are named. */
const NAMED = 3;

interface Props {
  given: GivenTogether;
  inHand: RequestId | null;
  onClose: () => void;
}

/** What was answered together last: for how long it can be undone, and which were left out. */
export function StackAnswered({ given: { action, hold, outcomes }, inHand, onClose }: Props) {
  const words = t.inbox.stack;
  const act = useAct();
  const [undone, setUndone] = useState<readonly TogetherOutcome[]>();
  const answers = outcomes.flatMap(({ request, decidedAt }) => (decidedAt === undefined ? [] : [{ request, decidedAt }]));
  const [first] = answers;
  const left = useUndoLeft(first && { decidedAt: first.decidedAt, sendAt: new Date(Date.parse(first.decidedAt) + hold).toISOString() });
  // Where the question that is shown can be undone itself, the key is for that one.
  const isShownUndoable = useView(inHand === null ? undefined : { type: "request", request: inHand }).data?.ways.takeBack ?? false;
  const undo = async () => {
    const reply = await act.run({ type: "undo_together", answers });
    if (reply) setUndone(reply.outcomes);
  };
  const tooLate = undone?.filter(({ failure }) => failure) ?? [];
  const what = undone ? words.takenBack(undone.length - tooLate.length) : first ? words.answered(ACTION[action], answers.length) : words.none;
  return (
    <section className={css.toast} aria-label={words.last}>
      <p className={stackCss.toastHead} role="status">
        <strong>{what}</strong>
      </p>
      {tooLate.length > 0 && <p>{words.tooLate(tooLate.length)}</p>}
      <Failures outcomes={undone ? [] : outcomes} />
      <div className={css.toastFoot}>
        {!undone && left !== "" && (
          <>
            {isShownUndoable ? (
              <Button disabled={act.busy} onClick={() => void undo()}>
                {words.undo(answers.length)}
              </Button>
            ) : (
              <ActionButton action="request.undo" disabled={act.busy} onRun={() => void undo()}>
                {words.undo(answers.length)}
              </ActionButton>
            )}
            <span>{t.inbox.held.in(left)}</span>
          </>
        )}
        <Button look="quiet" onClick={onClose}>
          {t.app.close}
        </Button>
      </div>
      {act.error && <ErrorNote error={act.error} />}
    </section>
  );
}

/** Which were left out, or have not arrived, and why. */
function Failures({ outcomes }: { outcomes: readonly TogetherOutcome[] }) {
  const failed = outcomes.flatMap(({ request, failure }) => (failure ? [{ request, code: failure.code }] : []));
  if (failed.length === 0) return null;
  return (
    <div>
      <p>{t.inbox.stack.failed(failed.length)}</p>
      <ul className={stackCss.failures}>
        {failed.slice(0, NAMED).map(({ request, code }) => (
          <li key={request}>
            {request}: {CODES[code]}
          </li>
        ))}
        {failed.length > NAMED && <li>{t.inbox.stack.others(failed.length - NAMED)}</li>}
      </ul>
    </div>
  );
}
