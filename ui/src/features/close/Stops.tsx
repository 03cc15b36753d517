import { useId, type ReactNode } from "react";

import { ServerWord } from "../../components/ServerText";
import type { CloseRequest } from "../../host/host";
import { t } from "../../strings";
import css from "./CloseDialog.module.css";

/** Who follows, as words name it: a window's program that is to be quit is all of Signalbox. */
function nameOf({ follower, quits }: CloseRequest) {
  return quits && follower === "window" ? "signalbox" : follower;
}

/** A list below what is said of it. A long one is scrolled, by keys as well. */
function Listed({ said, children }: { said: string; children: ReactNode }) {
  const id = useId();
  return (
    <>
      <p id={id}>{said}</p>
      {/* What scrolls must be reachable by keyboard, and nothing else in it is. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={css.scroll} role="group" aria-labelledby={id} tabIndex={0}>
        <ul className={css.ends}>{children}</ul>
      </div>
    </>
  );
}

/** What ends with its follower, by name as far as that is known. */
export function Ends({ request }: { request: CloseRequest }) {
  const { ending, ends } = request;
  const words = t.app.closing;
  const follower = nameOf(request);
  return (
    ending > 0 && (
      <Listed said={words.ends[follower](ending)}>
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
      </Listed>
    )
  );
}

/** So many servers are named. */
const NAMED = 8;

/** The servers that have to be given their secrets or sign-ins again. */
export function Forgotten({ servers }: { servers: readonly string[] }) {
  const words = t.app.closing;
  return (
    servers.length > 0 && (
      <Listed said={words.forgotten}>
        {servers.slice(0, NAMED).map((server) => (
          <li key={server}>{server}</li>
        ))}
        {servers.length > NAMED && <li>{words.more(servers.length - NAMED)}</li>}
      </Listed>
    )
  );
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
export function Stops({ request, others, demos, notified }: StopsProps) {
  const { live, unsure, held, forgotten, quits } = request;
  const words = t.app.closing;
  const follower = nameOf(request);
  const how = quits ? "quit" : "close";
  if (request.unseen) return <p>{words.unseen(notified)}</p>;
  return (
    <>
      {live > 0 && <p className={css.live}>{words.live(live)}</p>}
      {live === 0 && held === 0 && !unsure && forgotten.length === 0 && <p className={css.live}>{words.nothing[how]}</p>}
      <Ends request={request} />
      {unsure && <p>{live === 0 && held === 0 ? words.unknown : words.unsure}</p>}
      {others > demos && <p>{words.goOn[follower](others - demos)}</p>}
      {demos > 0 && <p>{words.demo[follower](demos)}</p>}
      <Forgotten servers={forgotten} />
      {held > 0 && <p className={css.live}>{words.held(held, how)}</p>}
      {others > 0 && !quits && <p>{words.keep(others, notified, request.ending > 0)}</p>}
    </>
  );
}
