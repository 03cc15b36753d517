import { useState } from "react";

import { Button } from "../../components/Button";
import { Dialog } from "../../components/Dialog";
import { ErrorNote } from "../../components/States";
import { ClockTime } from "../../components/Time";
import { PaneFoot, Spring } from "../../places/Panes";
import { useAct } from "../../store/call";
import { useView } from "../../store/useView";
import { t } from "../../strings";
import type { CallId } from "../../types";
import { agreesAgain } from "./AskedAgain";
import { isIdle, NextFoot, Refusals, type FootProps } from "./Foot";
import css from "./inbox.module.css";
import { once, OpenPage } from "./OpenPage";
import { Sentence } from "./Sentence";

/** A page that the server waits for: opening it is the consent. */
export function PageFoot({ detail, answering, page, caution }: FootProps) {
  const { row, round } = detail;
  const [agreed, setAgreed] = useState(false);
  const agree = agreesAgain(detail) ?? (caution ? t.inbox.caution.agreePage : undefined);
  const idle = isIdle(answering, row.id) && !page.busy && (agreed || agree === undefined);
  const accept = () => void answering.say(row.id, "accept", 0);
  const { visited } = page;
  return (
    <PaneFoot>
      {agree !== undefined && (
        <label className={css.agree}>
          <input type="checkbox" checked={agreed} onChange={(event) => setAgreed(event.target.checked)} />
          {agree}
        </label>
      )}
      {visited && (
        <Button
          look="primary"
          title={round?.paged ? t.inbox.url.finishedPaged : t.inbox.url.finishedTell}
          disabled={!idle}
          onClick={accept}
          onKeyDown={once}
        >
          {t.inbox.url.finished}
        </Button>
      )}
      <OpenPage detail={detail} look={visited ? "plain" : "primary"} disabled={!idle} page={page} />
      <Refusals detail={detail} answering={answering} />
      {visited && round?.paged && row.call !== undefined && <CancelCall call={row.call} means={t.inbox.url.giveUp} />}
      <Spring />
      {!visited && (
        <Button look="quiet" title={round?.paged ? t.inbox.url.finishedPaged : t.inbox.url.elsewhereMeans} disabled={!idle} onClick={accept} onKeyDown={once}>
          {round?.paged ? t.inbox.url.elsewherePaged : t.inbox.url.elsewhere}
        </Button>
      )}
    </PaneFoot>
  );
}

/** After the consent: look how the task stands, open the page once more, or give the task up. */
export function VisitedFoot({ detail, page, next, call }: FootProps & { call: CallId }) {
  const { data } = useView({ type: "task", call });
  const looking = useAct();
  const [lookedAt, setLookedAt] = useState<string>();
  if (!data || data.row.outcome !== undefined) return <NextFoot next={next} />;
  const look = async () => {
    if (await looking.run({ type: "refresh", call })) setLookedAt(new Date().toISOString());
  };
  return (
    <>
      {(looking.error || lookedAt !== undefined) && (
        <div className={css.notes}>
          {looking.error ? (
            <ErrorNote error={looking.error} />
          ) : (
            lookedAt !== undefined && (
              <p role="status">
                <Sentence text={t.inbox.url.looked} part={<ClockTime at={lookedAt} seconds />} />
              </p>
            )
          )}
        </div>
      )}
      <NextFoot next={next}>
        <Button look="primary" title={t.inbox.url.finishedLooks} disabled={looking.busy} onClick={() => void look()}>
          {t.inbox.url.finished}
        </Button>
        <OpenPage detail={detail} look="plain" disabled={page.busy} page={page} />
        <CancelCall call={call} means={data.row.hasTask ? t.inbox.url.cancelTask : t.inbox.url.cancelCall} requested={data.row.cancel !== undefined} />
        <Spring />
      </NextFoot>
    </>
  );
}

/** What cancelling means: another thing for a task, for a call that was sent, and for one that the server has answered. */
type Means = typeof t.inbox.url.cancelTask;

function CancelCall({ call, means, requested = false }: { call: CallId; means: Means; requested?: boolean }) {
  const [asking, setAsking] = useState(false);
  const act = useAct();
  const cancel = async () => {
    // As on a task: it saw no wish.
    if (await act.hand({ type: "cancel", call })) setAsking(false);
  };
  return (
    <>
      <Button disabled={requested} onClick={() => setAsking(true)}>
        {requested ? t.tasks.cancelRequested : `${means.act}…`}
      </Button>
      <Dialog
        open={asking}
        onClose={() => setAsking(false)}
        title={`${means.act}?`}
        actions={
          <>
            <Button look="danger" disabled={act.busy} onClick={() => void cancel()}>
              {means.act}
            </Button>
            <Button onClick={() => setAsking(false)}>{t.inbox.url.goOn}</Button>
          </>
        }
      >
        <p>{means.words}</p>
        <p>{t.inbox.url.notUndone}</p>
        {act.error && <ErrorNote error={act.error} />}
      </Dialog>
    </>
  );
}
