import { useEffect, useRef, useState } from "react";

import { useAction } from "../../actions/registry";
import { Tabs } from "../../components/Tabs";
import { NOTHING_SOUGHT, seek, select, useNav } from "../../places/nav";
import { PaneBar, Panes } from "../../places/Panes";
import { useAdjusted } from "../../store/useAdjusted";
import { useRows } from "../../store/useRows";
import { useView } from "../../store/useView";
import { t } from "../../strings";
import type { InboxTab, Overview } from "../../types";
import { FilterField } from "../filter/FilterField";
import { HowFar } from "../filter/HowFar";
import { useOnlyServer } from "../filter/onlyServer";
import { useFilter } from "../filter/useFilter";
import { FirstPlace, isFirst } from "../first/FirstPlace";
import { RequestList } from "./RequestList";
import { RequestPane, type PaneHandle } from "./RequestPane";
import { isDecidable } from "./words";

/** Of so many that wait it is known which one comes next. */
const NEXT = 300;

/** The tabs that are shown. */
export type Tab = Exclude<InboxTab, "all">;

/** The inbox; on a desk where nothing was ever done, the first page. */
export function InboxPlace({ overview }: { overview: Overview | undefined }) {
  const asked = useNav((nav) => nav.asked);
  return overview && isFirst(overview) ? <FirstPlace /> : <Inbox key={asked} overview={overview} />;
}

/** All questions of all servers: the list, and the one in hand. */
function Inbox({ overview }: { overview: Overview | undefined }) {
  const [tab, setTab] = useState<Tab>("needs_you");
  const request = useNav((nav) => nav.request);
  const typed = useNav((nav) => nav.sought);
  const only = useOnlyServer("inbox", overview);
  const within = only?.within ?? "";
  const { filter, fault } = useFilter("inbox", typed);
  const rows = useRows((window) => (filter === undefined ? undefined : { type: "inbox", tab, filter, within, ...window }), tab);
  const waiting = useView({ type: "inbox", tab: "needs_you", filter: "", within: "", offset: 0, limit: NEXT }).data;
  const open = waiting?.rows;
  const pane = useRef<PaneHandle>(null);

  const index = rows.indexOf(request);
  // The tab's number counts what can be decided, and so does the place in it: not what is on its way, nor what nobody asks any more.
  const counted = open?.filter(isDecidable).map((row) => row.id) ?? [];
  const total = waiting && waiting.total > waiting.rows.length ? (overview?.inbox ?? 0) : counted.length;
  // Where the question in hand was in the list of open ones, also when it has left it: what followed comes next.
  const openIndex = open?.findIndex((row) => row.id === request) ?? -1;
  const [place] = useAdjusted(useState(0), (last) => (openIndex >= 0 ? openIndex : last));

  const after = openIndex >= 0 ? openIndex + 1 : place;
  const next = open && [...open.slice(after), ...open.slice(0, after)].find((row) => isDecidable(row) && row.id !== request);
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
                { value: "expiring", label: t.inbox.tabs.expiring, count: overview?.tabs.expiring || undefined },
                { value: "snoozed", label: t.inbox.tabs.snoozed, count: overview?.tabs.snoozed || undefined },
                { value: "answered", label: t.inbox.tabs.answered, count: overview?.tabs.answered || undefined },
              ]}
            />
          </PaneBar>
          <PaneBar grows>
            <FilterField list="inbox" label={t.inbox.search} typed={typed} onTyped={seek} only={only} fault={fault} />
            <HowFar rows={rows.shown} />
          </PaneBar>
          <RequestList
            key={tab}
            tab={tab}
            onClear={
              filter === "" && within === ""
                ? undefined
                : () => {
                    seek(NOTHING_SOUGHT);
                    only?.onDrop();
                  }
            }
            rows={rows}
            selected={index}
            overview={overview}
            onOpen={() => pane.current?.focus()}
          />
        </>
      }
      detail={
        <RequestPane
          id={request}
          tab={tab}
          position={tab === "needs_you" ? positionIn(counted.indexOf(request ?? ""), total) : positionIn(index, rows.shown?.total ?? 0)}
          overview={overview}
          next={next ? showNext : undefined}
          ref={pane}
        />
      }
    />
  );
}

/** Where a row stands; nowhere when it is not among those counted. */
function positionIn(index: number, of: number): { n: number; of: number } | undefined {
  return index < 0 || index >= of ? undefined : { n: index + 1, of };
}
