import { useCallback, useEffect } from "react";

import { awaitRow, select, useNav } from "./nav";

/** A list of which only a part is here. */
interface LongList<Id> {
  shown: { readonly total: number } | undefined;
  at: (index: number) => { readonly id: Id } | undefined;
  indexOf: (id: Id | null) => number;
  /** How looking at this part went. */
  viewed: { readonly error: object | undefined };
}

/** What is chosen in a list. */
export interface Chosen {
  /** The number of its row in the whole list; -1 when that is not known. */
  index: number;
  /** Whether the row is on its way: until it comes nothing is in hand. */
  isAwaited: boolean;
  /** Chooses the row with this number, also before it is here. */
  choose: (index: number) => void;
}

/**
 * Chooses rows of a long list by their numbers: keys may lead far beyond what is here. `list` says which list it is, with its filter
 * and its order; `onChosen` takes the id of the row in hand, and must keep its identity.
 */
export function useChosen<Id extends string>({ shown, at, indexOf, viewed }: LongList<Id>, list: string, id: Id | null, onChosen: (id: Id) => void): Chosen {
  const awaited = useNav((nav) => nav.awaited);
  const total = shown?.total;
  // While the desk cannot be reached no row comes: what was in hand stays.
  const isOver = awaited !== null && (awaited.list !== list || total === 0 || viewed.error !== undefined);
  // Meanwhile the list may have become shorter.
  const index = awaited === null || isOver ? -1 : Math.min(awaited.row, (total ?? Infinity) - 1);
  const come = index < 0 ? undefined : at(index)?.id;
  useEffect(() => {
    if (isOver) select({});
    else if (come !== undefined) onChosen(come);
  }, [isOver, come, onChosen]);
  const choose = useCallback(
    (index: number) => {
      const row = at(index);
      if (row) onChosen(row.id);
      else awaitRow({ list, row: index });
    },
    [at, list, onChosen],
  );
  return { index: index < 0 ? indexOf(id) : index, isAwaited: index >= 0, choose };
}
