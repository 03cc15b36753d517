import { useAction } from "../actions/registry";
import { underWay } from "../format/counts";
import { count } from "../format/size";
import { go, useNav, type Place } from "../places/nav";
import { t } from "../strings";
import type { Overview } from "../types";
import { Mark } from "./Mark";
import css from "./Rail.module.css";
import { ServerLine } from "./ServerLine";

const PLACES: readonly { place: Place; label: string }[] = [
  { place: "inbox", label: t.app.inbox },
  { place: "tasks", label: t.app.tasks },
  { place: "servers", label: t.app.servers },
  { place: "settings", label: t.app.settings },
];

/** The left pane: where to go, and how the servers are. */
export function Rail({ overview }: { overview: Overview | undefined }) {
  const current = useNav((nav) => (nav.place === "start" ? "tasks" : nav.place));
  useAction("go.inbox", () => go("inbox"));
  useAction("go.tasks", () => go("tasks"));
  useAction("go.servers", () => go("servers"));
  useAction("go.settings", () => go("settings"));

  const live = overview ? underWay(overview.tasks) : 0;
  return (
    <div className={css.rail}>
      <div className={css.name}>
        <Mark />
        {t.app.name}
      </div>
      <nav aria-label={t.app.navigation} className={css.places}>
        {PLACES.map(({ place, label }) => (
          <button
            key={place}
            type="button"
            className={css.place}
            aria-current={current === place ? "page" : undefined}
            onClick={() => go(place)}
          >
            {label}
            {place === "inbox" && overview !== undefined && overview.inbox > 0 && (
              <Count n={overview.inbox} said={t.app.inboxCount(overview.inbox)} className={css.badge} />
            )}
            {place === "tasks" && live > 0 && (
              <Count n={live} said={t.app.taskCount(live)} className={css.count} />
            )}
          </button>
        ))}
      </nav>
      {overview !== undefined && (
        <section className={css.servers} aria-label={t.app.serverList}>
          <h2 className={css.head}>{t.app.serverList}</h2>
          <ul className={css.list}>
            {overview.servers.map((server) => (
              <ServerLine key={server.id} server={server} />
            ))}
          </ul>
          {overview.servers.length === 0 && (
            <p className={css.none}>{t.app.noServers}</p>
          )}
        </section>
      )}
    </div>
  );
}

/** A number, with what it counts for those who hear it. */
function Count({ n, said, className }: { n: number; said: string; className: string | undefined }) {
  return (
    <>
      <span className="unseen">, {said}</span>
      <span aria-hidden="true" className={className}>
        {count(n)}
      </span>
    </>
  );
}
