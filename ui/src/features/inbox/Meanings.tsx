import { ServerWord } from "../../components/ServerText";
import { openTask } from "../../places/nav";
import { t } from "../../strings";
import type { CallId, Ways } from "../../types";
import css from "./inbox.module.css";

/** Where a button finds the words for what the server hears of it. */
export const MEANS = { about: "question-means", decline: "question-decline-means", dismiss: "question-dismiss-means" } as const;

interface Props {
  ways: Ways;
  call: CallId | undefined;
  /** The question's title, where others stand beside it. */
  about: string | undefined;
}

/** What the server hears of each no, before it is pressed. */
export function Meanings({ ways, call, about }: Props) {
  const { decline, dismiss } = ways;
  if (!decline && !dismiss) return null;
  const unsaid = decline === "unsaid" || dismiss === "unsaid";
  const grave = unsaid || decline === "gives_up" || dismiss === "gives_up";
  return (
    <div className={`${css.means} ${grave ? css.grave : ""}`}>
      <dl>
        {about !== undefined && (
          <div id={MEANS.about}>
            <dt>{t.inbox.round.thisQuestion}</dt>
            <dd className={css.about}>
              <ServerWord text={about} />
            </dd>
          </div>
        )}
        {decline && (
          <div>
            <dt>{t.actions["request.decline"]}</dt>
            <dd id={MEANS.decline}>{t.inbox.no.decline[decline]}</dd>
          </div>
        )}
        {dismiss && (
          <div>
            <dt>{t.actions["request.cancel"]}</dt>
            <dd id={MEANS.dismiss}>{t.inbox.no.dismiss[dismiss]}</dd>
          </div>
        )}
      </dl>
      {unsaid && call !== undefined && (
        <button type="button" className={css.link} onClick={() => openTask(call)}>
          {t.inbox.showTask}
        </button>
      )}
    </div>
  );
}
