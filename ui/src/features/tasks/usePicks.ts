import { useLayoutEffect, useMemo, useRef, useState } from "react";

import { useHost } from "../../host/context";
import { DeskError } from "../../host/error";
import type { Host } from "../../host/host";
import { announce } from "../../store/announce";
import { t } from "../../strings";
import type { CallId, ListQuery, TaskRow } from "../../types";

/** The most tasks that are picked: a command takes no more. */
export const MOST_PICKED = 1_000;
/** Rows that the desk gives at once. */
const PAGE = 500;

/** The tasks that were picked, to do something with all of them. They stay picked wherever the list moves them. */
export interface Picks {
  ids: ReadonlySet<CallId>;
  /** Why the last ones could not be picked. */
  error: DeskError | undefined;
  /** Picks a row by its number, or no longer. The next range begins there. */
  toggle: (row: number) => void;
  /** Picks all rows from where the range begins; from `start` where none has begun. */
  extend: (row: number, start: number) => void;
  /** Picks every row that the list shows, as many as can be. */
  all: () => void;
  clear: () => void;
  /** How many the list has, where it has more than can be picked and as many as can be are. */
  full: number | undefined;
}

interface Held {
  ids: ReadonlySet<CallId>;
  /** Where the range begins, and what was picked beside it. */
  anchor?: { row: number; id: CallId; beside: ReadonlySet<CallId> };
}

const NONE: Held = { ids: new Set() };

/** The list as it is shown: it may be another one than was asked for last. */
interface List {
  query: ListQuery | undefined;
  total: number;
  at: (row: number) => TaskRow | undefined;
  indexOf: (id: CallId | null) => number;
}

/** Keeps which tasks of a list are picked. What it gives keeps its identity until others are. */
export function usePicks(list: List): Picks {
  const host = useHost();
  const [held, setHeld] = useState(NONE);
  const [error, setError] = useState<DeskError>();
  const latest = useRef({ list, held });
  // With what is shown, as keys are: none acts on the list before it.
  useLayoutEffect(() => {
    latest.current = { list, held };
  });
  const acts = useMemo(() => {
    const put = (next: Held) => {
      setError(undefined);
      setHeld(next);
      announce("picks", () => `${saidOf(next.ids.size, latest.current.list.total)}.`);
    };
    const between = async (first: number, last: number): Promise<CallId[]> => {
      const { query, at } = latest.current.list;
      const here: CallId[] = [];
      for (let row = first; row <= last; row += 1) {
        const id = at(row)?.id;
        if (id === undefined) return query ? idsBetween(host, query, first, last) : here;
        here.push(id);
      }
      return here;
    };
    const range = (first: number, last: number, beside: ReadonlySet<CallId>, anchor?: Held["anchor"]) => {
      between(first, Math.min(last, first + MOST_PICKED - 1)).then(
        (ids) => put({ ids: new Set([...beside, ...ids].slice(0, MOST_PICKED)), ...(anchor && { anchor }) }),
        (thrown: unknown) => setError(DeskError.from(thrown)),
      );
    };
    return {
      toggle: (row: number) => {
        const { list, held } = latest.current;
        const id = list.at(row)?.id;
        if (id === undefined) return;
        const ids = new Set(held.ids);
        if (!ids.delete(id) && ids.size < MOST_PICKED) ids.add(id);
        put({ ids, anchor: { row, id, beside: ids } });
      },
      extend: (row: number, start: number) => {
        const { list, held } = latest.current;
        const id = list.at(start)?.id;
        const anchor = held.anchor ?? (id !== undefined && { row: start, id, beside: held.ids });
        if (!anchor) return;
        // The list may have moved it.
        const now = list.indexOf(anchor.id);
        const from = now < 0 ? anchor.row : now;
        range(Math.min(from, row), Math.max(from, row), anchor.beside, anchor);
      },
      all: () => range(0, latest.current.list.total - 1, new Set()),
      clear: () => put(NONE),
    };
  }, [host]);
  const full = isFull(held.ids.size, list.total) ? list.total : undefined;
  return useMemo(() => ({ ids: held.ids, error, full, ...acts }), [held.ids, error, full, acts]);
}

function isFull(picked: number, total: number): boolean {
  return picked >= MOST_PICKED && total > picked;
}

/** How many are picked; that they are the most that can be, where the list has more. */
function saidOf(picked: number, total: number): string {
  return isFull(picked, total) ? t.tasks.several.pickedMost(picked, total) : t.tasks.several.picked(picked);
}

async function idsBetween(host: Host, query: ListQuery, first: number, last: number): Promise<CallId[]> {
  const ids: CallId[] = [];
  for (let offset = first; offset <= last; offset += PAGE) {
    const view = { type: "tasks", query, offset, limit: Math.min(PAGE, last - offset + 1) } as const;
    const answered = await host.ask({ ask: "changes", view, waitMs: 0 });
    const data = answered.answered === "changes" ? answered.changes.data : undefined;
    if (data?.type === "tasks") ids.push(...data.page.ids);
  }
  return ids;
}
