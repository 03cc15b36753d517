import { useEffect, useState } from "react";

import { Dialog } from "../../components/Dialog";
import { ErrorNote, LoadingState } from "../../components/States";
import { useAct } from "../../store/call";
import { t } from "../../strings";
import type { SecretsView } from "../../types";
import { KeepDialog } from "../secrets/KeepDialog";
import { UnlockDialog } from "../secrets/UnlockDialog";

/** Another place for secrets, over the form that needs one: what stands in the form stays. */
export function PlaceDialog({ onClose }: { onClose: () => void }) {
  const { run, error } = useAct();
  const [secrets, setSecrets] = useState<SecretsView>();
  useEffect(() => {
    let gone = false;
    void run({ type: "secrets" }).then((reply) => {
      if (reply && !gone) setSecrets(reply.secrets);
    });
    return () => {
      gone = true;
    };
  }, [run]);
  if (secrets?.state === "locked") return <UnlockDialog onClose={onClose} />;
  if (secrets) return <KeepDialog place={secrets.place} idle={secrets.unused} onClose={onClose} onMoved={() => undefined} />;
  return (
    <Dialog open onClose={onClose} title={t.secrets.keepTitle}>
      {error ? <ErrorNote error={error} /> : <LoadingState />}
    </Dialog>
  );
}
