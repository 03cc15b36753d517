import { memo, useCallback, type ReactNode } from "react";

import { signalOfTask, type Signal } from "../../components/lamp";
import { ServerWord } from "../../components/ServerText";
import { StatusLamp } from "../../components/StatusLamp";
import { Ago, Elapsed, Left, Since } from "../../components/Time";
import { ms, NEAR_MS, SILENT_MS } from "../../format/time";
import { useClock } from "../../store/clock";
import { ORIGIN, OUTCOME, t, TRACKING } from "../../strings";
import type { TaskRow, Timestamp } from "../../types";
import { fitting, NO_WIDTHS, trackOf, USUAL_COLUMNS, type Column, type Widths } from "./columns";
import { Progress } from "./Progress";
import { TagCell } from "./Tags";
import css from "./TaskList.module.css";

interface Props {
  row: TaskRow | undefined;
  /** Only in the row in hand the ring turns. */
  selected: boolean;
  columns?: readonly Column[];
  widths?: Widths;
  /** How much room there is, in px; 0 where that is not known. */
  width?: number;
}

/** The cells of a task. Without a row yet, an empty line that keeps its place. */
export const TaskLine = memo(function TaskLine({ row, selected, columns = USUAL_COLUMNS, widths = NO_WIDTHS, width = 0 }: Props) {
  if (!row) return <div role="gridcell" className={css.line} aria-busy="true" />;
  const signal = signalOfTask(row);
  const shown = fitting(columns, width, widths);
  const lacks = (column: Column) => columns.includes(column) && !shown.includes(column);
  // Said once.
  const aged = !shown.includes("waiting");
  return (
    <div role="presentation" className={css.line} data-lamp={signal.lamp} style={{ gridTemplateColumns: trackOf(shown, widths) }}>
      <StatusLamp lamp={signal.lamp} turning={selected} />
      {lacks("status") && (
        // The lamp alone; its word is still read out.
        <span role="gridcell" className="unseen">
          <StatusWords row={row} signal={signal} aged={aged} />
        </span>
      )}
      {shown.map((column) => (
        <span key={column} role="gridcell" className={CELL[column]}>
          {column === "status" && lacks("silent") && row.outcome === undefined && row.hasTask && row.group === "working" ? (
            <Silence since={row.seenAt}>
              <StatusWords row={row} signal={signal} aged={aged} />
            </Silence>
          ) : (
            <Cell column={column} row={row} signal={signal} aged={aged} />
          )}
          {column === "status" && !shown.includes("progress") && row.outcome === undefined && row.progress && (
            <span className={css.thin}>
              <Progress fraction={row.progress.fraction} />
            </span>
          )}
        </span>
      ))}
    </div>
  );
});

const NUMBER = css.number;
const CUT = css.cut;

/** How each column's cells and its head stand. */
export const CELL: Readonly<Record<Column, string | undefined>> = {
  status: css.status,
  progress: css.bar,
  tool: css.tool,
  server: CUT,
  elapsed: NUMBER,
  silent: NUMBER,
  waiting: NUMBER,
  ended: NUMBER,
  ttl: NUMBER,
  tracking: CUT,
  outcome: CUT,
  origin: CUT,
  tags: CUT,
};

interface WordsProps {
  row: TaskRow;
  signal: Signal;
  /** The status says how long a person has been waited for: no column does. */
  aged: boolean;
}

/** What a column says of a task. */
function Cell({ column, row, signal, aged }: WordsProps & { column: Column }) {
  const live = row.outcome === undefined;
  switch (column) {
    case "status":
      return <StatusWords row={row} signal={signal} aged={aged} />;
    case "progress":
      return live && row.progress && <Progress fraction={row.progress.fraction} />;
    case "tool":
      return (
        <>
          {row.tool === "" ? t.tasks.adopted : <strong><ServerWord text={row.tool} /></strong>}{" "}
          <span className={css.summary}>
            <ServerWord text={row.summary} />
          </span>
        </>
      );
    case "server":
      return <ServerWord text={row.serverName} />;
    case "elapsed":
      return live ? <Since at={row.createdAt} /> : <Elapsed at={row.createdAt} until={row.endedAt} />;
    case "silent":
      // A task that waits for somebody is silent for a reason.
      return live && row.hasTask && <Since at={row.seenAt} {...(row.group === "working" && { warnMs: SILENT_MS })} className={css.near} />;
    case "waiting":
      return row.openRequests > 0 && <Waiting since={row.waitingSince}>{t.tasks.questionCount(row.openRequests)}</Waiting>;
    case "ended":
      return row.endedAt !== undefined && <Ago at={row.endedAt} />;
    case "ttl":
      if (!live) return null;
      if (row.expiresAt !== undefined) return <Left at={row.expiresAt} warnMs={NEAR_MS} className={css.near} rough />;
      return row.hasTask && <span className={css.none}>{t.tasks.noLimit}</span>;
    case "tracking":
      return TRACKING[row.tracking];
    case "outcome":
      return row.outcome && OUTCOME[row.outcome];
    case "origin":
      return ORIGIN[row.origin];
    case "tags":
      return row.tags && <TagCell tags={row.tags} />;
  }
}

/** Questions that wait for a person, with how long the oldest one has. */
function Waiting({ since, children }: { since: Timestamp | undefined; children: ReactNode }) {
  return (
    <>
      {children}
      {since !== undefined && (
        <>
          {", "}
          <Since at={since} rough />
        </>
      )}
    </>
  );
}

/** The status of a task that works, where no column says how long it has been silent: warns once that is long. */
function Silence({ since, children }: { since: Timestamp; children: ReactNode }) {
  const isLong = useClock(useCallback((now: number) => now - ms(since) > SILENT_MS, [since]));
  return (
    <span className={isLong ? css.near : undefined}>
      {children}
      {isLong && (
        <span className="unseen">
          {t.tasks.silentFor}
          <Since at={since} />
        </span>
      )}
    </span>
  );
}

/** The word of the status; while work goes on well, what the server says of it. */
function StatusWords({ row, signal, aged }: WordsProps) {
  if (row.group === "needs_you") {
    // The column has no room for both.
    if (row.openRequests > 1) return t.tasks.questionCount(row.openRequests);
    return <Waiting since={aged ? row.waitingSince : undefined}>{signal.word}</Waiting>;
  }
  if (signal.lamp !== "working" || row.cancel || !row.statusMessage) return <bdi>{signal.word}</bdi>;
  return (
    <>
      <span className="unseen">{signal.word}: </span>
      <ServerWord text={row.statusMessage} />
    </>
  );
}
