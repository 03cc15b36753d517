import { useState } from "react";

import { Section } from "../../components/Section";
import { ServerWord } from "../../components/ServerText";
import { ClockTime } from "../../components/Time";
import { ACTION, EVENT, saidWords, t } from "../../strings";
import type { Action, Event, EventKind, Outcome } from "../../types";
import css from "./Timeline.module.css";

type Tone = "idle" | "working" | "asks" | "good" | "bad";

const TONE: Record<EventKind, Tone> = {
  called: "idle",
  adopted: "idle",
  task_created: "idle",
  status: "working",
  asked: "asks",
  answered: "good",
  undone: "idle",
  lapsed: "asks",
  acknowledged: "idle",
  taken: "good",
  not_taken: "bad",
  refused: "bad",
  closed: "idle",
  cancel_requested: "idle",
  cancel_acknowledged: "idle",
  trouble: "bad",
  left_out: "bad",
  no_result: "bad",
  ttl_passed: "bad",
  answer_time_passed: "bad",
  request_refused: "bad",
  timeline_full: "bad",
  recovered: "good",
  ended: "idle",
  orphaned: "bad",
  unknown: "bad",
};

/** How many entries are shown unasked. */
const SHOWN = 12;

interface Props {
  events: Event[];
  outcome: Outcome | undefined;
  /** What is said above already. */
  said: string | undefined;
}

/** What happened to a task, in order. */
export function Timeline({ events, outcome, said }: Props) {
  const [all, setAll] = useState(false);
  const hidden = all ? 0 : Math.max(0, events.length - SHOWN);
  return (
    <Section title={t.tasks.timeline}>
      {hidden > 0 && (
        <button type="button" className={css.earlier} onClick={() => setAll(true)}>
          {t.tasks.earlier(hidden)}
        </button>
      )}
      <ol className={css.events}>
        {events.slice(hidden).map((event, index) => (
          <li key={hidden + index} className={css.event}>
            <span className={css.time}>
              <ClockTime at={event.at} seconds />
            </span>
            <span className={css.dot} data-tone={event.kind === "ended" ? endTone(outcome) : TONE[event.kind]} aria-hidden="true" />
            <span className={css.words}>
              <Words kind={event.kind} text={shown(event, said)} />
            </span>
          </li>
        ))}
      </ol>
      {events.length === 0 && <p>{t.tasks.noTimeline}</p>}
    </Section>
  );
}

function endTone(outcome: Outcome | undefined): Tone {
  if (outcome === undefined || outcome === "cancelled") return "idle";
  return outcome === "ok" ? "good" : "bad";
}

function isAction(text: string): text is Action {
  return Object.hasOwn(ACTION, text);
}

/** What stands beside an entry, unless it is said above. */
function shown(event: Event, said: string | undefined): string | undefined {
  const text = saidWords(event);
  return text === said ? undefined : text;
}

function Words({ kind, text }: { kind: EventKind; text: string | undefined }) {
  if (text === undefined || text === "") return EVENT[kind];
  if (kind === "status") return <ServerWord text={text} />;
  if (kind === "answered" && isAction(text)) return `${EVENT.answered}: ${ACTION[text]}`;
  return (
    <>
      {EVENT[kind]}: <ServerWord text={text} />
    </>
  );
}
