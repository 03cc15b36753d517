import { useState } from "react";

import { ActionButton, Button } from "../../components/Button";
import { ErrorNote } from "../../components/States";
import { PaneFoot, Spring } from "../../places/Panes";
import { useAct } from "../../store/call";
import { t } from "../../strings";
import type { ServerView } from "../../types";
import { RemoveDemo } from "../first/RemoveDemo";
import { awaitsTrust } from "./health";
import { RemoveDialog } from "./RemoveDialog";
import css from "./Servers.module.css";
import { TrustDialog } from "./TrustDialog";
import { isChecking, type Check } from "./useCheck";

interface Props {
  server: ServerView;
  check: Check | undefined;
  onCheck: () => void;
  onEdit: () => void;
  onRemoved: () => void;
}

/** What can be done with a server. */
export function ServerFoot({ server, check, onCheck, onEdit, onRemoved }: Props) {
  const switching = useAct();
  const [trusting, setTrusting] = useState(false);
  const [removing, setRemoving] = useState(false);
  const flip = () => switching.run({ type: "set_server_enabled", server: server.id, enabled: !server.enabled });
  return (
    <>
      {switching.error && (
        <div className={css.footNote}>
          <ErrorNote error={switching.error} />
        </div>
      )}
      <PaneFoot>
        {awaitsTrust(server) ? (
          <Button look="primary" onClick={() => setTrusting(true)}>
            {t.servers.trust}
          </Button>
        ) : (
          <ActionButton action="server.check" disabled={!server.enabled || isChecking(check)} onRun={onCheck} />
        )}
        <ActionButton action="server.edit" onRun={onEdit} />
        <Button disabled={switching.busy} onClick={() => void flip()}>
          {server.enabled ? t.servers.disable : t.servers.enable}
        </Button>
        <Spring />
        {server.demo ? (
          <RemoveDemo look="quiet" onRemoved={onRemoved} />
        ) : (
          <Button look="quiet" onClick={() => setRemoving(true)}>
            {t.servers.remove}
          </Button>
        )}
      </PaneFoot>
      {trusting && <TrustDialog server={server} onClose={() => setTrusting(false)} onTrusted={onCheck} />}
      {removing && <RemoveDialog server={server} onClose={() => setRemoving(false)} onRemoved={onRemoved} />}
    </>
  );
}
