import { useCallback, useState } from "react";

import type { View } from "../types";
import type { Rows } from "./page";
import type { Seen } from "./seen";
import { useAdjusted } from "./useAdjusted";
import { useView, type Viewed } from "./useView";

const STEP = 50;
/** From the first row in sight on at least 100 are held: a tall window shows no blank rows. */
const LIMIT = 4 * STEP;

type ListView = Extract<View, { type: "inbox" | "tasks" }>;
type RowOf<V extends ListView> = Seen<V>["rows"][number];

/** Which rows of a list are held here. */
export type Window = Pick<ListView, "offset" | "limit">;

/** A list, as much of it as is in sight. */
export interface RowWindow<V extends ListView> {
  viewed: Viewed<V>;
  /** What is shown: while another window is on its way, the last one. */
  shown: Rows<RowOf<V>> | undefined;
  /** The view that this is of: another one than was asked for last while that is on its way. */
  of: V | undefined;
  /** A row by its number in the whole list; undefined while it is on its way. */
  at: (index: number) => RowOf<V> | undefined;
  /** The number of a row in the whole list; -1 when it is not among those held here. */
  indexOf: (id: string | null) => number;
  /** Takes the number of the first row in sight. */
  onRange: (first: number) => void;
}

/**
 * Holds a window of rows around what is in sight, however long the list is. While another window is on its way, the last one
 * stays. Where `scope` changes, nothing stays: it is another list, and begins at its top. Nothing is asked for without a view.
 * `limit` is for who needs more of it than is in sight.
 */
export function useRows<V extends ListView>(viewOf: (window: Window) => V | undefined, scope = "", limit = LIMIT): RowWindow<V> {
  const [sight, setSight] = useState({ scope, offset: 0, from: 0 });
  const { offset, from } = sight.scope === scope ? sight : { offset: 0, from: 0 };
  const view = viewOf({ offset, limit });
  const viewed = useView(view, viewOf({ offset: from, limit }));
  const fresh = viewed.data as Rows<RowOf<V>> | undefined;
  const [held] = useAdjusted(
    useState<{ scope: string; offset: number; view: V | undefined; rows: Rows<RowOf<V>> }>(),
    (last) => (fresh === undefined || (fresh === last?.rows && offset === last.offset) ? last : { scope, offset, view, rows: fresh }),
  );

  const { rows: shown, view: of } = held?.scope === scope ? held : {};
  const start = held?.offset ?? 0;
  return {
    viewed,
    shown,
    of,
    at: useCallback((index) => shown?.rows[index - start], [shown, start]),
    indexOf: (id) => {
      const found = shown?.rows.findIndex((row) => row.id === id) ?? -1;
      return found < 0 ? -1 : start + found;
    },
    onRange: useCallback(
      (first) => {
        const next = Math.max(0, Math.floor(first / STEP) - 1) * STEP;
        setSight((now) => {
          if (now.scope !== scope) return { scope, offset: next, from: 0 };
          return now.offset === next ? now : { scope, offset: next, from: now.offset };
        });
      },
      [scope],
    ),
  };
}
