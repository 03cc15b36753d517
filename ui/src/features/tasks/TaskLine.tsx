import { memo } from "react";

import { signalOfTask, type Signal } from "../../components/lamp";
import { ServerWord } from "../../components/ServerText";
import { StatusLamp } from "../../components/StatusLamp";
import { Ago, Elapsed, Left, Since } from "../../components/Time";
import { NEAR_MS } from "../../format/time";
import { t } from "../../strings";
import type { TaskRow } from "../../types";
import css from "./TaskList.module.css";

interface Props {
  row: TaskRow | undefined;
  /** Only in the row in hand the ring turns. */
  selected: boolean;
}

/** The cells of a task. Without a row yet, an empty line that keeps its place. */
export const TaskLine = memo(function TaskLine({ row, selected }: Props) {
  if (!row) return <div role="gridcell" className={css.line} aria-busy="true" />;
  const signal = signalOfTask(row);
  const live = row.outcome === undefined;
  return (
    <div role="presentation" className={css.line} data-lamp={signal.lamp}>
      <StatusLamp lamp={signal.lamp} turning={selected} />
      <span role="gridcell" className={css.status}>
        <StatusWords row={row} signal={signal} />
      </span>
      <span role="gridcell" className={css.tool}>
        {row.tool === "" ? t.tasks.adopted : <strong><ServerWord text={row.tool} /></strong>}{" "}
        <span className={css.summary}>
          <ServerWord text={row.summary} />
        </span>
      </span>
      <span role="gridcell" className={`${css.cut} ${css.server}`}>
        <ServerWord text={row.serverName} />
      </span>
      <span role="gridcell" className={`${css.number} ${css.elapsed}`}>
        {live ? <Since at={row.createdAt} /> : <Elapsed at={row.createdAt} until={row.endedAt} />}
      </span>
      <span role="gridcell" className={`${css.number} ${css.silent}`}>
        {live && row.hasTask && <Since at={row.seenAt} />}
      </span>
      <span role="gridcell" className={`${css.number} ${css.ended}`}>
        {row.endedAt !== undefined && <Ago at={row.endedAt} />}
      </span>
      <span role="gridcell" className={`${css.number} ${css.ttl}`}>
        {live && row.expiresAt !== undefined && <Left at={row.expiresAt} warnMs={NEAR_MS} className={css.near} rough />}
        {live && row.expiresAt === undefined && row.hasTask && <span className={css.none}>{t.tasks.noLimit}</span>}
      </span>
    </div>
  );
});

/** The word of the status; while work goes on well, what the server says of it. */
function StatusWords({ row, signal }: { row: TaskRow; signal: Signal }) {
  if (signal.lamp === "needs_you" && row.openRequests > 1) return t.tasks.questionCount(row.openRequests);
  if (signal.lamp !== "working" || row.cancel || !row.statusMessage) return <bdi>{signal.word}</bdi>;
  return (
    <>
      <span className="unseen">{signal.word}: </span>
      <ServerWord text={row.statusMessage} />
    </>
  );
}
