import { useState } from "react";

import { Button } from "../../components/Button";
import { Dialog } from "../../components/Dialog";
import { ErrorNote } from "../../components/States";
import { useHost } from "../../host/context";
import { DeskError } from "../../host/error";
import type { CloseRequest } from "../../host/host";
import { t } from "../../strings";
import { Ends } from "./Stops";

/** Has the program in the background end, and one of this window's version in its place: unasked where nothing is lost by it. */
export function RestartBackground() {
  const host = useHost();
  const [stops, setStops] = useState<CloseRequest>();
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
    const found = await host.whatStops(true);
    if (found && (found.ending > 0 || found.unsure)) setStops(found);
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
        <p>{words.goesOn}</p>
        {error && <ErrorNote error={error} title={words.failed} />}
      </Dialog>
    </>
  );
}
