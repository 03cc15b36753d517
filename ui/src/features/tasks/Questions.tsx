import { ActionButton } from "../../components/Button";
import { signalOfRequest } from "../../components/lamp";
import { Section } from "../../components/Section";
import { ServerWord } from "../../components/ServerText";
import { StatusLamp } from "../../components/StatusLamp";
import { useAgo } from "../../components/Time";
import { answerRequest, openInboxOf, openRequest } from "../../places/nav";
import { t } from "../../strings";
import type { TaskDetail, Timestamp } from "../../types";
import { isDecidable, titleOf } from "../inbox/words";
import css from "./TaskDetail.module.css";

/** The questions of a task; each leads to the inbox. Of very many some are shown, and how many more there are is said. */
export function Questions({ task: { row, requests, requestsMore, requestsClosedMore } }: { task: TaskDetail }) {
  const waiting = requests.find(isDecidable);
  return (
    <Section title={t.tasks.questions}>
      <ul>
        {requests.map((request) => {
          const { lamp, word } = signalOfRequest(request);
          return (
            <li key={request.id}>
              <button type="button" className={css.question} onClick={() => openRequest(request.id)}>
                <StatusLamp lamp={lamp} />
                <span className={css.asked}>
                  <ServerWord text={titleOf(request).title} />
                </span>
                <span className={css.state}>
                  {word}
                  {isDecidable(request) && !request.snoozed && <Waits since={request.openedAt} />}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
      {requestsMore + requestsClosedMore > 0 && (
        <p className={css.more}>
          {t.tasks.questionsMore(requestsMore, requestsClosedMore)}{" "}
          <button type="button" className={css.link} onClick={() => openInboxOf(row.server)}>
            {t.tasks.questionsInInbox}
          </button>
        </p>
      )}
      {waiting && (
        <div>
          <ActionButton action="task.answer" look="primary" onRun={() => answerRequest(waiting.id)} />
        </div>
      )}
    </Section>
  );
}

/** How long a question has waited for its person. */
function Waits({ since }: { since: Timestamp }) {
  return ` · ${t.inbox.waiting(useAgo(since))}`;
}
