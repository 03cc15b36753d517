import { momentHere, wholeDay } from "../format/dates";
import { readDay, readMoment } from "../format/days";
import { compact } from "../format/json";
import { brief, visible } from "../format/text";
import { t } from "../strings";
import type { Field } from "../types";
import { emptyOf, mayBeNull, type FieldEntry } from "./value";

/**
 * What is sent for a field, in words, where its control does not say it; undefined where it does, or where a value is still to come.
 * Where it is masked they hold nothing of the value: they are read aloud with the control.
 */
export function stateOf({ kind, required, default: initial }: Field, entry: FieldEntry, masked: boolean): string | undefined {
  const words = t.forms.state;
  const chosen = kind.type === "boolean" || kind.type === "select";
  if (entry === undefined) {
    if (required) return undefined;
    if (initial !== undefined && !masked) return words.absentOf(brief(compact(initial), 80));
    return chosen ? undefined : words.absent;
  }
  if (chosen) return undefined;
  if (entry === null) return words.null;
  if (kind.type === "text" && kind.format === "date" && !masked) return dayOf(entry);
  if (kind.type === "text" && kind.format === "date-time" && !masked) return momentOf(entry);
  if (kind.type === "text" && visible(entry) !== entry) return masked ? words.hidden : `${words.hidden} ${words.spelled(brief(entry, 240))}`;
  if (entry !== emptyOf(kind)) return undefined;
  return entry === "" ? words.emptyText : words.emptyList;
}

/** A date with its day of the week, once it is one. */
function dayOf(text: string): string | undefined {
  const day = readDay(text);
  return day && wholeDay(day);
}

/** Which offset a point in time is sent with, and when it is by the clock of this machine. */
function momentOf(text: string): string | undefined {
  const { day, time, offset } = readMoment(text);
  if (day === undefined || time === undefined) return undefined;
  if (offset === undefined) return t.forms.dates.noZone;
  const at = readDay(day) && Date.parse(text.toUpperCase());
  return t.forms.dates.sent(offset, at === undefined || Number.isNaN(at) ? undefined : momentHere(new Date(at)));
}

/** A button to what no typing says. */
export interface Way {
  words: string;
  to: FieldEntry;
}

/** The ways from what is sent to something else: nothing, an empty text or list, null. A choice among options has one for each. */
export function waysOf(field: Field, entry: FieldEntry): readonly Way[] {
  const { kind, required } = field;
  if (kind.type === "boolean" || kind.type === "select") return [];
  const words = t.forms.ways;
  const empty = emptyOf(kind);
  const ways: Way[] = [];
  if (entry === undefined && empty !== undefined) ways.push({ words: empty === "" ? words.emptyText : words.emptyList, to: empty });
  if (entry !== null && mayBeNull(field) && !entry) ways.push({ words: words.null, to: null });
  if (entry !== undefined && !required) ways.push({ words: words.unset, to: undefined });
  // In a list of ticks, ticking undoes it.
  if (required && (entry === null || entry === "")) ways.push({ words: words.undo, to: undefined });
  return ways;
}
