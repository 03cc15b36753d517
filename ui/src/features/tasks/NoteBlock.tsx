import { ServerText } from "../../components/ServerText";
import { CODES } from "../../strings";
import type { StatusNote } from "../../types";
import css from "./TaskDetail.module.css";

/** Why a task is as it is, where its status alone does not say. */
export function NoteBlock({ note }: { note: StatusNote }) {
  const headline = Object.entries(CODES).find(([code]) => code === note.code)?.[1];
  return (
    <div className={css.note}>
      {headline !== undefined && <strong>{headline}</strong>}
      <ServerText text={note.message} limit={600} />
    </div>
  );
}
