import { ServerWord } from "../../components/ServerText";
import { ClockTime } from "../../components/Time";
import { openItem } from "../../places/nav";
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

function Past({ notice: { at, item, title, fate } }: { notice: PastNotice }) {
  return (
    <li>
      <span className={css.mark}>
        <ClockTime at={at} /> · {t.settings.past.fates[fate]}
      </span>
      <button type="button" className={css.link} onClick={() => openItem(item)}>
        <ServerWord text={title} />
      </button>
    </li>
  );
}
