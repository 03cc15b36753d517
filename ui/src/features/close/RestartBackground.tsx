import { useState } from "react";

import { Button } from "../../components/Button";
import { Dialog } from "../../components/Dialog";
import { ErrorNote } from "../../components/States";
import { useHost } from "../../host/context";
import { DeskError } from "../../host/error";
import type { CloseRequest, Host } from "../../host/host";
import { call } from "../../store/call";
import { t } from "../../strings";
import { nothing } from "./nothing";
import { Ends, Forgotten } from "./Stops";

/**
 * Has the program in the background end, and one of this window's version in its place: unasked where nothing is lost by it and
 * nothing has to be given again.
 */
export function RestartBackground() {
  const host = useHost();
  const [stops, setStops] = useState<CloseRequest>();
  const [locks, setLocks] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<DeskError>();
  const words = t.app.version;

  const attempt = async (work: () => Promise<void>) => {
    setBusy(true);
    setError(undefined);
    await work().catch((thrown: unknown) => setError(DeskError.from(thrown)));
    setBusy(false);
  };
  const restart = async () => {
    await host.restartBackground();
    setStops(undefined);
  };
  const ask = async () => {
    const [found, locked] = await Promise.all([host.whatStops(true), isOpenFile(host)]);
    setLocks(locked);
    // What is no background program goes on, and says so.
    const costs = found === null ? locked : found.follower === "serve" && (locked || asks(found));
    if (costs) setStops(found ?? nothing({ follower: "serve", quits: true }));
    else await restart();
  };
  return (
    <>
      <Button disabled={busy} onClick={() => void attempt(ask)}>
        {words.restart}
      </Button>
      {stops === undefined && error && <ErrorNote error={error} title={words.failed} />}
      <Dialog
        open={stops !== undefined}
        onClose={() => setStops(undefined)}
        title={words.title}
        actions={
          <>
            <Button disabled={busy} onClick={() => void attempt(restart)}>
              {words.confirm}
            </Button>
            <Button onClick={() => setStops(undefined)}>{words.later}</Button>
          </>
        }
      >
        {stops && <Ends request={stops} />}
        {stops?.unsure && <p>{stops.live === 0 ? words.unknown : t.app.closing.unsure}</p>}
        {stops && <Forgotten servers={stops.forgotten} />}
        {locks && <p>{words.locked}</p>}
        {stops && stops.held > 0 && <p>{words.held(stops.held)}</p>}
        <p>{words.goesOn}</p>
        {error && <ErrorNote error={error} title={words.failed} />}
      </Dialog>
    </>
  );
}

/** Whether something is lost, may be, or has to be given again. */
function asks({ ending, unsure, held, forgotten }: CloseRequest): boolean {
  return ending > 0 || unsure || held > 0 || forgotten.length > 0;
}

/** Whether secrets are kept in an encrypted file that is open: the next program does not know its passphrase. */
async function isOpenFile(host: Host): Promise<boolean> {
  try {
    const { secrets } = await call(host, { type: "secrets" });
    return secrets.place === "file" && secrets.state === "open";
  } catch {
    // What cannot be asked is unsure as a whole.
    return false;
  }
}
