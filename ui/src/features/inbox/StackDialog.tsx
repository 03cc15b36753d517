import { useState } from "react";

import { Button } from "../../components/Button";
import { Dialog } from "../../components/Dialog";
import { HoldButton } from "../../components/HoldButton";
import { JsonBlock } from "../../components/JsonBlock";
import { ServerWord } from "../../components/ServerText";
import { ErrorNote, LoadingState } from "../../components/States";
import { secondsLeft } from "../../format/time";
import { DeskError } from "../../host/error";
import { useAct } from "../../store/call";
import { useLook } from "../../store/useLook";
import { t } from "../../strings";
import type { Json, RequestDetail, RequestId, Stack } from "../../types";
import { useElsewhere } from "./elsewhere";
import css from "./inbox.module.css";
import { Remark } from "./Remark";
import { useRemarks } from "./remarks";
import type { GivenTogether } from "./StackAnswered";
import { StackTable } from "./StackTable";

/** What all of them are to be told. */
export interface Meant {
  action: "accept" | "decline";
  content: Json | undefined;
  /** The schema that it was filled in and checked for, whatever is asked by now. */
  schema: Json | undefined;
  /** The very JSON that the server gets for each. */
  sends: Json;
}

interface Props {
  detail: RequestDetail;
  meant: Meant | undefined;
  /** How many are alike by now, this one included. */
  alike: number;
  hold: number;
  onClose: () => void;
  onGiven: (given: GivenTogether) => void;
}

/** In what alike questions differ, and what each of them gets, before it goes. The table stands still: only what was seen is answered. */
export function StackDialog({ detail, meant, alike, hold, onClose, onGiven }: Props) {
  const { row } = detail;
  const words = t.inbox.stack;
  const { data: seen, error: unseen } = useLook({ type: "stack", request: row.id }, meant);
  const { run, busy, error, clear } = useAct();
  // While they are being answered they are not alike any more, by that alone.
  const stack = alike > 1 || busy ? seen : null;
  const elsewhere = useElsewhere();
  const [choice, setChoice] = useState<{ of: Stack; out: ReadonlySet<RequestId> }>();
  const remarks = useRemarks();
  // What is meant anew is read anew.
  const [read, setRead] = useState<Meant>();
  const isRead = meant !== undefined && read === meant;
  const drafts = stack?.questions.filter((question) => question.row.hasDraft && question.row.id !== row.id) ?? [];
  const out = stack && choice?.of === stack ? choice.out : new Set(drafts.map((question) => question.row.id));
  const ticked = stack?.questions.filter((question) => !out.has(question.row.id)) ?? [];

  const close = () => {
    clear();
    onClose();
  };
  const onTick = (ids: readonly RequestId[], isTicked: boolean) => {
    if (!stack) return;
    const others = [...out].filter((id) => !ids.includes(id));
    setChoice({ of: stack, out: new Set(isTicked ? others : [...others, ...ids]) });
  };
  const send = async () => {
    if (!meant || busy || ticked.length === 0) return;
    const { action, content, schema } = meant;
    if (ticked.some((question) => question.row.id === row.id)) elsewhere.say(row.id);
    const reply = await run({
      type: "answer_together",
      requests: ticked.map((question) => ({ request: question.row.id, asks: question.asks })),
      ...(schema !== undefined && { schema }),
      action,
      ...(content !== undefined && { content }),
      holdMs: hold,
      ...remarks.with(row.id),
    });
    if (!reply) return;
    const own = reply.outcomes.find(({ request }) => request === row.id);
    if (own?.failure) elsewhere.refused(row.id, new DeskError(own.failure));
    onClose();
    onGiven({ action, hold, outcomes: reply.outcomes });
  };

  const shownError = error ?? unseen;
  return (
    <Dialog
      open={meant !== undefined}
      onClose={close}
      wide
      title={words.title[meant?.action ?? "accept"]}
      actions={
        <>
          {stack && (
            <HoldButton
              look="primary"
              hold={!isRead}
              disabled={busy || ticked.length === 0}
              onDone={() => void send()}
              words={{ idle: (isRead ? words.press : words.hold)(ticked.length), holding: words.holding, ripe: words.release }}
            />
          )}
          <Button look="quiet" onClick={close}>
            {meant?.action === "decline" ? words.notNow : t.inbox.keepEditing}
          </Button>
        </>
      }
    >
      {stack === null && <p>{words.gone}</p>}
      {stack === undefined && !shownError && <LoadingState />}
      {stack && meant && (
        <>
          <p>
            <strong className={css.strong}>
              <ServerWord text={row.serverName} />
            </strong>{" "}
            {words.to(ticked.length)}
          </p>
          <JsonBlock json={meant.sends} label={t.inbox.content} />
          {stack.columns.length === 0 && <p>{words.same}</p>}
          <StackTable stack={stack} out={out} onTick={onTick} />
          {drafts.length > 0 && <p>{words.draftMeans}</p>}
          {stack.more > 0 && <p>{words.more(stack.more)}</p>}
          <Remark request={row.id} />
          <p>{hold > 0 ? t.inbox.reviewUndo(secondsLeft(hold)) : t.inbox.reviewNoUndo}</p>
          <label className={css.agree}>
            <input type="checkbox" checked={isRead} onChange={(event) => setRead(event.target.checked ? meant : undefined)} />
            {words.read}
          </label>
          <p>{words.holdMeans}</p>
        </>
      )}
      {shownError && <ErrorNote error={shownError} />}
    </Dialog>
  );
}
