import { ServerWord } from "../../components/ServerText";
import { t } from "../../strings";
import type { TaskRow } from "../../types";
import css from "./TaskDetail.module.css";

/** Which task a dialog is about: its tool, its arguments, its server and its id. */
export function WhichTask({ row: { id, tool, summary, serverName } }: { row: TaskRow }) {
  return (
    <p className={css.which}>
      <strong>{tool === "" ? t.tasks.adopted : <ServerWord text={tool} />}</strong>
      {summary !== "" && (
        <>
          {" · "}
          <ServerWord text={summary} />
        </>
      )}
      {" · "}
      <ServerWord text={serverName} />
      {" · "}
      {id}
    </p>
  );
}
