import { Place } from "../../components/Place";
import { ServerLamp, useServerSignal } from "../../components/ServerLamp";
import { ServerWord } from "../../components/ServerText";
import { protocolWord } from "../../format/place";
import { t } from "../../strings";
import type { ServerView } from "../../types";
import css from "./Servers.module.css";

/** How many questions need somebody, and how many tasks of each kind there are, without those of which there are none. */
function countWords({ inbox, tasks }: ServerView): string {
  const words = t.servers.counts;
  const parts = [
    inbox > 0 && words.needsYou(inbox),
    tasks.working > 0 && words.working(tasks.working),
    tasks.ended > 0 && words.ended(tasks.ended),
  ].filter((part) => part !== false);
  return parts.length === 0 ? words.none : parts.join(" · ");
}

/** A server in the list. */
export function ServerCard({ server }: { server: ServerView }) {
  const signal = useServerSignal(server);
  return (
    <div className={css.card} data-lamp={signal.lamp} data-faded={signal.faded}>
      <ServerLamp signal={signal} />
      <div className={css.cardName}>
        <ServerWord text={server.name} />
      </div>
      <div className={css.word}>{signal.word}</div>
      <div className={css.place}>
        <Place place={server.place} />
      </div>
      <div className={css.counts}>{[countWords(server), protocolWord(server.protocolVersion)].filter((part) => part !== "").join(" · ")}</div>
    </div>
  );
}
