import { ServerWord } from "../../components/ServerText";
import { t } from "../../strings";
import type { TaskRow } from "../../types";

/** What was called, and with what, on one line. */
export function TaskName({ row: { tool, summary } }: { row: Pick<TaskRow, "tool" | "summary"> }) {
  return (
    <>
      <strong>{tool === "" ? t.tasks.adopted : <ServerWord text={tool} />}</strong>
      {summary !== "" && (
        <>
          {" · "}
          <ServerWord text={summary} />
        </>
      )}
    </>
  );
}
