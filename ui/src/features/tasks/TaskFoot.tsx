import { useState } from "react";

import { openStart, select } from "../../app/nav";
import { PaneFoot, Spring } from "../../app/Panes";
import { ActionButton, Button } from "../../components/Button";
import { Dialog } from "../../components/Dialog";
import { ErrorNote } from "../../components/States";
import { useAct } from "../../store/call";
import { t } from "../../strings";
import type { TaskDetail } from "../../types";
import css from "./TaskDetail.module.css";

/** What can be done with a task. */
export function TaskFoot({ task }: { task: TaskDetail }) {
  const { row } = task;
  const cancelling = useAct();
  const [asking, setAsking] = useState(false);
  const live = row.outcome === undefined;
  return (
    <>
      {cancelling.error && (
        <div className={css.footNote}>
          <ErrorNote error={cancelling.error} />
        </div>
      )}
      <PaneFoot>
        {live && (
          <ActionButton
            action="task.cancel"
            disabled={row.cancel !== undefined || cancelling.busy}
            onRun={() => void cancelling.run({ type: "cancel", call: row.id })}
          >
            {row.cancel ? t.tasks.cancelRequested : undefined}
          </ActionButton>
        )}
        <ActionButton
          action="task.again"
          disabled={row.tool === ""}
          onRun={() => openStart({ server: row.server, tool: row.tool, arguments: task.arguments ?? null })}
        />
        <Spring />
        <ActionButton action="task.forget" look="quiet" onRun={() => setAsking(true)} />
      </PaneFoot>
      <ForgetDialog task={task} open={asking} onClose={() => setAsking(false)} />
    </>
  );
}

interface ForgetProps {
  task: TaskDetail;
  open: boolean;
  onClose: () => void;
}

function ForgetDialog({ task: { row }, open, onClose }: ForgetProps) {
  const act = useAct();
  const forget = async () => {
    if (await act.run({ type: "forget", call: row.id })) {
      onClose();
      select({ task: null });
    }
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t.tasks.forgetTitle}
      actions={
        <>
          <Button look="danger" disabled={act.busy} onClick={() => void forget()}>
            {t.tasks.forget}
          </Button>
          <Button onClick={onClose}>{t.tasks.keep}</Button>
        </>
      }
    >
      <p>{row.outcome === undefined ? t.tasks.forgetLive : t.tasks.forgetEnded}</p>
      {act.error && <ErrorNote error={act.error} />}
    </Dialog>
  );
}
