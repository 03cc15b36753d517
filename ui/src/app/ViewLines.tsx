import { ServerWord } from "../components/ServerText";
import { countOf, readViews, VIEWS } from "../features/tasks/views";
import { count } from "../format/size";
import { openView, useNav } from "../places/nav";
import { usePreference } from "../store/usePreference";
import { useViews } from "../store/useView";
import { t } from "../strings";
import type { ServerView } from "../types";
import css from "./Rail.module.css";

/** The saved views of the task list, each with how many tasks it shows now. A press shows the list by it. */
export function ViewLines({ servers }: { servers: readonly ServerView[] }) {
  const [views = []] = usePreference(VIEWS, readViews);
  const counts = useViews(views.map((view) => countOf(view, (id) => servers.some((server) => server.id === id))));
  const shown = useNav((nav) => (nav.place === "tasks" ? nav.view : null));
  if (views.length === 0) return null;
  return (
    <section className={css.views} aria-label={t.app.viewList}>
      <h2 className={css.head}>{t.app.viewList}</h2>
      <ul className={css.list}>
        {views.map(({ name, server }, index) => {
          const rows = counts[index]?.data;
          // Before all rows were looked through, a number would be untrue.
          const total = rows?.complete === true ? rows.total : undefined;
          return (
            <li key={name} className={css.line}>
              <button type="button" className={css.view} title={name} aria-current={shown === name || undefined} onClick={() => openView(name, server ?? null)}>
                <span className={css.serverName}>
                  <ServerWord text={name} />
                </span>
                {total !== undefined && (
                  <>
                    <span className="unseen">, {t.tasks.shown(total)}</span>
                    <span aria-hidden="true" className={css.count}>
                      {count(total)}
                    </span>
                  </>
                )}
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
