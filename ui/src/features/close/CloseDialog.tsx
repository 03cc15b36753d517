import { useCallback, useEffect, useRef, useState } from "react";

import { Button } from "../../components/Button";
import { Dialog } from "../../components/Dialog";
import { ServerWord } from "../../components/ServerText";
import { ErrorNote } from "../../components/States";
import { useHost } from "../../host/context";
import { DeskError } from "../../host/error";
import type { CloseRequest } from "../../host/host";
import { useClock } from "../../store/clock";
import { useReply } from "../../store/useReply";
import { useView } from "../../store/useView";
import { t } from "../../strings";
import type { Overview } from "../../types";
import { notifies } from "../settings/notifies";
import css from "./CloseDialog.module.css";

type Choice = "keep" | "close";

/** Asked when the window is to close while tasks run: what that means, and whether they are to be followed on. */
export function CloseDialog() {
  const host = useHost();
  const [request, setRequest] = useState<CloseRequest>();
  const [choice, setChoice] = useState<Choice>();
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

  // A look may be answered after the person has: that asks nothing anew.
  const seen = useCallback((stops: CloseRequest) => setRequest((asked) => asked && stops), []);
  const stay = () => {
    setRequest(undefined);
    // Unheard, closing again within moments closes at once: no worse than not having asked.
    void host.stayOpen().catch(() => undefined);
  };
  const decide = (made: Choice) => {
    setError(undefined);
    setChoice(made);
    const undecided = (failed?: DeskError) => {
      setError(failed);
      setChoice(undefined);
    };
    host.closeWindow({ keepFollowing: made === "keep" }).then(
      () => undecided(),
      // The window is still here, so nothing was closed: the person decides anew. All of it changes at once, so that no button moves
      // away from under a press.
      (thrown: unknown) => undecided(DeskError.from(thrown)),
    );
  };
  const busy = choice !== undefined;
  // What ends with its follower nobody can go on with: following is offered for the others only.
  const others = request ? request.live - request.ending : 0;
  // Each is looked at by itself, and the work goes on between them.
  const demos = Math.min(others, overview ? ofDemo(overview) : 0);
  return (
    <Dialog
      open={request !== undefined}
      onClose={stay}
      title={t.app.closing.title}
      actions={
        <>
          {others > 0 && (
            <Button look="primary" disabled={busy} onClick={() => decide("keep")}>
              {choice === "keep" ? `${t.app.closing.handingOver}…` : t.app.closing.keepFollowing}
            </Button>
          )}
          <Button disabled={busy} onClick={() => decide("close")}>
            {t.app.closing.close}
          </Button>
          <Button onClick={stay}>
            {t.app.closing.stay}
          </Button>
        </>
      }
    >
      {request && !busy && <Afresh onSeen={seen} />}
      {request && <Stops request={request} others={others} demos={demos} notified={notifies(overview)} />}
      {others > 0 && reply?.secrets.place === "this_run" && <p>{t.app.closing.secretsEnd}</p>}
      {error && <ErrorNote error={error} title={t.app.closing.notClosed} />}
    </Dialog>
  );
}

/** How many tasks of the demo are not over. */
function ofDemo({ servers }: Overview): number {
  return servers.reduce((sum, { demo, tasks }) => (demo ? sum + tasks.needsYou + tasks.working : sum), 0);
}

/** Nothing stops, or no more. */
const NOTHING: CloseRequest = { live: 0, follower: "window", ending: 0, ends: [], unsure: false, held: 0 };

/** Looks once a second, one look at a time: work goes on while the person reads. */
function Afresh({ onSeen }: { onSeen: (stops: CloseRequest) => void }) {
  const host = useHost();
  const looking = useRef(false);
  const second = useClock(useCallback((now: number) => Math.floor(now / 1000), []));
  useEffect(() => {
    if (looking.current) return;
    looking.current = true;
    host
      .whatStops()
      .then((stops) => onSeen(stops ?? NOTHING))
      // What was seen before stays.
      .catch(() => undefined)
      .finally(() => (looking.current = false));
  }, [host, onSeen, second]);
  return null;
}

interface StopsProps {
  request: CloseRequest;
  /** How many do not end with their follower. */
  others: number;
  /** How many of those are the demo's, whose server stops with whoever follows it. */
  demos: number;
  notified: boolean;
}

/** What ends, what goes on, and what is not sent. */
function Stops({ request, others, demos, notified }: StopsProps) {
  const { live, ending, ends, unsure, held, follower } = request;
  const words = t.app.closing;
  return (
    <>
      {live > 0 && <p className={css.live}>{words.live(live)}</p>}
      {live === 0 && held === 0 && !unsure && <p className={css.live}>{words.nothing}</p>}
      {ending > 0 && (
        <>
          <p>{words.ends[follower](ending)}</p>
          <ul className={css.ends}>
            {ends.map((end) => (
              <li key={end.id}>
                {end.server}
                {end.tool !== "" && (
                  <>
                    {" · "}
                    <ServerWord text={end.tool} />
                  </>
                )}{" "}
                <span className={css.why}>
                  ({end.id}): {words.why[end.why][follower]}
                </span>
              </li>
            ))}
            {ending > ends.length && <li>{ends.length === 0 ? words.unnamed(ending) : words.more(ending - ends.length)}</li>}
          </ul>
        </>
      )}
      {unsure && <p>{live === 0 && held === 0 ? words.unknown : words.unsure}</p>}
      {others > demos && <p>{words.goOn[follower](others - demos)}</p>}
      {demos > 0 && <p>{words.demo[follower](demos)}</p>}
      {held > 0 && <p className={css.live}>{words.held(held)}</p>}
      {others > 0 && <p>{words.keep(others, notified)}</p>}
    </>
  );
}
