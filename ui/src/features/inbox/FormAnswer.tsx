import { useState, type ReactNode, type RefObject } from "react";

import { PaneBody, PaneFoot, Spring } from "../../app/Panes";
import { ActionButton } from "../../components/Button";
import { ErrorNote } from "../../components/States";
import { check, contentOf, FormEditor, stillWrong, type FormDraft, type FormHandle } from "../../forms";
import { useAct } from "../../store/call";
import { t } from "../../strings";
import type { FieldError, FormSpec, Json, RequestDetail } from "../../types";
import { AnswerAgain, Unreachable } from "./AnswerAgain";
import { useDraft } from "./drafts";
import { DraftNote } from "./DraftNote";
import css from "./inbox.module.css";
import { Raw } from "./QuestionHead";
import { ReviewDialog } from "./ReviewDialog";

/** What every way of answering gets. */
export interface AnswerProps {
  detail: RequestDetail;
  head: ReactNode;
  /** The undo window in ms. */
  hold: number;
  /** Whether the server cannot be reached now. */
  unreachable: boolean;
}

const NO_SCHEMA: FormSpec = { fields: [], notes: [] };

/** A form to answer with. Nothing is sent before the person has seen the very content and said so. */
export function FormAnswer({ detail, head, hold, unreachable, form }: AnswerProps & { form: RefObject<FormHandle | null> }) {
  const { row } = detail;
  const request = row.id;
  const spec = detail.form ?? NO_SCHEMA;
  const { draft, edit, save, restored } = useDraft(detail, spec);
  const { run, busy, error, clear } = useAct();
  const [errors, setErrors] = useState<readonly FieldError[]>([]);
  const [review, setReview] = useState<Json>();
  const [done, setDone] = useState(false);
  const idle = !busy && !done;

  const change = (next: FormDraft) => {
    setErrors(stillWrong(errors, draft, next));
    clear();
    edit(next);
  };
  const show = (found: readonly FieldError[]) => {
    setErrors(found);
    form.current?.focusError(found);
  };
  const submit = async () => {
    const checked = await check(spec, draft, async (content) => (await run({ type: "validate", request, content }))?.errors);
    if (!checked) return;
    show(checked.errors);
    if (checked.errors.length === 0) setReview(checked.content);
  };
  const answer = async (action: "accept" | "decline" | "cancel", content?: Json) => {
    const reply = await run({ type: "answer", request, action, ...(content !== undefined && { content }), holdMs: hold });
    if (reply) setDone(true);
  };

  return (
    <>
      <PaneBody label={t.inbox.question}>
        {head}
        <AnswerAgain row={row} />
        <FormEditor ref={form} spec={spec} draft={draft} onChange={change} errors={errors} disabled={done} />
        <Raw detail={detail} />
      </PaneBody>
      {(unreachable || (error && review === undefined)) && (
        <div className={css.notes}>
          {unreachable && <Unreachable name={row.serverName} />}
          {error && review === undefined && <ErrorNote error={error} />}
        </div>
      )}
      <PaneFoot>
        <ActionButton look="primary" action="request.submit" title={t.inbox.acceptMeans} disabled={!idle || review !== undefined} onRun={() => void submit()}>
          {t.inbox.review}
        </ActionButton>
        <ActionButton action="request.decline" title={t.inbox.declineMeans} disabled={!idle} onRun={() => void answer("decline")} />
        <ActionButton action="request.cancel" title={t.inbox.cancelMeans} disabled={!idle} onRun={() => void answer("cancel")} />
        <Spring />
        <DraftNote save={save} restored={restored} />
      </PaneFoot>
      <ReviewDialog
        content={review}
        server={row.serverName}
        hold={hold}
        busy={!idle}
        error={error}
        onClose={() => {
          setReview(undefined);
          clear();
        }}
        onSend={() => {
          // What was reviewed is what is sent: a draft that changed meanwhile is reviewed again.
          const now = contentOf(spec, draft);
          if (review !== undefined && now.errors.length === 0 && now.content === review) void answer("accept", review);
          else setReview(undefined);
        }}
      />
    </>
  );
}
