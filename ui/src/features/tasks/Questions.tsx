import { openRequest } from "../../app/nav";
import { ActionButton } from "../../components/Button";
import { REQUEST_LAMP } from "../../components/lamp";
import { Section } from "../../components/Section";
import { ServerWord } from "../../components/ServerText";
import { StatusLamp } from "../../components/StatusLamp";
import { CLOSE_REASON, REQUEST_STATE, t } from "../../strings";
import type { RequestRow } from "../../types";
import css from "./TaskDetail.module.css";

/** The questions of a task; each leads to the inbox. */
export function Questions({ requests }: { requests: RequestRow[] }) {
  const waiting = requests.find((request) => REQUEST_LAMP[request.state] === "needs_you");
  return (
    <Section title={t.tasks.questions}>
      <ul>
        {requests.map((request) => (
          <li key={request.id}>
            <button type="button" className={css.question} onClick={() => openRequest(request.id)}>
              <StatusLamp lamp={REQUEST_LAMP[request.state]} />
              <span className={css.asked}>
                <ServerWord text={request.message} />
              </span>
              <span className={css.state}>{request.reason ? CLOSE_REASON[request.reason] : REQUEST_STATE[request.state]}</span>
            </button>
          </li>
        ))}
      </ul>
      {waiting && (
        <div>
          <ActionButton action="task.answer" look="primary" onRun={() => openRequest(waiting.id)} />
        </div>
      )}
    </Section>
  );
}
