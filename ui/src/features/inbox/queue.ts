import { useState } from "react";

import { alikeIn } from "../../store/page";
import { useAdjusted } from "../../store/useAdjusted";
import { useView } from "../../store/useView";
import type { Overview, RequestId, View } from "../../types";
import { isDecidable } from "./words";

/** Of so many that wait it is known which one comes next. */
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

function waiting(filter: string, within: string): Extract<View, { type: "inbox" }> {
  return { type: "inbox", tab: "needs_you", filter, within, offset: 0, limit: MOST };
}

/** Follows what waits: all of it for the place in it, and what is listed of it for the next one. */
export function useQueue(request: RequestId | null, filter: string | undefined, within: string, overview: Overview | undefined): Queue {
  const all = useView(waiting("", "")).data;
  const listed = useView(filter === undefined ? undefined : waiting(filter, within)).data?.rows ?? [];
  // The tab's number counts what can be decided, and so does the place in it: not what is on its way.
  const counted = all?.rows.filter(isDecidable).map((row) => row.id) ?? [];
  const total = all && all.total > all.rows.length ? (overview?.inbox ?? 0) : counted.length;
  // Where the question in hand was in the list, also when it has left it: what followed comes next.
  const index = listed.findIndex((row) => row.id === request);
  const [place] = useAdjusted(useState(0), (last) => (index >= 0 ? index : last));
  const after = index >= 0 ? index + 1 : place;
  return {
    alike: alikeIn(all, request),
    position: positionIn(counted.indexOf(request ?? ""), total),
    next: (except = []) =>
      [...listed.slice(after), ...listed.slice(0, after)].find((row) => isDecidable(row) && row.id !== request && !except.includes(row.id))?.id,
  };
}

/** Where a row stands; nowhere when it is not among those counted. */
export function positionIn(index: number, of: number): Position | undefined {
  return index < 0 || index >= of ? undefined : { n: index + 1, of };
}
