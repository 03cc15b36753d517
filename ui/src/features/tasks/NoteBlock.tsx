import { Says } from "../../components/States";
import { headline, noteWords } from "../../strings";
import type { StatusNote } from "../../types";
import css from "./TaskDetail.module.css";

/** Why a task is as it is, where its status alone does not say. */
export function NoteBlock({ note }: { note: StatusNote }) {
  // The headline of an unknown item speaks of something a person asked for. Here its reason alone says what is unknown to whom.
  const title = note.code === "unknown_item" ? undefined : headline(note.code);
  return (
    <div className={css.note}>
      {title !== undefined && <strong>{title}</strong>}
      <Says code={note.code} message={noteWords(note)} />
    </div>
  );
}
