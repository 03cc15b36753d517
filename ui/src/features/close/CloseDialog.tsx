import { useEffect, useRef, useState } from "react";

import { Button } from "../../components/Button";
import { Dialog } from "../../components/Dialog";
import { ServerWord } from "../../components/ServerText";
import { ErrorNote } from "../../components/States";
import { useHost } from "../../host/context";
import { DeskError } from "../../host/error";
import type { CloseRequest } from "../../host/host";
import { useReply } from "../../store/useReply";
import { t } from "../../strings";
import css from "./CloseDialog.module.css";

type Choice = "keep" | "close";

/** Asked when the window is to close while tasks run: what that means, and whether they are to be followed on. */
export function CloseDialog() {
  const host = useHost();
  const [request, setRequest] = useState<CloseRequest>();
  const [choice, setChoice] = useState<Choice>();
  const [error, setError] = useState<DeskError>();
  const { reply } = useReply(request && { type: "secrets" });
  const stayButton = useRef<HTMLButtonElement>(null);
  useEffect(
    () =>
      host.onCloseRequested((asked) => {
        setRequest(asked);
        setError(undefined);
      }),
    [host],
  );

  const stay = () => {
    setRequest(undefined);
    // Unheard, closing again within moments closes at once: no worse than not having asked.
    void host.stayOpen().catch(() => undefined);
  };
  const decide = (made: Choice) => {
    setError(undefined);
    setChoice(made);
    host
      .closeWindow({ keepFollowing: made === "keep" })
      // The window is still here, so nothing was closed: the person decides anew.
      .catch((thrown: unknown) => setError(DeskError.from(thrown)))
      .finally(() => setChoice(undefined));
  };
  const busy = choice !== undefined;
  // What ends with its follower nobody can go on with: following is offered for the others only.
  const others = request ? request.live - request.ending : 0;
  return (
    <Dialog
      open={request !== undefined}
      onClose={stay}
      title={t.app.closing.title}
      initialFocus={stayButton}
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
          <Button ref={stayButton} onClick={stay}>
            {t.app.closing.stay}
          </Button>
        </>
      }
    >
      {request && <Stops request={request} others={others} />}
      {others > 0 && reply?.secrets.place === "this_run" && <p>{t.app.closing.secretsEnd}</p>}
      {error && <ErrorNote error={error} title={t.app.closing.notClosed} />}
    </Dialog>
  );
}

/** What ends, what goes on, and what is not sent. */
function Stops({ request, others }: { request: CloseRequest; others: number }) {
  const { live, ending, ends, unsure, held, follower } = request;
  const words = t.app.closing;
  return (
    <>
      {live > 0 && <p className={css.live}>{words.live(live)}</p>}
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
      {others > 0 && <p>{words.goOn[follower](others)}</p>}
      {held > 0 && <p className={css.live}>{words.held(held)}</p>}
      {others > 0 && <p>{words.keep(others)}</p>}
    </>
  );
}
