import { useEffect, useState } from "react";

import { alikeIn } from "../../store/page";
import { useAdjusted } from "../../store/useAdjusted";
import { useRows, type Window } from "../../store/useRows";
import { useView } from "../../store/useView";
import type { Overview, RequestId, RequestRow, View } from "../../types";
import { isDecidable } from "./words";

/** So many of those that wait are held: the first of all, and those around the question in hand. */
const MOST = 300;

/** Where one stands among others. */
export interface Position {
  n: number;
  of: number;
}

/** The questions that wait for a person, in the list's order. */
export interface Queue {
  /** Where the question in hand stands among all that can be decided; nowhere when it is not one of them. */
  position: Position | undefined;
  /** How many are like the question in hand, itself included. */
  alike: number;
  /** The listed question that comes after the one in hand, and is none of these. */
  next: (except?: readonly RequestId[]) => RequestId | undefined;
}

const FIRST: Window = { offset: 0, limit: MOST };

function waiting(filter: string, within: string, window = FIRST): Extract<View, { type: "inbox" }> {
  return { type: "inbox", tab: "needs_you", filter, within, ...window };
}

/**
 * Follows what waits: the first of all for the place among them, and what is listed around the question in hand for the next one.
 * `seen` is the number of the question in hand where the list on the screen has it, else -1.
 */
export function useQueue(request: RequestId | null, seen: number, filter: string | undefined, within: string, overview: Overview | undefined): Queue {
  const all = useView(waiting("", "")).data;
  const first = useView(filter === undefined ? undefined : waiting(filter, within)).data?.rows ?? [];
  const scope = JSON.stringify([filter, within]);
  const listed = useRows((window) => (filter === undefined ? undefined : waiting(filter, within, window)), scope, MOST);
  // The tab's number counts what can be decided, and so does the place in it: not what is on its way.
  const counted = all?.rows.filter(isDecidable).map((row) => row.id) ?? [];
  const total = all && all.total > all.rows.length ? (overview?.inbox ?? 0) : counted.length;
  const found = listed.indexOf(request);
  const index = found >= 0 ? found : seen;
  const many = listed.shown?.total ?? 0;
  // Where the question in hand was in the list, also when it has left it: what followed comes next.
  const [place] = useAdjusted(useState({ scope, at: 0 }), (last) => {
    const at = index >= 0 ? index : last.scope === scope ? Math.min(last.at, many) : 0;
    return at === last.at && scope === last.scope ? last : { scope, at };
  });
  // Where all are listed, the number of a row tells where it stands behind the first of all, too.
  const isWhole = filter === "" && within === "";
  const before = isWhole && all && index >= all.rows.length ? decidableBefore(index, (at) => all.rows[at] ?? listed.at(at), all.total - total) : undefined;
  const { onRange } = listed;
  useEffect(() => onRange(place.at), [onRange, place.at]);
  const after = index >= 0 ? index + 1 : place.at;
  return {
    alike: alikeIn(all, request),
    position: positionIn(before ?? counted.indexOf(request ?? ""), total),
    next: (except = []) => {
      const isNext = (row: RequestRow) => isDecidable(row) && row.id !== request && !except.includes(row.id);
      for (let at = after; at < many; at += 1) {
        const row = listed.at(at);
        // What follows is on its way: what comes first of all does not take its place.
        if (!row) return undefined;
        if (isNext(row)) return row.id;
      }
      return first.find(isNext)?.id;
    },
  };
}

/**
 * How many can be decided before the row with this number; undefined where nobody can tell. Those on their way stand among them, and
 * `under` says how many there are: only where all of them are among the rows that are here, it is known how many come before.
 */
export function decidableBefore(index: number, at: (index: number) => RequestRow | undefined, under: number): number | undefined {
  const row = at(index);
  if (!row || !isDecidable(row)) return undefined;
  // No more are here than the first of all, and those around it.
  const here = [...numbers(0, Math.min(MOST, index)), ...numbers(Math.max(MOST, index - MOST), index + MOST)];
  const onTheWay = here.filter((other) => {
    const found = at(other);
    return found !== undefined && !isDecidable(found);
  });
  return onTheWay.length === under ? index - onTheWay.filter((other) => other < index).length : undefined;
}

function numbers(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, n) => from + n);
}

/** Where a row stands; nowhere when it is not among those counted. */
export function positionIn(index: number, of: number): Position | undefined {
  return index < 0 || index >= of ? undefined : { n: index + 1, of };
}
