import { useCallback, useEffect, useState } from "react";

import { useAction } from "../../actions/registry";
import { Button } from "../../components/Button";
import { Dialog } from "../../components/Dialog";
import { ErrorNote } from "../../components/States";
import { useHost } from "../../host/context";
import { DeskError } from "../../host/error";
import type { CloseChoice, CloseRequest } from "../../host/host";
import { useReply } from "../../store/useReply";
import { useView } from "../../store/useView";
import { t } from "../../strings";
import type { Overview } from "../../types";
import { notifies } from "../settings/notifies";
import { Afresh } from "./Afresh";
import { leave } from "./leaving";
import { Stops } from "./Stops";
import { WaitFor } from "./WaitFor";
import { WaitingBanner } from "./WaitingBanner";

/**
 * Asked when the window is to close while tasks run, or leaves what follows them unseen, or when what follows them in the background
 * is to end: what that means, and whether they are to be followed on.
 */
export function CloseDialog() {
  const host = useHost();
  const [request, setRequest] = useState<CloseRequest>();
  const [choice, setChoice] = useState<CloseChoice>();
  /** The person wants to close once what would be lost has ended. */
  const [waiting, setWaiting] = useState<CloseRequest>();
  const [error, setError] = useState<DeskError>();
  const overview = useView({ type: "overview" }).data;
  const { reply } = useReply(request && { type: "secrets" });
  useEffect(
    () =>
      host.onCloseRequested((asked) => {
        setRequest(asked);
        setError(undefined);
      }),
    [host],
  );

  // Where nothing stops it is done at once; and where it is not, its person is asked.
  useAction("quit", () => void host.quit().catch(() => undefined));
  // A look may be answered after the person has: that asks nothing anew.
  const seen = useCallback((stops: CloseRequest) => setRequest((asked) => asked && stops), []);
  const stay = () => {
    // Who stays goes on waiting, but not where the dialog has just said that there is nothing to wait for.
    if (request && isOver(request)) setWaiting(undefined);
    setRequest(undefined);
    // Unheard, closing again within moments closes at once: no worse than not having asked.
    void host.stayOpen().catch(() => undefined);
  };
  const decide = (made: CloseChoice) => {
    setError(undefined);
    setChoice(made);
    const undecided = (failed?: DeskError) => {
      setError(failed);
      setChoice(undefined);
    };
    leave(host, made).then(
      () => undecided(),
      // The window is still here, so nothing was closed: the person decides anew. All of it changes at once, so that no button moves
      // away from under a press.
      (thrown: unknown) => undecided(DeskError.from(thrown)),
    );
  };
  const quitInstead = () => {
    setRequest(undefined);
    // Closing is answered before that, so that what stops by quitting is asked about anew.
    void host.stayOpen().then(() => host.quit()).catch(() => undefined);
  };
  const wait = (until: CloseRequest) => {
    setWaiting(until);
    stay();
  };
  const waited = useCallback(
    (stops: CloseRequest) => {
      if (!isOver(stops)) {
        setWaiting((before) => before && stops);
        return;
      }
      // As if it had been chosen now: where it fails, the person is asked anew.
      setWaiting(undefined);
      const left: CloseChoice = stops.live > 0 ? "keep" : "close";
      leave(host, left).catch((thrown: unknown) => {
        setRequest(stops);
        setError(DeskError.from(thrown));
      });
    },
    [host],
  );
  const busy = choice !== undefined;
  const unseen = request?.unseen === true;
  const quits = request?.quits === true;
  const ends = quits ? "quit" : "close";
  // What ends with its follower nobody can go on with: following is offered for the others only.
  const others = request ? request.live - request.ending : 0;
  // What loses something is not what is meant to be pressed.
  const loses = request !== undefined && request.ending > 0;
  // Each is looked at by itself, and the work goes on between them.
  const demos = Math.min(others, overview ? ofDemo(overview) : 0);
  return (
    <>
      <Dialog
        open={request !== undefined}
        onClose={stay}
        title={t.app.closing.title[ends]}
        actions={
          <>
            {others > 0 && !quits && (
              <Button look={loses ? "plain" : "primary"} disabled={busy} onClick={() => decide("keep")}>
                {choice === "keep" ? `${t.app.closing.handingOver}…` : t.app.closing.keepFollowing}
              </Button>
            )}
            {/* It is this page that waits. It may go before what is to be quit. */}
            {request && request.follower === "window" && request.ending > 0 && !quits && (
              <Button disabled={busy} onClick={() => wait(request)}>
                <WaitFor request={request} />
              </Button>
            )}
            {unseen && (
              <Button disabled={busy} onClick={quitInstead}>
                {t.app.closing.close.quit}
              </Button>
            )}
            <Button look={unseen ? "primary" : "plain"} disabled={busy} onClick={() => decide(ends)}>
              {choice === "quit" ? `${t.app.closing.quitting}…` : t.app.closing.close[ends]}
            </Button>
            <Button onClick={stay}>
              {t.app.closing.stay}
            </Button>
          </>
        }
      >
        {request && !busy && !unseen && <Afresh request={request} onSeen={seen} />}
        {request && <Stops request={request} others={others} demos={demos} notified={notifies(overview)} />}
        {others > 0 && !quits && reply?.secrets.place === "this_run" && <p>{t.app.closing.secretsEnd}</p>}
        {error && <ErrorNote error={error} title={t.app.closing.notClosed} />}
      </Dialog>
      {waiting && <WaitingBanner request={waiting} onSeen={waited} onStay={() => setWaiting(undefined)} rests={request !== undefined} />}
    </>
  );
}

/** Whether nothing that would be lost is under way any more. */
function isOver({ ending, unsure }: CloseRequest): boolean {
  return ending === 0 && !unsure;
}

/** How many tasks of the demo are not over. */
function ofDemo({ servers }: Overview): number {
  return servers.reduce((sum, { demo, tasks }) => (demo ? sum + tasks.needsYou + tasks.working : sum), 0);
}
