import { Button } from "../../components/Button";
import { Dialog } from "../../components/Dialog";
import { ErrorNote } from "../../components/States";
import { oneLine } from "../../format/text";
import { select } from "../../places/nav";
import { useAct } from "../../store/call";
import { t } from "../../strings";
import type { TaskDetail, TaskRow } from "../../types";
import { WhichTask } from "./WhichTask";

interface Props {
  row: TaskRow;
  open: boolean;
  onClose: () => void;
}

interface CancelProps extends Omit<Props, "row"> {
  task: TaskDetail;
  onCancel: () => void;
}

/** Asks before a task is cancelled. Enter keeps it: a key too many must not end somebody's work. */
export function CancelDialog({ task: { row, delivery }, open, onClose, onCancel }: CancelProps) {
  const means = delivery === "answered" ? t.tasks.cancelAnswered : t.tasks.cancelCall;
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t.tasks.cancelTitle}
      actions={
        <>
          <Button look="danger" onClick={onCancel}>
            {t.tasks.cancel}
          </Button>
          <Button onClick={onClose}>
            {t.tasks.letRun}
          </Button>
        </>
      }
    >
      <WhichTask row={row} />
      <p>{row.hasTask ? t.tasks.cancelTask(oneLine(row.serverName)) : means}</p>
    </Dialog>
  );
}

/** Asks before all that is kept of a task is deleted. */
export function ForgetDialog({ row, open, onClose }: Props) {
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
          <Button onClick={onClose}>
            {t.tasks.keep}
          </Button>
        </>
      }
    >
      <WhichTask row={row} />
      <p>{row.outcome === undefined ? t.tasks.forgetLive : t.tasks.forgetEnded}</p>
      {act.error && <ErrorNote error={act.error} />}
    </Dialog>
  );
}
