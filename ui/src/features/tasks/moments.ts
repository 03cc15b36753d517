import { ms } from "../../format/time";
import type { Event, EventKind } from "../../types";

/** How an entry of a timeline is marked, the one that matters most first. */
const TONES = ["end", "bad", "asks", "good", "working", "idle"] as const;

export type Tone = (typeof TONES)[number];

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
  ended: "end",
  orphaned: "bad",
  unknown: "bad",
};

/** What happened within one second by our clock, in order. */
export interface Moment {
  at: Event["at"];
  /** That of its entry which matters most. */
  tone: Tone;
  events: Event[];
}

/** A timeline moment by moment: its clock shows seconds, and what has the same time on it is read as one. */
export function moments(events: readonly Event[]): Moment[] {
  const all: Moment[] = [];
  let second: number | undefined;
  for (const event of events) {
    const its = Math.floor(ms(event.at) / 1_000);
    const last = all.at(-1);
    const tone = TONE[event.kind];
    if (last === undefined || its !== second) {
      all.push({ at: event.at, tone, events: [event] });
    } else {
      last.events.push(event);
      if (TONES.indexOf(tone) < TONES.indexOf(last.tone)) last.tone = tone;
    }
    second = its;
  }
  return all;
}
