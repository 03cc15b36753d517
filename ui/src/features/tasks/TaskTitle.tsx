import { ServerWord } from "../../components/ServerText";
import { ClockTime } from "../../components/Time";
import { t } from "../../strings";
import type { TaskDetail } from "../../types";
import css from "./TaskDetail.module.css";
import { TaskName } from "./TaskName";

/** What was called, where, since when and until when. */
export function TaskTitle({ task: { row } }: { task: TaskDetail }) {
  return (
    <div>
      <h1 className={css.title}>
        <TaskName row={row} />
      </h1>
      <p className={css.under}>
        <strong>
          <ServerWord text={row.serverName} />
        </strong>
        {" · "}
        {row.origin === "started" ? t.tasks.started : t.tasks.adoptedAt} <ClockTime at={row.createdAt} /> {t.tasks.byYou}
        {row.outcome === undefined && row.expiresAt !== undefined && (
          <>
            {" · "}
            {t.tasks.endsBy} <ClockTime at={row.expiresAt} />
          </>
        )}
      </p>
    </div>
  );
}
