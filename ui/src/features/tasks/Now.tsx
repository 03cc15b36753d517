import { Section } from "../../components/Section";
import { ServerText } from "../../components/ServerText";
import { signalOfTask } from "../../components/lamp";
import { StatusLamp } from "../../components/StatusLamp";
import { useAgo, useUntil } from "../../components/Time";
import { t } from "../../strings";
import type { TaskDetail } from "../../types";
import { NoteBlock } from "./NoteBlock";
import { Progress } from "./Progress";
import css from "./TaskDetail.module.css";

/** What a live task does now, as far as the server says. */
export function Now({ task }: { task: TaskDetail }) {
  const { row } = task;
  const signal = signalOfTask(row);
  const silent = useAgo(row.seenAt);
  const poll = useUntil(row.nextPollAt);
  const news = row.hasTask ? t.tasks.reported(silent) : onCall(task);
  return (
    <Section title={t.tasks.now}>
      <div className={css.now} data-lamp={signal.lamp}>
        <StatusLamp lamp={signal.lamp} turning />
        <div className={css.said}>
          {row.statusMessage ? <ServerText text={row.statusMessage} limit={600} /> : <p>{signal.word}</p>}
          <p className={css.news}>
            {[row.statusMessage && signal.word !== "working" && signal.word, news, poll && t.tasks.nextPoll(poll)]
              .filter(Boolean)
              .join(" · ")}
          </p>
        </div>
      </div>
      {row.progress && <Progress fraction={row.progress.fraction} />}
      {row.cancel && <CancelWish requested={row.cancel.requestedAt} known={row.cancel.acknowledgedAt} />}
      {row.note && <NoteBlock note={row.note} />}
    </Section>
  );
}

/** How far a call got that no task was made of. */
function onCall({ delivery, row, requests }: TaskDetail): string {
  switch (delivery) {
    case "queued":
      return t.tasks.queued;
    case "sent":
      // The legacy wire asks while the first answer is still on its way; the modern one asks in its answers.
      return row.wire === "modern" && requests.length > 0 ? t.tasks.sentAgain : t.tasks.sent;
    case "answered":
      return t.tasks.asked;
  }
}

function CancelWish({ requested, known }: { requested: string; known: string | undefined }) {
  const ago = useAgo(known ?? requested);
  return (
    <p className={css.wish} role="status">
      <strong>{t.tasks.cancelRequested}.</strong> {known === undefined ? t.tasks.cancelRequestedLong(ago) : t.tasks.cancelKnown(ago)}
    </p>
  );
}
