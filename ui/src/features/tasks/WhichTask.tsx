import { ServerWord } from "../../components/ServerText";
import type { TaskRow } from "../../types";
import css from "./TaskDetail.module.css";
import { TaskName } from "./TaskName";

/** Which task a dialog is about: its tool, its arguments, its server and its id. */
export function WhichTask({ row }: { row: TaskRow }) {
  return (
    <p className={css.which}>
      <TaskName row={row} />
      {" · "}
      <ServerWord text={row.serverName} />
      {" · "}
      {row.id}
    </p>
  );
}
