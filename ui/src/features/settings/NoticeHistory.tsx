import { ServerWord } from "../../components/ServerText";
import { ClockTime } from "../../components/Time";
import { go, openItem } from "../../places/nav";
import { useView } from "../../store/useView";
import { t } from "../../strings";
import type { PastNotice } from "../../types";
import css from "./Settings.module.css";

/** What was told last, and what was held back and why. */
export function NoticeHistory() {
  const past = useView({ type: "notices" }).data;
  if (past === undefined) return null;
  return (
    <section aria-label={t.settings.past.title}>
      <h3 className={css.soft}>{t.settings.past.title}</h3>
      {past.length === 0 ? (
        <p className={css.soft}>{t.settings.past.none}</p>
      ) : (
        <ul className={css.past}>
          {past.map((notice, index) => (
            // One thing may be told of twice at one time.
            <Past key={index} notice={notice} />
          ))}
        </ul>
      )}
    </section>
  );
}

/** Of several that were told as one a press leads to the last question, or else to the last task, or to the inbox. */
function Past({ notice: { at, items, asOne, title, fate } }: { notice: PastNotice }) {
  const item = items.findLast(({ kind }) => kind === "request") ?? items.at(-1);
  return (
    <li>
      <span className={css.mark}>
        <ClockTime at={at} /> · {t.settings.past.fates[fate]}
        {asOne && `, ${t.settings.past.asOne}`}
      </span>
      <button type="button" className={css.link} onClick={() => (item === undefined ? go("inbox") : openItem(item))}>
        <ServerWord text={title} />
      </button>
    </li>
  );
}
