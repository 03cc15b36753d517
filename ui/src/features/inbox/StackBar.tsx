import { useState } from "react";

import { ActionButton, Button } from "../../components/Button";
import { t } from "../../strings";
import type { RequestDetail } from "../../types";
import { isIdle } from "./Foot";
import css from "./Stack.module.css";
import { StackDialog, type Meant } from "./StackDialog";
import type { GivenTogether } from "./StackAnswered";
import type { Answering } from "./useAnswering";
import type { Caution } from "./useCaution";
import { asksSecret, elicited } from "./words";

interface Props {
  detail: RequestDetail;
  /** How many are alike, this one included. */
  alike: number;
  /** Why each is answered on its own, where that is so: the desk takes nothing for several there. */
  caution: Caution | undefined;
  answering: Answering;
  /** The undo window in ms. */
  hold: number;
  onGiven: (given: GivenTogether) => void;
}

/** So many the desk shows, and answers, at once. */
const MOST = 200;

/** That more questions are like the one in hand, and the way to answer all of them at once. */
export function StackBar({ detail, alike, caution, answering, hold, onGiven }: Props) {
  const [meant, setMeant] = useState<Meant>();
  const words = t.inbox.stack;
  // Where the schema declares none, only what is filled in tells.
  const secret = answering.secretIn === detail.row.id || asksSecret(detail);
  const idle = isIdle(answering, detail.row.id);
  const accept = async () => {
    const { schema } = detail;
    const checked = await answering.check(detail.row.id);
    if (checked?.secrets.length === 0) setMeant({ action: "accept", content: checked.content, schema, sends: checked.sends });
  };
  return (
    <>
      {alike > 1 && (
        <div className={css.bar}>
          <span>
            {words.alike(alike - 1)} {caution ? words.alone[caution] : secret && words.alone.secret}
          </span>
          {!caution && (
            <>
              {!secret && (
                <ActionButton action="request.stack" disabled={!idle} onRun={() => void accept()}>
                  {alike > MOST ? words.answerSome(MOST) : words.answerAll(alike)}
                </ActionButton>
              )}
              {detail.ways.decline === "told" && (
                <Button look="quiet" disabled={!idle} onClick={() => setMeant({ action: "decline", content: undefined, schema: detail.schema, sends: elicited("decline") })}>
                  {alike > MOST ? words.declineSome(MOST) : words.declineAll(alike)}
                </Button>
              )}
            </>
          )}
        </div>
      )}
      {/* It stays when nothing is like the question any more, and says so. */}
      <StackDialog detail={detail} meant={meant} alike={alike} hold={hold} onClose={() => setMeant(undefined)} onGiven={onGiven} />
    </>
  );
}
