import { useCallback, useMemo } from "react";

import { Button } from "../../components/Button";
import { EmptyState, ErrorState, LoadingState } from "../../components/States";
import { VirtualList } from "../../components/VirtualList";
import { widthOf } from "../../components/width";
import { openServers, openStart } from "../../places/nav";
import { alikeIn } from "../../store/page";
import type { Chosen } from "../../places/useChosen";
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
  chosen: Chosen;
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

/** What stands above the questions of a group, by the number of its first. */
type Divided = ReadonlyMap<number, string>;

const UNDIVIDED: Divided = new Map();

/** Where nobody asks some questions any more, those and the others each have a line of their own. */
function dividedBy(heads: readonly Head[]): Divided {
  const divided = new Map<number, string>();
  let before = 0;
  let unasked = false;
  for (const { of, count } of heads) {
    const stranded = of.by === "word" && of.word === "stranded";
    divided.set(before, stranded ? t.inbox.noLongerAsked.title : t.inbox.noLongerAsked.others);
    unasked ||= stranded;
    before += count;
  }
  return unasked ? divided : UNDIVIDED;
}

/** The questions of a tab. Those that nobody asks any more stand apart. */
export function RequestList({ tab, rows, chosen, overview, onClear, onOpen }: Props) {
  const { viewed, at } = rows;
  const total = rows.shown?.total ?? 0;
  const heads = rows.shown?.heads;
  const divided = useMemo(() => dividedBy(heads ?? []), [heads]);
  const sizeOf = useCallback((index: number) => CARD + (divided.has(index) ? DIVIDER : 0), [divided]);
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
      selected={chosen.index}
      onSelect={chosen.choose}
      onOpen={onOpen}
      onRange={rows.onRange}
    >
      {({ index, width }) => {
        const row = at(index);
        return row && <RequestCard row={row} narrow={width <= NARROW} tall={isTall(row, width)} alike={alikeIn(rows.shown, row.id)} head={divided.get(index)} />;
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
