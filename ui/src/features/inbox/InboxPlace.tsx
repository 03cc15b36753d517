import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";

import { useAction } from "../../actions/registry";
import { openServers, openStart, select, useNav } from "../../app/nav";
import { PaneBar, Panes } from "../../app/Panes";
import { Button } from "../../components/Button";
import { EmptyState, ErrorState, LoadingState } from "../../components/States";
import { Tabs } from "../../components/Tabs";
import { VirtualList } from "../../components/VirtualList";
import type { FormHandle } from "../../forms";
import { useView } from "../../store/useView";
import { t } from "../../strings";
import type { InboxTab, Overview } from "../../types";
import { Hint } from "../first/Hint";
import { RequestCard } from "./RequestCard";
import { RequestPane } from "./RequestPane";
import { firstRows, useRows, type InboxRows } from "./useRows";
import { isAnswerable, titleOf } from "./words";

type Tab = Exclude<InboxTab, "all">;

const CARD = 82;
const TALL_CARD = 102;
/** A title longer than this takes a second line. */
const ONE_LINE = { wide: 33, narrow: 22 };
const NARROW = 1_040;

/** All questions of all servers: the list, and the one in hand. */
export function InboxPlace({ overview }: { overview: Overview | undefined }) {
  const [tab, setTab] = useState<Tab>("needs_you");
  const request = useNav((nav) => nav.request);
  const rows = useRows(tab);
  const open = useView(firstRows("needs_you")).data?.rows;
  const form = useRef<FormHandle>(null);

  const index = rows.indexOf(request);
  // Where the question in hand was in the list of open ones, also when it has left it: what followed comes next.
  const [place, setPlace] = useState(0);
  const openIndex = open?.findIndex((row) => row.id === request) ?? -1;
  if (openIndex >= 0 && openIndex !== place) setPlace(openIndex);

  const after = openIndex >= 0 ? openIndex + 1 : place;
  const next = open && [...open.slice(after), ...open.slice(0, after)].find((row) => isAnswerable(row) && row.id !== request);
  const showNext = () => {
    if (!next) return;
    setTab("needs_you");
    select({ request: next.id });
  };
  useAction("request.next", showNext, next !== undefined);

  // Only an empty pane is filled unasked. What a person looks at never changes by itself.
  const first = rows.at(0)?.id;
  useEffect(() => {
    if (request === null && first !== undefined) select({ request: first });
  }, [request, first]);

  return (
    <Panes
      favour="detail"
      list={
        <>
          <PaneBar>
            <Tabs<Tab>
              label={t.inbox.tabsLabel}
              value={tab}
              onChange={setTab}
              tabs={[
                { value: "needs_you", label: t.inbox.tabs.needs_you, count: overview?.inbox || undefined },
                { value: "answered", label: t.inbox.tabs.answered },
              ]}
            />
          </PaneBar>
          <List key={tab} tab={tab} rows={rows} selected={index} hasServers={overview?.servers.length !== 0} onOpen={() => form.current?.focus()} />
        </>
      }
      detail={
        <RequestPane
          id={request}
          position={index < 0 ? undefined : { n: index + 1, of: rows.total }}
          overview={overview}
          next={next ? showNext : undefined}
          form={form}
        />
      }
    />
  );
}

interface ListProps {
  tab: Tab;
  rows: InboxRows;
  selected: number;
  hasServers: boolean;
  onOpen: () => void;
}

function List({ tab, rows, selected, hasServers, onOpen }: ListProps) {
  const { at, total } = rows;
  const narrow = useNarrow();
  const isTall = useCallback(
    (index: number) => titleOf(at(index)?.message ?? "").title.length > (narrow ? ONE_LINE.narrow : ONE_LINE.wide),
    [at, narrow],
  );
  const sizeOf = useCallback((index: number) => (isTall(index) ? TALL_CARD : CARD), [isTall]);
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
        return row && <RequestCard row={row} tall={isTall(index)} />;
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
