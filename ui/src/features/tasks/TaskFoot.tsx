import { useContext, useState } from "react";

import { ActionButton } from "../../components/Button";
import { ErrorNote } from "../../components/States";
import { openStart } from "../../places/nav";
import { PaneFoot, Spring } from "../../places/Panes";
import { useAct } from "../../store/call";
import { t } from "../../strings";
import type { TaskDetail } from "../../types";
import { Picking } from "./picking";
import { CancelDialog, ForgetDialog } from "./TaskDialogs";
import css from "./TaskDetail.module.css";

/** What can be done with a task. */
export function TaskFoot({ task }: { task: TaskDetail }) {
  const { row } = task;
  const act = useAct();
  const picking = useContext(Picking);
  const [asking, setAsking] = useState<"cancel" | "forget">();
  const close = () => setAsking(undefined);
  const live = row.outcome === undefined;
  const startAgain = async () => {
    let json = task.arguments;
    if (json === undefined && task.payloads.some(({ kind }) => kind === "arguments")) {
      // Large ones come on demand. Without them it would not be the same call.
      const reply = await act.run({ type: "payload", call: row.id, kind: "arguments" });
      if (!reply) return;
      json = reply.json;
    }
    openStart({ server: row.server, tool: row.tool, arguments: json ?? null });
  };
  return (
    <>
      {act.error && (
        <div className={css.footNote}>
          <ErrorNote error={act.error} />
        </div>
      )}
      <PaneFoot>
        {live && (
          <ActionButton
            action="task.cancel"
            keyless={picking}
            disabled={row.cancel !== undefined || act.busy}
            onRun={() => setAsking("cancel")}
          >
            {row.cancel ? t.tasks.cancelRequested : undefined}
          </ActionButton>
        )}
        <ActionButton
          action="task.again"
          disabled={row.tool === ""}
          onRun={() => void startAgain()}
        />
        <Spring />
        <ActionButton action="task.forget" look="quiet" keyless={picking} onRun={() => setAsking("forget")} />
      </PaneFoot>
      <CancelDialog
        task={task}
        // A task that ended meanwhile, or is being cancelled, leaves nothing to ask.
        open={asking === "cancel" && live && row.cancel === undefined}
        onClose={close}
        onCancel={() => {
          close();
          // No wish was there to see: where somebody was first meanwhile, this one is refused.
          void act.run({ type: "cancel", call: row.id });
        }}
      />
      <ForgetDialog row={row} open={asking === "forget"} onClose={close} />
    </>
  );
}
