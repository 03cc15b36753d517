import { useAction } from "../actions/registry";
import { count } from "../format/size";
import { go, useNav } from "../places/nav";
import { RAIL, rowOf } from "../places/table";
import { t } from "../strings";
import type { Overview } from "../types";
import { Mark } from "./Mark";
import css from "./Rail.module.css";
import { ServerLine } from "./ServerLine";
import { ViewLines } from "./ViewLines";

/** The left pane: where to go, and how the servers are. */
export function Rail({ overview }: { overview: Overview | undefined }) {
  return (
    <div className={css.rail}>
      <header className={css.name}>
        <Mark />
        <h1>{t.app.name}</h1>
      </header>
      <nav aria-label={t.app.navigation} className={css.places}>
        {RAIL.map((row) => (
          <PlaceLine key={row.id} row={row} overview={overview} />
        ))}
      </nav>
      {overview !== undefined && <ViewLines servers={overview.servers} />}
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

/** A place in the rail; its keys go there, too. */
function PlaceLine({ row: { id, count: counted }, overview }: { row: (typeof RAIL)[number]; overview: Overview | undefined }) {
  const here = useNav((nav) => rowOf(nav.place) === id);
  useAction(`go.${id}`, () => go(id));
  const n = overview && counted ? counted.of(overview) : 0;
  return (
    <button type="button" className={css.place} aria-current={here ? "page" : undefined} onClick={() => go(id)}>
      {t.actions[`go.${id}`]}
      {counted && n > 0 && <Count n={n} said={counted.said(n)} className={counted.waits ? css.badge : css.count} />}
    </button>
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
