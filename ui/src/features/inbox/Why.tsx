import { useState } from "react";

import { useAction } from "../../actions/registry";
import { ArgumentRows } from "../../components/ArgumentRows";
import { Button } from "../../components/Button";
import { Dialog } from "../../components/Dialog";
import { ActionKbd } from "../../components/Kbd";
import { Section } from "../../components/Section";
import { ServerWord } from "../../components/ServerText";
import { ErrorState, LoadingState } from "../../components/States";
import { ClockTime } from "../../components/Time";
import { useView, useViews } from "../../store/useView";
import { ACTION, t } from "../../strings";
import type { CallId, RequestDetail, RequestRow } from "../../types";
import { Timeline } from "../tasks/Timeline";
import css from "./inbox.module.css";
import { useBy } from "./useBy";

/** Among so many of a server's answers is looked for earlier ones. */
const AMONG = 200;
/** So many are shown, each of which is a look that waits at the desk. */
const SHOWN = 5;

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
        <ActionKbd action="request.why" />
      </span>
      <Dialog open={open} onClose={close} title={t.actions["request.why"]} actions={<Button onClick={close}>{t.app.close}</Button>}>
        <Earlier row={detail.row} />
        {detail.row.call === undefined ? <p>{t.inbox.why.noTask}</p> : <History call={detail.row.call} />}
      </Dialog>
    </>
  );
}

/** What happened to the task that asks. */
function History({ call }: { call: CallId }) {
  const { data, error, retry } = useView({ type: "task", call });
  if (data) return <Timeline events={data.timeline} outcome={data.row.outcome} said={undefined} />;
  if (data === null) return <p>{t.inbox.why.taskGone}</p>;
  return error ? <ErrorState error={error} onRetry={retry} /> : <LoadingState />;
}

/** What was said to the same question of the same tool before, as far as it is kept. */
function Earlier({ row }: { row: RequestRow }) {
  const { data, error, retry } = useView({ type: "inbox", tab: "answered", filter: "", within: `server:${row.server}`, offset: 0, limit: AMONG });
  const alike = data?.rows.filter((other) => mayBeSame(other, row)).slice(0, SHOWN) ?? [];
  const views = useViews(alike.map(({ id }) => ({ type: "request", request: id }) as const));
  // A row is cut: only the whole message tells.
  const same = views.map((view) => view.data).filter((other): other is RequestDetail => other?.row.message === row.message);
  const isHere = data !== undefined && views.every((view) => view.data !== undefined);
  return (
    <Section title={t.inbox.why.earlier}>
      {error && data === undefined && <ErrorState error={error} onRetry={retry} />}
      {!error && !isHere && <LoadingState />}
      {same.map((detail) => (
        <Given key={detail.row.id} detail={detail} />
      ))}
      {isHere && same.length === 0 && <p className={css.quiet}>{t.inbox.why.none(data.rows.length)}</p>}
    </Section>
  );
}

function mayBeSame(other: RequestRow, { id, tool, method, message }: RequestRow): boolean {
  const start = other.message.endsWith("…") ? other.message.slice(0, -1) : other.message;
  return other.id !== id && other.answer !== undefined && other.tool === tool && other.method === method && message.startsWith(start);
}

function Given({ detail: { row } }: { detail: RequestDetail }) {
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
      {answer.content !== undefined && <ArgumentRows json={answer.content} />}
    </div>
  );
}
