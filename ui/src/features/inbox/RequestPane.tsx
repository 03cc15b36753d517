import type { RefObject } from "react";

import { PaneBar, PaneBody, PaneFoot, Spring } from "../../app/Panes";
import { Button } from "../../components/Button";
import { Kbd } from "../../components/Kbd";
import { EmptyState, ErrorState, LoadingState } from "../../components/States";
import type { FormHandle } from "../../forms";
import { useView } from "../../store/useView";
import { t } from "../../strings";
import type { Overview, RequestDetail, RequestId } from "../../types";
import { FormAnswer } from "./FormAnswer";
import { useDropDraft } from "./drafts";
import { HeldAnswer } from "./HeldAnswer";
import css from "./inbox.module.css";
import { QuestionHead, Raw } from "./QuestionHead";
import { Receipt } from "./Receipt";
import { Unsupported } from "./Unsupported";
import { UrlAnswer } from "./UrlAnswer";
import { isAnswerable, isSupported } from "./words";

interface Props {
  id: RequestId | null;
  /** Where it stands in the list. */
  position: { n: number; of: number } | undefined;
  overview: Overview | undefined;
  /** Goes to the next open question; undefined when there is none. */
  next: (() => void) | undefined;
  form: RefObject<FormHandle | null>;
}

/** The question in hand. */
export function RequestPane({ id, position, next, ...rest }: Props) {
  return (
    <>
      <PaneBar>
        {position && t.inbox.position(position.n, position.of)}
        <Spring />
        <span className={css.keys} aria-hidden="true">
          <Kbd keys="j" /> <Kbd keys="k" /> {t.inbox.move} <Kbd keys="n" /> {t.inbox.next} <Kbd keys="?" />
        </span>
      </PaneBar>
      {id === null ? (
        <PaneBody>
          <EmptyState title={t.inbox.noneChosen} hint={t.inbox.pick} />
        </PaneBody>
      ) : (
        <Followed key={id} id={id} next={next} {...rest} />
      )}
    </>
  );
}

type FollowedProps = Omit<Props, "id" | "position"> & { id: RequestId };

function Followed({ id, ...rest }: FollowedProps) {
  const view = useView({ type: "request", request: id });
  if (view.data) return <Question detail={view.data} {...rest} />;
  return (
    <PaneBody>
      {view.data === null ? (
        <EmptyState title={t.inbox.gone} hint={t.inbox.goneHint} />
      ) : view.error ? (
        <ErrorState error={view.error} onRetry={view.retry} />
      ) : (
        <LoadingState />
      )}
    </PaneBody>
  );
}

function Question({ detail, overview, next, form }: Omit<FollowedProps, "id"> & { detail: RequestDetail }) {
  const { row } = detail;
  useDropDraft(row);
  const head = <QuestionHead detail={detail} />;
  const server = overview?.servers.find((other) => other.id === row.server);
  const hold = overview?.settings.undoMs ?? 0;

  if (row.state === "held" || row.state === "sending") return <HeldAnswer head={head} row={row} next={next} />;
  if (isAnswerable(row)) {
    if (!isSupported(detail)) return <Unsupported head={head} detail={detail} />;
    const props = { detail, head, hold, unreachable: server?.health.state === "unreachable" };
    return row.mode === "url" ? <UrlAnswer {...props} /> : <FormAnswer {...props} form={form} />;
  }
  if (row.state === "orphaned") return <Unsupported head={head} detail={detail} />;
  return (
    <>
      <PaneBody label={t.inbox.question}>
        {head}
        <Receipt row={row} />
        <Raw detail={detail} />
      </PaneBody>
      <NextFoot next={next} />
    </>
  );
}

/** The way on, for when a question is done with. It is only ever gone by a person's act. */
export function NextFoot({ next }: { next: (() => void) | undefined }) {
  return (
    <PaneFoot>
      {next ? (
        <Button look="primary" keys="n" onClick={next}>
          {t.inbox.nextQuestion}
        </Button>
      ) : (
        <span className={css.quiet}>{t.inbox.nothingNext}</span>
      )}
    </PaneFoot>
  );
}
