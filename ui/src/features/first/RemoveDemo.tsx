import { useState } from "react";

import { Button } from "../../components/Button";
import { Dialog } from "../../components/Dialog";
import { ErrorNote } from "../../components/States";
import { select } from "../../places/nav";
import { useAct } from "../../store/call";
import { t } from "../../strings";

interface Props {
  look?: "plain" | "quiet";
  onRemoved?: () => void;
}

/** Takes all of the demo away once a person confirms. */
export function RemoveDemo({ look = "plain", onRemoved }: Props) {
  const [asking, setAsking] = useState(false);
  const act = useAct();
  const remove = async () => {
    if (!(await act.run({ type: "remove_demo" }))) return;
    // What was in hand may be gone.
    select({ task: null, request: null, server: null });
    setAsking(false);
    onRemoved?.();
  };
  return (
    <>
      <Button look={look} onClick={() => setAsking(true)}>
        {t.first.demo.remove}
      </Button>
      <Dialog
        open={asking}
        onClose={() => setAsking(false)}
        title={t.first.demo.confirm}
        actions={
          <>
            <Button look="danger" disabled={act.busy} onClick={() => void remove()}>
              {act.busy ? t.first.demo.removing : t.first.demo.remove}
            </Button>
            <Button onClick={() => setAsking(false)}>{t.first.demo.keep}</Button>
          </>
        }
      >
        <p>{t.first.demo.means}</p>
        {act.error && <ErrorNote error={act.error} title={t.first.demo.notRemoved} />}
      </Dialog>
    </>
  );
}
