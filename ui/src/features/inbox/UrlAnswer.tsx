import { useState } from "react";

import { PaneBody, PaneFoot } from "../../app/Panes";
import { ActionButton, Button } from "../../components/Button";
import { CopyButton } from "../../components/CopyButton";
import { ErrorNote } from "../../components/States";
import { visible } from "../../format/text";
import { useHost } from "../../host/context";
import { DeskError } from "../../host/error";
import { useAct } from "../../store/call";
import { t, URL_WARNING } from "../../strings";
import type { Action, UrlView } from "../../types";
import { AnswerAgain, Unreachable } from "./AnswerAgain";
import type { AnswerProps } from "./FormAnswer";
import css from "./inbox.module.css";
import { Raw } from "./QuestionHead";

/** A question that is answered on a page elsewhere. Only a person's press opens it, and only a person says how it went. */
export function UrlAnswer({ detail, head, hold, unreachable }: AnswerProps) {
  const { row, url } = detail;
  const { run, busy, error } = useAct();
  const [done, setDone] = useState(false);
  const answer = async (action: Action) => {
    if (await run({ type: "answer", request: row.id, action, holdMs: hold })) setDone(true);
  };
  const props = { disabled: busy || done };
  return (
    <>
      <PaneBody label={t.inbox.question}>
        {head}
        <AnswerAgain row={row} />
        {url ? <Page url={url} /> : <p className={css.again}>{t.inbox.url.unreadable}</p>}
        <p className={css.quiet}>{t.inbox.url.means}</p>
        {unreachable && <Unreachable name={row.serverName} />}
        <Raw detail={detail} />
      </PaneBody>
      {error && (
        <div className={css.notes}>
          <ErrorNote error={error} />
        </div>
      )}
      <PaneFoot>
        <ActionButton {...props} action="request.submit" onRun={() => void answer("accept")}>
          {t.inbox.accept}
        </ActionButton>
        <ActionButton {...props} action="request.decline" title={t.inbox.declineMeans} onRun={() => void answer("decline")} />
        <ActionButton {...props} action="request.cancel" title={t.inbox.cancelMeans} onRun={() => void answer("cancel")} />
      </PaneFoot>
    </>
  );
}

function Page({ url }: { url: UrlView }) {
  const host = useHost();
  const [opened, setOpened] = useState(false);
  const [error, setError] = useState<DeskError>();
  const open = () => {
    setError(undefined);
    host.openUrl(url.full).then(
      () => setOpened(true),
      (thrown: unknown) => setError(DeskError.from(thrown)),
    );
  };
  return (
    <section className={css.page} aria-label={t.inbox.url.title}>
      <div className={css.quoteHead}>{t.inbox.url.title}</div>
      <div className={css.url}>
        <bdi dir="ltr" translate="no">
          {visible(url.before)}
          <strong className={css.host}>{visible(url.host)}</strong>
          {visible(url.after)}
        </bdi>
      </div>
      {url.warnings.length > 0 && (
        <ul className={css.warnings}>
          {url.warnings.map((warning) => (
            <li key={warning}>{URL_WARNING[warning]}</li>
          ))}
        </ul>
      )}
      <div className={css.pageTools}>
        <Button look="primary" disabled={url.warnings.includes("malformed")} onClick={open}>
          {t.inbox.url.open}
        </Button>
        <CopyButton text={url.full} />
      </div>
      <p className={css.quiet} role="status">
        {opened ? t.inbox.url.opened : t.inbox.url.never}
      </p>
      {error && <ErrorNote error={error} />}
    </section>
  );
}
