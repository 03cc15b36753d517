import { useCallback, useSyncExternalStore } from "react";

import { openServers, openStart, select } from "../../app/nav";
import { Button } from "../../components/Button";
import { EmptyState, ErrorState, LoadingState } from "../../components/States";
import { VirtualList } from "../../components/VirtualList";
import { t } from "../../strings";
import { Hint } from "../first/Hint";
import type { Tab } from "./InboxPlace";
import { RequestCard } from "./RequestCard";
import type { InboxRows } from "./useRows";
import { titleOf } from "./words";

// Heights in px, as the stylesheet has them.
const CARD = 82;
const TALL_CARD = 102;
const DIVIDER = 28;
/** A title longer than this takes a second line. */
const ONE_LINE = { wide: 33, narrow: 22 };
const NARROW = 1_040;

interface Props {
  tab: Tab;
  rows: InboxRows;
  selected: number;
  hasServers: boolean;
  onOpen: () => void;
}

/** The questions of a tab. Those that nobody asks any more stand last, below a line of their own. */
export function RequestList({ tab, rows, selected, hasServers, onOpen }: Props) {
  const { at, total } = rows;
  const narrow = useNarrow();
  const isTall = useCallback(
    (index: number) => {
      const row = at(index);
      return row !== undefined && titleOf(row).title.length > (narrow ? ONE_LINE.narrow : ONE_LINE.wide);
    },
    [at, narrow],
  );
  const isDivided = useCallback(
    (index: number) => {
      if (tab !== "needs_you" || !at(index)?.stranded) return false;
      const before = at(index - 1);
      return index === 0 || (before !== undefined && !before.stranded);
    },
    [at, tab],
  );
  const sizeOf = useCallback(
    (index: number) => (isTall(index) ? TALL_CARD : CARD) + (isDivided(index) ? DIVIDER : 0),
    [isTall, isDivided],
  );
  if (rows.view.error && !rows.view.data) return <ErrorState error={rows.view.error} onRetry={rows.view.retry} />;
  if (rows.view.status === "loading" && total === 0) return <LoadingState />;
  if (total === 0) return <Empty tab={tab} hasServers={hasServers} />;
  return (
    <VirtualList
      label={t.inbox.list}
      role="listbox"
      count={total}
      sizeOf={sizeOf}
      keyOf={(index) => at(index)?.id ?? `row-${index}`}
      selected={selected}
      onSelect={(index) => {
        const row = at(index);
        if (row) select({ request: row.id });
      }}
      onOpen={onOpen}
      onRange={rows.onRange}
    >
      {({ index }) => {
        const row = at(index);
        return row && <RequestCard row={row} tall={isTall(index)} divided={isDivided(index)} />;
      }}
    </VirtualList>
  );
}

function onResize(listener: () => void): () => void {
  window.addEventListener("resize", listener);
  return () => window.removeEventListener("resize", listener);
}

function useNarrow(): boolean {
  return useSyncExternalStore(onResize, () => window.innerWidth <= NARROW);
}

function Empty({ tab, hasServers }: { tab: Tab; hasServers: boolean }) {
  if (tab === "answered") return <EmptyState title={t.inbox.emptyAnswered} hint={t.inbox.emptyAnsweredHint} />;
  return hasServers ? (
    <EmptyState title={t.inbox.empty} hint={t.inbox.emptyHint}>
      <Hint step="coming" />
      <Button onClick={() => openStart()}>{t.inbox.startTool}</Button>
    </EmptyState>
  ) : (
    <EmptyState title={t.inbox.empty} hint={t.inbox.emptyNoServers}>
      <Button onClick={() => openServers("add")}>{t.app.addServer}</Button>
    </EmptyState>
  );
}
