import { useCallback, useState } from "react";

import type { Rows } from "../../store/page";
import { useView, type Viewed } from "../../store/useView";
import type { InboxTab, RequestRow, View } from "../../types";

const STEP = 100;
const LIMIT = 3 * STEP;

type InboxView = Extract<View, { type: "inbox" }>;

/** The first rows of a tab. */
export function firstRows(tab: InboxTab): InboxView {
  return { type: "inbox", tab, offset: 0, limit: LIMIT };
}

/** A tab of the inbox, as much of it as is in sight. */
export interface InboxRows {
  view: Viewed<InboxView>;
  total: number;
  /** The row at a place of the whole list; undefined while it is on its way. */
  at: (index: number) => RequestRow | undefined;
  /** Where a question stands in the whole list; -1 when it is out of sight or not in it. */
  indexOf: (id: string | null) => number;
  /** Takes the number of the first row in sight. */
  onRange: (first: number) => void;
}

/** Holds a window of rows around what is in sight, however long the tab is. While another is on its way, the last one stays. */
export function useRows(tab: InboxTab): InboxRows {
  const [sight, setSight] = useState({ tab, step: 0 });
  const offset = sight.tab === tab ? Math.max(0, sight.step - 1) * STEP : 0;
  const view = useView<InboxView>({ ...firstRows(tab), offset });
  const [last, setLast] = useState<{ tab: InboxTab; offset: number; data: Rows<RequestRow> }>();
  if (view.data && view.data !== last?.data) setLast({ tab, offset, data: view.data });

  const held = view.data ? { offset, data: view.data } : last?.tab === tab ? last : undefined;
  const { data, offset: start } = held ?? { data: undefined, offset: 0 };
  return {
    view,
    total: data?.total ?? 0,
    at: useCallback((index) => data?.rows[index - start], [data, start]),
    indexOf: (id) => {
      const index = data?.rows.findIndex((row) => row.id === id) ?? -1;
      return index < 0 ? -1 : start + index;
    },
    onRange: useCallback(
      (first) => {
        const step = Math.floor(first / STEP);
        setSight((now) => (now.tab === tab && now.step === step ? now : { tab, step }));
      },
      [tab],
    ),
  };
}
