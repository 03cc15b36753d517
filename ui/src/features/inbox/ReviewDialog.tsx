import { Fragment, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";

import { Button, KeyHint } from "../../components/Button";
import { Dialog } from "../../components/Dialog";
import { isNowhere } from "../../components/focus";
import { JsonBlock } from "../../components/JsonBlock";
import { ServerWord } from "../../components/ServerText";
import { ErrorNote } from "../../components/States";
import { secondsLeft } from "../../format/time";
import { t } from "../../strings";
import { Hint } from "../first/Hint";
import css from "./inbox.module.css";
import { Remark } from "./Remark";
import type { Beside } from "./stage";
import type { Answering, Reviewed } from "./useAnswering";
import type { Caution } from "./useCaution";
import { responseTo, titleOf } from "./words";

interface Props {
  answering: Answering;
  server: string;
  /** The undo window in ms. */
  hold: number;
  /** What the rest of the round has to say: it keeps these answers back, or goes out with them. */
  beside: Beside;
  /** Whether each answer needs the title of its question above it. */
  titled: boolean;
  /** Why a yes takes a press of its own, as one with secrets does. */
  caution: Caution | undefined;
}

const SEND = "Enter";

/** The very text that goes out, before it does. Enter sends. */
export function ReviewDialog({ answering, server, hold, beside, titled, caution }: Props) {
  const { review, error } = answering;
  const busy = review?.some(({ request }) => answering.isBusy(request)) ?? false;
  const open = review !== undefined;
  const count = review?.length ?? 0;
  const send = useRef<HTMLButtonElement>(null);
  const agree = useRef<HTMLInputElement>(null);
  // What changed since is agreed to anew, and so is more to be careful of.
  const [agreed, setAgreed] = useState<{ to: readonly Reviewed[] | undefined; caution: Caution | undefined }>();
  const secrets = [...new Set(review?.flatMap((answer) => answer.secrets))];
  const careful = caution !== undefined || secrets.length > 0;
  const isAgreed = !careful || (review !== undefined && agreed?.to === review && (caution === undefined || agreed.caution === caution));
  const sendIt = () => void answering.send();
  const onEnter = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== SEND || event.isComposing) return;
    const button = event.target instanceof Element && event.target.closest("button") !== null;
    const chord = event.ctrlKey || event.metaKey;
    if (button && !chord && !event.repeat) return;
    event.preventDefault();
    event.stopPropagation();
    // The key that opened the review may still be held: only a new press sends.
    if (event.repeat || busy) return;
    if (isAgreed) sendIt();
    else agree.current?.focus();
  });
  useEffect(() => {
    if (!open) return;
    const listener = (event: KeyboardEvent) => onEnter(event);
    window.addEventListener("keydown", listener, true);
    return () => window.removeEventListener("keydown", listener, true);
  }, [open]);

  // What the tool says may come meanwhile: the tick goes, or what sends waits for one.
  const follow = useEffectEvent(() => {
    if (open && (isNowhere() || document.activeElement === send.current)) (careful ? agree : send).current?.focus();
  });
  useLayoutEffect(() => follow(), [careful, caution]);

  // Enter presses another button, and before it is agreed to it goes to the tick.
  const sends = (focused: Element | null) => isAgreed && (focused?.closest("button") ?? send.current) === send.current;

  const kept = beside.open > 0;
  return (
    <Dialog
      open={open}
      onClose={answering.closeReview}
      title={kept ? t.inbox.keepTitle(count) : t.inbox.reviewTitle(count)}
      initialFocus={careful ? agree : send}
      actions={
        <>
          <Button ref={send} look={caution === "destroys" ? "danger" : "primary"} disabled={busy || !isAgreed} onClick={sendIt}>
            {kept ? t.inbox.keepIt : t.inbox.send}
            <KeyHint keys={SEND} works={sends} />
          </Button>
          <Button look="quiet" onClick={answering.closeReview}>
            {t.inbox.keepEditing}
          </Button>
        </>
      }
    >
      <p>
        <strong className={css.strong}>
          <ServerWord text={server} />
        </strong>{" "}
        {kept ? t.inbox.keepTo : t.inbox.reviewTo}
      </p>
      {review?.map(({ request, title, sends }) => (
        <div key={request}>
          {titled && (
            <p>
              <ServerWord text={title} />
            </p>
          )}
          <JsonBlock json={sends} label={t.inbox.content} />
          <Remark request={request} />
        </div>
      ))}
      {!kept && <Kept beside={beside} />}
      <p>{kept ? t.inbox.keepUndo : hold > 0 ? t.inbox.reviewUndo(secondsLeft(hold)) : t.inbox.reviewNoUndo}</p>
      {careful && (
        <div className={`${css.again} ${css.together}`}>
          {caution && <p>{t.inbox.caution[caution]}</p>}
          {secrets.length > 0 && <Secrets server={server} labels={secrets} />}
          <label className={css.agree}>
            <input ref={agree} type="checkbox" checked={isAgreed} onChange={(event) => setAgreed(event.target.checked ? { to: review, caution } : undefined)} />
            {secrets.length > 0 ? t.inbox.secret.agree(secrets.length) : t.inbox.caution.agree}
          </label>
        </div>
      )}
      <Hint step="review" server={server} />
      {error && <ErrorNote error={error} />}
    </Dialog>
  );
}

/** That there are secrets in it, whose, and for whom. */
function Secrets({ server, labels }: { server: string; labels: readonly string[] }) {
  const words = t.inbox.secret;
  return (
    <p>
      <strong>
        <ServerWord text={server} /> {words.gets(labels.length)}{" "}
        {labels.map((label, index) => (
          <Fragment key={label}>
            {index > 0 && ", "}
            <ServerWord text={label} />
          </Fragment>
        ))}
        .
      </strong>{" "}
      {words.means}
    </p>
  );
}

/** What was decided before and waits to go: it goes out in the same request. */
function Kept({ beside: { kept, unseen } }: { beside: Beside }) {
  const words = t.inbox.together;
  if (kept.length + unseen === 0) return null;
  return (
    <section className={css.together} aria-label={words.with}>
      <p>{words.with}</p>
      {kept.map((row) => {
        const sends = responseTo(row);
        return (
          <div key={row.id}>
            <p>
              <ServerWord text={titleOf(row).title} /> <span className={css.quiet}>{words.mark}</span>
            </p>
            {sends !== undefined && <JsonBlock json={sends} label={t.inbox.content} />}
          </div>
        );
      })}
      {unseen > 0 && <p>{words.unseen(unseen)}</p>}
    </section>
  );
}
