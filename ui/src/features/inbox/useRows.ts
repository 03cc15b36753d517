import { useState } from "react";

import type { Rows } from "../../store/page";
import { useView, type Viewed } from "../../store/useView";
import type { InboxTab, RequestRow, View } from "../../types";

/** How many rows one view holds, and in which steps it moves. Both are far more than what is in sight at once. */
const WINDOW = 200;
const STEP = 100;

type InboxView = Extract<View, { type: "inbox" }>;

/** The first rows of a tab. */
export function firstRows(tab: InboxTab): InboxView {
  return { type: "inbox", tab, offset: 0, limit: WINDOW };
}

/** A tab of the inbox, as much of it as is in sight. */
export interface InboxRows {
  view: Viewed<InboxView>;
  total: number;
  /** The row at a place of the whole list; undefined while it is on its way. */
  at: (index: number) => RequestRow | undefined;
  /** Where a question stands in the whole list; -1 when it is out of sight or not in it. */
  indexOf: (id: string | null) => number;
  onRange: (first: number, last: number) => void;
}

/** Follows the part of a tab that is in sight. While that part changes, the one before stays. */
export function useRows(tab: InboxTab): InboxRows {
  const [offset, setOffset] = useState(0);
  const view = useView({ ...firstRows(tab), offset });
  const [held, setHeld] = useState<{ tab: InboxTab; offset: number; data: Rows<RequestRow> }>();
  if (held?.tab !== tab && offset !== 0) setOffset(0);
  if (view.data && (held?.data !== view.data || held.offset !== offset || held.tab !== tab)) setHeld({ tab, offset, data: view.data });

  const shown = held?.tab === tab ? held : undefined;
  const rows = shown?.data.rows ?? [];
  const start = shown?.offset ?? 0;
  return {
    view,
    total: shown?.data.total ?? 0,
    at: (index) => rows[index - start],
    indexOf: (id) => {
      const index = rows.findIndex((row) => row.id === id);
      return index < 0 ? -1 : start + index;
    },
    onRange: (first, last) => {
      const covered = first >= offset && (last < offset + WINDOW || offset + WINDOW >= (shown?.data.total ?? 0));
      if (!covered) setOffset(Math.max(0, Math.floor((first - STEP / 2) / STEP) * STEP));
    },
  };
}
