import { useState } from "react";

import { useAction } from "../../actions/registry";
import { ArgumentRows } from "../../components/ArgumentRows";
import { ActionHint, Button } from "../../components/Button";
import { Dialog } from "../../components/Dialog";
import { Section } from "../../components/Section";
import { ServerWord } from "../../components/ServerText";
import { ErrorState, LoadingState } from "../../components/States";
import { ClockTime } from "../../components/Time";
import { useReply } from "../../store/useReply";
import { useView } from "../../store/useView";
import { ACTION, t } from "../../strings";
import type { CallId, RequestDetail, RequestId, RequestRow } from "../../types";
import { Timeline } from "../tasks/Timeline";
import css from "./inbox.module.css";
import { useBy } from "./useBy";
import { shownContent } from "./words";

/** The way to what led to a question: one key, or a press. */
export function Why({ detail }: { detail: RequestDetail }) {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  useAction("request.why", () => setOpen(true));
  return (
    <>
      <button type="button" className={css.link} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {t.actions["request.why"]}
      </button>{" "}
      <span aria-hidden="true">
        <ActionHint action="request.why" />
      </span>
      <Dialog open={open} onClose={close} title={t.actions["request.why"]} actions={<Button onClick={close}>{t.app.close}</Button>}>
        <Earlier request={detail.row.id} />
        {detail.row.call === undefined ? <p>{t.inbox.why.noTask}</p> : <History call={detail.row.call} />}
      </Dialog>
    </>
  );
}

/** What happened to the task that asks. */
function History({ call }: { call: CallId }) {
  const { data, error, retry } = useView({ type: "task", call });
  if (data) return <Timeline task={data} />;
  if (data === null) return <p>{t.inbox.why.taskGone}</p>;
  return error ? <ErrorState error={error} onRetry={retry} /> : <LoadingState />;
}

/** What was said to the same question of the same tool before, as far as it is kept. */
function Earlier({ request }: { request: RequestId }) {
  const { reply, error, reload } = useReply({ type: "earlier_answers", request });
  return (
    <Section title={t.inbox.why.earlier}>
      {error && <ErrorState error={error} onRetry={reload} />}
      {!error && !reply && <LoadingState />}
      {reply?.answers.map((row) => (
        <Given key={row.id} row={row} />
      ))}
      {reply?.answers.length === 0 && <p className={css.quiet}>{t.inbox.why.none}</p>}
    </Section>
  );
}

function Given({ row }: { row: RequestRow }) {
  const by = useBy(row);
  const { answer } = row;
  if (!answer) return null;
  return (
    <div className={css.earlier}>
      <p>
        <strong>{by(ACTION[answer.action])}</strong> <ClockTime at={answer.decidedAt} />
        {row.summary !== "" && (
          <>
            {" · "}
            <ServerWord text={row.summary} />
          </>
        )}
      </p>
      {answer.content !== undefined && <ArgumentRows json={shownContent(answer)} />}
    </div>
  );
}
