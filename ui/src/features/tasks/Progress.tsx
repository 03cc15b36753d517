import { percent } from "../../format/part";
import { t } from "../../strings";
import css from "./TaskDetail.module.css";

/** How far a task is, as its server says. */
export function Progress({ fraction }: { fraction: number }) {
  const part = percent(fraction);
  return (
    <progress className={css.progress} aria-label={t.tasks.progressOf(part)} title={t.tasks.progressOf(part)} value={fraction * 100} max={100}>
      {part}
    </progress>
  );
}
