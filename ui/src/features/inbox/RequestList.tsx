import { useCallback } from "react";

import { Button } from "../../components/Button";
import { EmptyState, ErrorState, LoadingState } from "../../components/States";
import { VirtualList } from "../../components/VirtualList";
import { widthOf } from "../../components/width";
import { openServers, openStart, select } from "../../places/nav";
import type { RowWindow } from "../../store/useRows";
import { t } from "../../strings";
import type { Overview, View } from "../../types";
import { Hint } from "../first/Hint";
import { notifies } from "../settings/notifies";
import type { Tab } from "./InboxPlace";
import { RequestCard } from "./RequestCard";
import { isDecidable, titleOf } from "./words";

// In px, as the stylesheet has them.
const CARD = 84;
const TALL_CARD = 104;
const DIVIDER = 28;
/** In a list that is no wider than this, the time stands below the title and not beside it. */
const NARROW = 280;
/** What stands beside a title: the lamp, the time, and what is between them. */
const BESIDE = { narrow: 60, open: 132, closed: 160 };
/** What a title may turn out wider than it was measured: its figures are all of one width, say. */
const SLACK = 1;

interface Props {
  tab: Tab;
  rows: RowWindow<Extract<View, { type: "inbox" }>>;
  selected: number;
  overview: Overview | undefined;
  onOpen: () => void;
}

/** The questions of a tab. Those that nobody asks any more stand last, below a line of their own. */
export function RequestList({ tab, rows, selected, overview, onOpen }: Props) {
  const { viewed, at } = rows;
  const total = rows.shown?.total ?? 0;
  const isTall = useCallback(
    (index: number, width: number) => {
      const row = at(index);
      if (!row) return false;
      const room = width - BESIDE[width <= NARROW ? "narrow" : row.closedAt === undefined ? "open" : "closed"];
      return widthOf(titleOf(row).title, isDecidable(row) ? 650 : 400) + SLACK > room;
    },
    [at],
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
    (index: number, width: number) => (isTall(index, width) ? TALL_CARD : CARD) + (isDivided(index) ? DIVIDER : 0),
    [isTall, isDivided],
  );
  if (viewed.error && !viewed.data) return <ErrorState error={viewed.error} onRetry={viewed.retry} />;
  if (viewed.status === "loading" && total === 0) return <LoadingState />;
  if (total === 0) return <Empty tab={tab} overview={overview} />;
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
      {({ index, width }) => {
        const row = at(index);
        return row && <RequestCard row={row} narrow={width <= NARROW} tall={isTall(index, width)} divided={isDivided(index)} />;
      }}
    </VirtualList>
  );
}

function Empty({ tab, overview }: Pick<Props, "tab" | "overview">) {
  if (tab === "answered") return <EmptyState title={t.inbox.emptyAnswered} hint={t.inbox.emptyAnsweredHint} />;
  return overview?.servers.length !== 0 ? (
    <EmptyState title={t.inbox.empty} hint={t.inbox.emptyHint(notifies(overview))}>
      <Hint step="coming" />
      <Button onClick={() => openStart()}>{t.inbox.startTool}</Button>
    </EmptyState>
  ) : (
    <EmptyState title={t.inbox.empty} hint={t.inbox.emptyNoServers}>
      <Button onClick={() => openServers("add")}>{t.app.addServer}</Button>
    </EmptyState>
  );
}
