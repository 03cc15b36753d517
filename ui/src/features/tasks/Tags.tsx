import { ServerWord } from "../../components/ServerText";
import { seekTasks } from "../../places/nav";
import { t } from "../../strings";
import css from "./Own.module.css";

/** Tags in a row of the list. A press lists the tasks that have one; the keys reach them in the task's pane. */
export function TagCell({ tags }: { tags: readonly string[] }) {
  return tags.map((tag) => (
    <button
      key={tag}
      type="button"
      tabIndex={-1}
      className={css.word}
      title={t.tasks.own.list(tag)}
      onClick={(event) => {
        // The row itself stays where it is.
        event.stopPropagation();
        seekTasks(tokenOf(tag));
      }}
    >
      <ServerWord text={tag} />
    </button>
  ));
}

/** A tag, a press on which lists the tasks that have it, and a press beside it that takes it off. */
export function TagChip({ tag, onDrop }: { tag: string; onDrop: () => void }) {
  return (
    <span className={css.tag}>
      <button type="button" className={css.word} title={t.tasks.own.list(tag)} onClick={() => seekTasks(tokenOf(tag))}>
        <ServerWord text={tag} />
      </button>
      <button type="button" className={css.drop} aria-label={t.tasks.own.drop(tag)} title={t.tasks.own.drop(tag)} onClick={onDrop}>
        <span aria-hidden="true">×</span>
      </button>
    </span>
  );
}

/** The token that shows what has a tag. No tag has a character that would have to be quoted. */
export function tokenOf(tag: string): string {
  return `tag:${tag}`;
}
