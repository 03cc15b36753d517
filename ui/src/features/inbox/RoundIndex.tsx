import { Section } from "../../components/Section";
import { openRequest } from "../../places/nav";
import { t } from "../../strings";
import type { RequestDetail } from "../../types";
import css from "./inbox.module.css";

/** All questions of a round that is too long to stand on one sheet: which are open, and the way to each. */
export function RoundIndex({ detail: { row, round } }: { detail: RequestDetail }) {
  if (!round) return null;
  const open = new Set(round.undecided);
  return (
    <Section title={t.inbox.round.others}>
      <ol className={css.index}>
        {round.requests.map((id, place) => (
          <li key={id}>
            <button type="button" className={css.link} aria-current={id === row.id} onClick={() => openRequest(id)}>
              {t.inbox.round.nth(place + 1, round.requests.length)}
            </button>{" "}
            <span className={css.quiet}>{open.has(id) ? t.inbox.round.stillOpen : t.inbox.round.decided}</span>
          </li>
        ))}
      </ol>
    </Section>
  );
}
