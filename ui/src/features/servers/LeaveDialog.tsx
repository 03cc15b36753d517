import { Button } from "../../components/Button";
import { Dialog } from "../../components/Dialog";
import { t } from "../../strings";

interface Props {
  onLeave: () => void;
  onStay: () => void;
}

/** Asks before a form that was filled in is thrown away. */
export function LeaveDialog({ onLeave, onStay }: Props) {
  return (
    <Dialog
      open
      onClose={onStay}
      title={t.servers.leaving.title}
      actions={
        <>
          <Button onClick={onLeave}>{t.servers.leaving.leave}</Button>
          <Button look="primary" onClick={onStay}>
            {t.servers.leaving.stay}
          </Button>
        </>
      }
    >
      <p>{t.servers.leaving.text}</p>
    </Dialog>
  );
}
