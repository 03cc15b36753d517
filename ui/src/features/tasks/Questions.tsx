import { openRequest } from "../../app/nav";
import { ActionButton } from "../../components/Button";
import { signalOfRequest } from "../../components/lamp";
import { Section } from "../../components/Section";
import { ServerWord } from "../../components/ServerText";
import { StatusLamp } from "../../components/StatusLamp";
import { t } from "../../strings";
import type { RequestRow } from "../../types";
import { isDecidable, titleOf } from "../inbox/words";
import css from "./TaskDetail.module.css";

/** The questions of a task; each leads to the inbox. */
export function Questions({ requests }: { requests: RequestRow[] }) {
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
                <span className={css.state}>{word}</span>
              </button>
            </li>
          );
        })}
      </ul>
      {waiting && (
        <div>
          <ActionButton action="task.answer" look="primary" onRun={() => openRequest(waiting.id)} />
        </div>
      )}
    </Section>
  );
}
