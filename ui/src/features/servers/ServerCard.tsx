import { HEALTH_LAMP } from "../../components/lamp";
import { Place } from "../../components/Place";
import { ServerWord } from "../../components/ServerText";
import { HealthLamp } from "../../components/StatusLamp";
import { protocolWord } from "../../format/place";
import { HEALTH, t } from "../../strings";
import type { Counts, ServerView } from "../../types";
import css from "./Servers.module.css";

/** How many tasks of each kind, without those of which there are none. */
export function countWords(tasks: Counts): string {
  const words = t.servers.counts;
  const parts = [
    tasks.needsYou > 0 && words.needsYou(tasks.needsYou),
    tasks.working > 0 && words.working(tasks.working),
    tasks.ended > 0 && words.ended(tasks.ended),
  ].filter((part) => part !== false);
  return parts.length === 0 ? words.none : parts.join(" · ");
}

/** A server in the list. */
export function ServerCard({ server }: { server: ServerView }) {
  const { health, enabled } = server;
  const word = enabled ? HEALTH[health.state] : t.app.disabled;
  return (
    <div className={css.card} data-health={enabled ? health.state : "disabled"}>
      <HealthLamp lamp={enabled ? HEALTH_LAMP[health.state] : "idle"} word={word} />
      <div className={css.cardName}>
        <ServerWord text={server.name} />
      </div>
      <div className={css.word}>{word}</div>
      <div className={css.place}>
        <Place place={server.place} />
      </div>
      <div className={css.counts}>{[countWords(server.tasks), protocolWord(server.protocolVersion)].filter((part) => part !== "").join(" · ")}</div>
    </div>
  );
}
