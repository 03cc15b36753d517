import { ServerLamp, useServerSignal } from "../components/ServerLamp";
import { ServerWord } from "../components/ServerText";
import { useUntil } from "../components/Time";
import { underWay } from "../format/counts";
import { count } from "../format/size";
import { openInboxOf, openOf, openServer, openTasksOf } from "../places/nav";
import { t } from "../strings";
import type { ServerView } from "../types";
import css from "./Rail.module.css";

/**
 * A server in the rail: its lamp, its name, what is wrong, and its questions and tasks. A press on its name lists what is its own; the word
 * beside it leads to where that can be mended.
 */
export function ServerLine({ server }: { server: ServerView }) {
  const { health, name, inbox } = server;
  const signal = useServerSignal(server);
  const live = underWay(server.tasks);
  const retry = useUntil(server.enabled && live > 0 && health.state === "unreachable" ? health.retryAt : undefined);
  const word = retry === "" ? signal.word : `${signal.word}, ${t.app.retryIn(retry)}`;
  // There is little room: a word only where somebody is waited for, or where no number says that the server matters now.
  const waits = signal.lamp === "needs_you";
  const noted = waits || (signal.lamp !== "done" && signal.faded === undefined && live === 0);
  return (
    <li className={css.line}>
      <button type="button" className={css.server} title={word} onClick={() => openOf(server.id)}>
        <ServerLamp signal={{ ...signal, word }} spoken={!noted} />
        <span className={css.serverName}>
          <ServerWord text={name} />
        </span>
      </button>
      {noted && (
        <button
          type="button"
          className={waits ? `${css.note} ${css.warn}` : css.note}
          title={t.app.openServer(word, name)}
          aria-label={t.app.openServer(word, name)}
          onClick={() => openServer(server.id)}
        >
          {signal.brief ?? signal.word}
        </button>
      )}
      {inbox > 0 && (
        <button type="button" className={`${css.tasks} ${css.warn}`} title={t.app.needYouAt(inbox, name)} aria-label={t.app.needYouAt(inbox, name)} onClick={() => openInboxOf(server.id)}>
          {count(inbox)}
        </button>
      )}
      {server.enabled && live > 0 && (
        <button type="button" className={css.tasks} title={t.app.underWayAt(live, name)} aria-label={t.app.underWayAt(live, name)} onClick={() => openTasksOf(server.id)}>
          {count(live)}
        </button>
      )}
    </li>
  );
}
