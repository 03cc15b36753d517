import { useState } from "react";

import { Button } from "../../components/Button";
import { Dialog } from "../../components/Dialog";
import { ServerText } from "../../components/ServerText";
import { ErrorNote } from "../../components/States";
import { underWay } from "../../format/counts";
import { oneLine } from "../../format/text";
import { useAct } from "../../store/call";
import { t } from "../../strings";
import type { ServerView } from "../../types";

const words = t.servers.access;

interface Props {
  server: ServerView;
  onClose: () => void;
  onSignedOut: () => void;
}

/** Says what signing out means, and has it confirmed. */
export function SignOutDialog({ server, onClose, onSignedOut }: Props) {
  const act = useAct();
  const [validStill, setValidStill] = useState<string>();
  const signOut = async () => {
    const reply = await act.run({ type: "sign_out", server: server.id });
    if (reply === undefined) return;
    onSignedOut();
    // What stays valid elsewhere is to be read before it is put away.
    if (reply.validStill === undefined) onClose();
    else setValidStill(reply.validStill);
  };
  const isOut = validStill !== undefined;
  return (
    <Dialog
      open
      onClose={onClose}
      title={isOut ? words.signedOut(oneLine(server.name)) : words.signOutTitle(oneLine(server.name))}
      actions={
        isOut ? (
          <Button onClick={onClose}>{t.app.close}</Button>
        ) : (
          <>
            <Button look="primary" disabled={act.busy} onClick={() => void signOut()}>
              {words.signOutIt}
            </Button>
            <Button onClick={onClose}>{words.stay}</Button>
          </>
        )
      }
    >
      {isOut ? (
        <div role="status">
          <p>{words.validStill}</p>
          <ServerText text={validStill} limit={600} />
        </div>
      ) : (
        <>
          <p>{words.signOutText}</p>
          <p>{words.signOutTasks(underWay(server.tasks))}</p>
        </>
      )}
      {act.error && <ErrorNote error={act.error} />}
    </Dialog>
  );
}
