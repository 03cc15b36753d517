import { useCallback } from "react";

import { Button } from "../../components/Button";
import { EmptyState, ErrorState, LoadingState } from "../../components/States";
import { VirtualList } from "../../components/VirtualList";
import { widthOf } from "../../components/width";
import { openServers, openStart, select } from "../../places/nav";
import type { RowWindow } from "../../store/useRows";
import { t } from "../../strings";
import type { Head, Overview, RequestRow, View } from "../../types";
import { NoneFound } from "../filter/NoneFound";
import { Hint } from "../first/Hint";
import { notifies } from "../settings/notifies";
import type { Tab } from "./InboxPlace";
import { RequestCard } from "./RequestCard";
import { isDecidable, titleOf } from "./words";

// In px, as the stylesheet has them. A card is as high before its row is here as it is then, or the list would jump.
const CARD = 84;
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
  /** Lists all questions of the tab again; none where all are listed. */
  onClear: (() => void) | undefined;
  onOpen: () => void;
}

/** Whether a title takes two lines. What stands below it shares one then. */
function isTall(row: RequestRow, width: number): boolean {
  const room = width - BESIDE[width <= NARROW ? "narrow" : row.closedAt === undefined ? "open" : "closed"];
  return widthOf(titleOf(row).title, isDecidable(row) ? 650 : 400) + SLACK > room;
}

/** The number of the first question that nobody asks any more; -1 where there is none. */
function strandedFrom(heads: readonly Head[]): number {
  let before = 0;
  for (const { of, count } of heads) {
    if (of.by === "word" && of.word === "stranded") return before;
    before += count;
  }
  return -1;
}

/** The questions of a tab. Those that nobody asks any more stand last, below a line of their own. */
export function RequestList({ tab, rows, selected, overview, onClear, onOpen }: Props) {
  const { viewed, at } = rows;
  const total = rows.shown?.total ?? 0;
  const divided = strandedFrom(rows.shown?.heads ?? []);
  const sizeOf = useCallback((index: number) => CARD + (index === divided ? DIVIDER : 0), [divided]);
  // That a list was empty under another filter says nothing of this one.
  if (total === 0 && viewed.data === undefined) {
    return viewed.error ? <ErrorState error={viewed.error} onRetry={viewed.retry} /> : <LoadingState />;
  }
  if (total === 0) {
    return (
      <NoneFound rows={rows.shown} title={t.inbox.noMatch} onClear={onClear}>
        <Empty tab={tab} overview={overview} />
      </NoneFound>
    );
  }
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
        return row && <RequestCard row={row} narrow={width <= NARROW} tall={isTall(row, width)} divided={index === divided} />;
      }}
    </VirtualList>
  );
}

function Empty({ tab, overview }: Pick<Props, "tab" | "overview">) {
  if (tab === "answered") return <EmptyState title={t.inbox.emptyAnswered} hint={t.inbox.emptyAnsweredHint} />;
  if (tab === "expiring") return <EmptyState title={t.inbox.emptyExpiring} hint={t.inbox.emptyExpiringHint} />;
  if (tab === "snoozed") return <EmptyState title={t.inbox.emptySnoozed} hint={t.inbox.emptySnoozedHint} />;
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
