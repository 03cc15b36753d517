import { useEffect, useRef, useState } from "react";

import { useAction } from "../../actions/registry";
import { later } from "../../components/later";
import { Tabs } from "../../components/Tabs";
import { NOTHING_SOUGHT, seek, select, slideTo, useNav } from "../../places/nav";
import { PaneBar, Panes } from "../../places/Panes";
import { useChosen } from "../../places/useChosen";
import { alikeIn } from "../../store/page";
import { useRows } from "../../store/useRows";
import { useViews } from "../../store/useView";
import { t } from "../../strings";
import type { InboxTab, Overview, RequestId } from "../../types";
import { FilterField } from "../filter/FilterField";
import { HowFar } from "../filter/HowFar";
import { useOnlyServer } from "../filter/onlyServer";
import { useFilter } from "../filter/useFilter";
import { useSaidCount } from "../filter/useSaidCount";
import { isFirst } from "../first/isFirst";
import { JustAnswered } from "./JustAnswered";
import { useManner } from "./manner";
import { positionIn, useQueue } from "./queue";
import { RequestList } from "./RequestList";
import { RequestPane, type PaneHandle } from "./RequestPane";
import { StackAnswered, type GivenTogether } from "./StackAnswered";
import { Unasked } from "./Unasked";
import { Unlisted } from "./Unlisted";
import { useFollowing } from "./useFollowing";

/** The tabs that are shown. */
export type Tab = Exclude<InboxTab, "all">;

const FirstPlace = later(async () => (await import("../servers")).FirstPlace);

/** The inbox; on a desk where nothing was ever done, the first page. */
export function InboxPlace({ overview }: { overview: Overview | undefined }) {
  const asked = useNav((nav) => nav.asked);
  return overview && isFirst(overview) ? <FirstPlace /> : <Inbox key={asked} overview={overview} />;
}

const showRequest = (request: RequestId) => select({ request });

/** All questions of all servers: the list, and the one in hand. */
function Inbox({ overview }: { overview: Overview | undefined }) {
  const [tab, setTab] = useState<Tab>("needs_you");
  const request = useNav((nav) => nav.request);
  const typed = useNav((nav) => nav.sought);
  const only = useOnlyServer("inbox", overview);
  const within = only?.within ?? "";
  const { filter, fault } = useFilter("inbox", typed);
  const scope = filter === undefined ? undefined : JSON.stringify([tab, filter, within]);
  const rows = useRows((window) => (filter === undefined ? undefined : { type: "inbox", tab, filter, within, ...window }), tab);
  useSaidCount(scope, rows.viewed.data, t.inbox.shown);
  const chosen = useChosen(rows, JSON.stringify(["inbox", scope]), request, showRequest);
  const { index, isAwaited } = chosen;
  const queue = useQueue(request, tab === "needs_you" ? index : -1, filter, within, overview);
  const [manner] = useManner();
  const [said, setSaid] = useState<readonly RequestId[]>([]);
  const [given, setGiven] = useState<GivenTogether>();
  const pane = useRef<PaneHandle>(null);
  useFollowing(scope, rows, request);
  const next = queue.next();
  // Those that a key leads to are here before it is pressed.
  const ahead = new Set([next, index < 0 ? undefined : rows.at(index + 1)?.id]);
  useViews([...ahead].filter((id) => id !== undefined).map((id) => ({ type: "request", request: id }) as const));

  // What was in hand in each tab is there again when one comes back to it.
  const [left, setLeft] = useState<Partial<Record<Tab, RequestId | null>>>({});
  const choose = (chosen: Tab) => {
    if (chosen === tab) return;
    setLeft({ ...left, [tab]: request });
    setTab(chosen);
    select({ request: left[chosen] ?? null });
  };
  const showNext = () => {
    if (next === undefined) return;
    setTab("needs_you");
    select({ request: next });
  };
  useAction("request.next", showNext, next !== undefined);
  const goOn = (ids: readonly RequestId[]): boolean => {
    const following = queue.next(ids);
    if (manner?.next !== true || following === undefined) return false;
    slideTo(following);
    return true;
  };
  const onDecided = (ids: readonly RequestId[]) => {
    if (goOn(ids)) setSaid(ids);
  };

  const onGiven = (now: GivenTogether) => {
    setSaid([]);
    setGiven(now);
    const answered = now.outcomes.filter(({ decidedAt }) => decidedAt !== undefined).map(({ request: id }) => id);
    if (request !== null && answered.includes(request)) goOn(answered);
  };

  // Only an empty pane is filled unasked: what a person looks at changes by an act of theirs alone.
  const first = rows.at(0)?.id;
  useEffect(() => {
    if (request === null && !isAwaited && first !== undefined) select({ request: first });
  }, [request, isAwaited, first]);

  return (
    <Panes
      favour="detail"
      list={
        <>
          <PaneBar>
            <Tabs<Tab>
              label={t.inbox.tabsLabel}
              value={tab}
              onChange={choose}
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
            chosen={chosen}
            overview={overview}
            onOpen={() => pane.current?.focus()}
          />
          <Unasked n={overview?.tabs.noLongerAsked ?? 0} tab={tab} onShow={() => choose("answered")} />
          {request !== null && !isAwaited && <Unlisted id={request} tab={tab} rows={rows} />}
          {given && <StackAnswered key={given.outcomes[0]?.decidedAt} given={given} inHand={request} onClose={() => setGiven(undefined)} />}
          {request !== null && said.length > 0 && <JustAnswered ids={said} inHand={request} />}
        </>
      }
      detail={
        <RequestPane
          id={request}
          isAwaited={isAwaited}
          tab={tab}
          position={tab === "needs_you" && !isAwaited ? queue.position : positionIn(index, rows.shown?.total ?? 0)}
          overview={overview}
          next={next === undefined ? undefined : showNext}
          onDecided={onDecided}
          onPutOff={goOn}
          alike={Math.max(queue.alike, alikeIn(rows.shown, request))}
          onGiven={onGiven}
          ref={pane}
        />
      }
    />
  );
}
