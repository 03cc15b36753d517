import { Fragment, useState } from "react";

import { signalOfTask } from "../../components/lamp";
import { Section } from "../../components/Section";
import { ServerWord } from "../../components/ServerText";
import { StatusLamp } from "../../components/StatusLamp";
import { ClockTime } from "../../components/Time";
import { duration, ms } from "../../format/time";
import { openRequest } from "../../places/nav";
import { ACTION, EVENT, saidWords, t } from "../../strings";
import type { Action, Event, RequestId, Stretch, TaskDetail, TaskRow } from "../../types";
import { moments, type Moment } from "./moments";
import { endingOf, isSaid } from "./said";
import { timeSpent, TimeSpent } from "./TimeSpent";
import css from "./Timeline.module.css";

/** How many lines are shown unasked. */
const SHOWN = 12;

interface Props {
  task: Pick<TaskDetail, "row" | "timeline" | "stretches">;
  /** Whether it stands below its task: what the ending says is not said again, and an entry leads to its question. Nothing leads away from a dialog. */
  below?: boolean;
}

/** What happened to a task, in order, and what its time went into. */
export function Timeline({ task: { row, timeline, stretches }, below = false }: Props) {
  const [all, setAll] = useState(false);
  const told = moments(timeline);
  const said = below && row.outcome !== undefined ? [...endingOf(row), row.statusMessage ?? ""] : [];
  const hidden = all ? 0 : Math.max(0, told.length - SHOWN);
  return (
    <Section title={t.tasks.timeline}>
      {stretches.length > 0 && <TimeSpent stretches={stretches} adopted={row.origin === "adopted"} />}
      {hidden > 0 && (
        <button type="button" className={css.earlier} onClick={() => setAll(true)}>
          {t.tasks.earlier(hidden)}
        </button>
      )}
      <ol className={css.events}>
        {told.slice(hidden).map((moment, index) => (
          <li key={hidden + index} className={css.event}>
            <span className={css.time}>
              <ClockTime at={moment.at} seconds />
            </span>
            <Mark moment={moment} row={row} />
            <span className={css.words}>
              {unsaid(moment, said).map((event, part, events) => (
                <Fragment key={part}>
                  {part > 0 && " · "}
                  <Words event={event} row={row} said={said} />
                  {below && event.request !== undefined && event.request !== events[part - 1]?.request && <Question id={event.request} />}
                </Fragment>
              ))}
              <Waited stretches={stretches} moment={moment} />
            </span>
          </li>
        ))}
      </ol>
      {timeline.length === 0 && <p>{t.tasks.noTimeline}</p>}
    </Section>
  );
}

/** A dot; at the end the shape and the colour that the task has everywhere. */
function Mark({ moment: { tone }, row }: { moment: Moment; row: TaskRow }) {
  if (tone !== "end") return <span className={css.dot} data-tone={tone} aria-hidden="true" />;
  return (
    <span className={css.end}>
      <StatusLamp lamp={signalOfTask(row).lamp} />
    </span>
  );
}

/** What happened in a moment. The last status of a task often says no more than how it ended. */
function unsaid({ tone, events }: Moment, said: readonly string[]): Event[] {
  return tone === "end" ? events.filter(({ kind, text }) => kind !== "status" || text === undefined || !isSaid(text, said)) : events;
}

/** How long a person had been waited for, where that was over in this moment. */
function Waited({ stretches, moment }: { stretches: readonly Stretch[]; moment: Moment }) {
  const ends = new Set(moment.events.map(({ at }) => ms(at)));
  const over = stretches.filter(({ spent, until }) => spent === "waiting" && until !== undefined && ends.has(ms(until)));
  const waited = timeSpent(over, 0).waiting;
  return waited >= 1_000 && <span className={css.waited}> · {t.tasks.spent.waiting(duration(waited))}</span>;
}

/** The way to the question that an entry is about. */
function Question({ id }: { id: RequestId }) {
  return (
    <>
      {" "}
      <button type="button" className={css.earlier} onClick={() => openRequest(id)} title={t.tasks.toQuestion}>
        {id}
      </button>
    </>
  );
}

function isAction(text: string): text is Action {
  return Object.hasOwn(ACTION, text);
}

/** What an entry says, without what is said above. */
function Words({ event, row, said }: { event: Event; row: TaskRow; said: readonly string[] }) {
  const { kind } = event;
  const text = saidWords(event);
  const name = kind === "ended" && row.outcome !== undefined ? signalOfTask(row).word : EVENT[kind];
  if (text === undefined || text === "" || (kind !== "status" && said.includes(text))) return name;
  if (kind === "status") return <ServerWord text={text} />;
  if (kind === "answered" && isAction(text)) return `${EVENT.answered}: ${ACTION[text]}`;
  return (
    <>
      {name}: <ServerWord text={text} />
    </>
  );
}
