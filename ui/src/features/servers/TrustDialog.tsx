import { useState } from "react";

import { Button } from "../../components/Button";
import { Dialog } from "../../components/Dialog";
import { ErrorNote } from "../../components/States";
import { oneLine } from "../../format/text";
import { useAct } from "../../store/call";
import { t } from "../../strings";
import type { ServerView } from "../../types";
import { TransportFacts } from "./TransportFacts";

interface Props {
  server: ServerView;
  onClose: () => void;
  onTrusted: () => void;
}

/** Shows exactly what would be run, and has it confirmed. */
export function TrustDialog({ server, onClose, onTrusted }: Props) {
  const act = useAct();
  // What is confirmed is what was shown, whatever the server is changed to meanwhile.
  const [shown] = useState(server.transport);
  const trust = async () => {
    if (!(await act.run({ type: "trust_server", server: server.id, shown }))) return;
    onClose();
    onTrusted();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t.servers.trustTitle(oneLine(server.name))}
      actions={
        <>
          <Button look="primary" disabled={act.busy} onClick={() => void trust()}>
            {t.servers.trustIt}
          </Button>
          <Button onClick={onClose}>{t.app.cancel}</Button>
        </>
      }
    >
      <p>{t.servers.trustText}</p>
      <TransportFacts transport={shown} />
      {act.error && <ErrorNote error={act.error} />}
    </Dialog>
  );
}
