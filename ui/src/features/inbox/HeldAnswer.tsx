import type { ReactNode } from "react";

import { PaneBody, PaneFoot, Spring } from "../../app/Panes";
import { ActionButton, Button } from "../../components/Button";
import { ErrorNote } from "../../components/States";
import { useAct } from "../../store/call";
import { t } from "../../strings";
import type { RequestRow } from "../../types";
import css from "./inbox.module.css";
import { Receipt } from "./Receipt";
import { useSecondsLeft } from "./time";

/** An answer that is decided and not yet acknowledged. While it is held it can be taken back. */
export function HeldAnswer({ head, row, next }: { head: ReactNode; row: RequestRow; next: (() => void) | undefined }) {
  const { run, busy, error } = useAct();
  const held = row.state === "held";
  const seconds = useSecondsLeft(held ? row.answer?.sendAt : undefined);
  return (
    <>
      <PaneBody label={t.inbox.question}>
        {head}
        {!held && <p className={css.quiet}>{t.inbox.held.sending}</p>}
        <Receipt row={row} />
      </PaneBody>
      {error && (
        <div className={css.notes}>
          <ErrorNote error={error} />
        </div>
      )}
      <PaneFoot>
        {held && (
          <ActionButton look="primary" action="request.undo" disabled={busy} onRun={() => void run({ type: "undo", request: row.id })} />
        )}
        {/* Said once, not every second: the counting stands outside of it. */}
        <span role="status" className={held ? "unseen" : undefined}>
          {held ? t.inbox.held.title : t.inbox.held.now}
        </span>
        {held && <span>{seconds > 0 ? t.inbox.held.in(seconds) : t.inbox.held.now}</span>}
        <Spring />
        {next && (
          <Button look="quiet" keys="n" onClick={next}>
            {t.inbox.nextQuestion}
          </Button>
        )}
      </PaneFoot>
    </>
  );
}
