import { CopyButton } from "../../components/CopyButton";
import { t } from "../../strings";
import type { TaskDetail } from "../../types";
import { commandLine } from "./commandLine";
import css from "./TaskDetail.module.css";

/** Copies the command line that makes a task's call once more, where there is one. */
export function CopyCommand({ task }: { task: TaskDetail }) {
  const command = commandLine(task);
  if (command === undefined) return null;
  return (
    <p className={css.news}>
      <CopyButton text={command.text} label={t.tasks.copyCommand} leads /> {command.without !== undefined && t.tasks.copiedWithout[command.without]}
    </p>
  );
}
