import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from "react";

import { useAction } from "../../actions/registry";
import { ActionButton, Button } from "../../components/Button";
import { EmptyState, ErrorState, LoadingState } from "../../components/States";
import { currentNav, NOTHING_SOUGHT, openServers, openStart, select, useNav, type Sought } from "../../places/nav";
import { useChosen } from "../../places/useChosen";
import { useDelayed } from "../../store/useDelayed";
import { usePreference } from "../../store/usePreference";
import { useRows } from "../../store/useRows";
import { t } from "../../strings";
import type { CallId, Overview } from "../../types";
import { HowFar } from "../filter/HowFar";
import { NoneFound } from "../filter/NoneFound";
import { useOnlyServer } from "../filter/onlyServer";
import { TYPING_MS, useFilter } from "../filter/useFilter";
import { useSaidCount } from "../filter/useSaidCount";
import { StartDemo } from "../first/StartDemo";
import { NO_WIDTHS, USUAL_COLUMNS, type Column } from "./columns";
import { EarlyFilter } from "./EarlyFilter";
import { FilterBar } from "./FilterBar";
import { layoutOf } from "./layout";
import { PickBar } from "./PickBar";
import { alsoSortedBy, narrowed, queryOf, readShown, sortedBy, type ShownList, withWidth } from "./shown";
import css from "./TaskList.module.css";
import { TaskLines } from "./TaskLines";
import { usePicks } from "./usePicks";
import { useSavedViews } from "./useSavedViews";
import { useWishedToken } from "./useWishedToken";
import { listOf, readViews, VIEWS, type SavedView } from "./views";

interface Props {
  overview: Overview | undefined;
  /** Goes on to the detail. */
  onOpen: () => void;
  /** Told whether tasks are picked. */
  onPicking: (picking: boolean) => void;
}

/** The middle pane: filter, columns, rows. What it shows is remembered. */
export function TaskList(props: Props) {
  const [remembered, remember] = usePreference("tasks.list", readShown);
  const [views, onViews, saving] = usePreference(VIEWS, readViews);
  const [sought, setSought] = useState<Sought>();
  const isHere = remembered !== undefined && views !== undefined;
  useAction("search", () => setSought(NOTHING_SOUGHT), !isHere && sought === undefined);
  if (!isHere) return sought ? <EarlyFilter typed={sought} onTyped={setSought} onLeave={() => setSought(undefined)} /> : <LoadingState />;
  return <ShownList {...props} sought={sought} remembered={remembered} onRemember={remember} saved={{ all: views, onAll: onViews, saving }} />;
}

/** The list as the view has it that somebody asked for before it was here. */
function wished(views: readonly SavedView[]): ShownList | undefined {
  const { view: name, viewWished } = currentNav();
  const view = viewWished ? views.find((other) => other.name === name) : undefined;
  return view && listOf(view);
}

const showTask = (task: CallId) => select({ task });

interface ShownProps extends Props {
  /** What was typed into the filter before the list was here; undefined where nobody asked for it. */
  sought: Sought | undefined;
  /** What was shown when the list was left. */
  remembered: ShownList;
  onRemember: (shown: ShownList) => void;
  saved: Pick<Parameters<typeof useSavedViews>[0], "all" | "onAll" | "saving">;
}

function ShownList({ overview, onOpen, onPicking, sought, remembered, onRemember, saved }: ShownProps) {
  const [what, onWhat] = useState(() => narrowed(wished(saved.all) ?? remembered, sought));
  const text = useDelayed(what.text, TYPING_MS);
  const kept = useRef(remembered);
  const keep = useEffectEvent((shown: ShownList) => {
    if (shown === kept.current) return;
    kept.current = shown;
    onRemember(shown);
  });
  useEffect(() => {
    // All of it or nothing: a token that became a chip must not be remembered as text, too.
    if (what.text === text) keep(what);
  }, [what, text]);
  // Whoever leaves the list while typing has no rest loses nothing.
  const leave = useEffectEvent(() => keep(what));
  useEffect(() => () => leave(), []);
  useWishedToken((token) => onWhat((now) => (now.tokens.includes(token) ? now : { ...now, tokens: [...now.tokens, token] })));
  const only = useOnlyServer("tasks", overview);
  const within = only?.within ?? "";
  const views = useSavedViews({ ...saved, list: what, onList: onWhat, server: only?.id, overview });
  const { filter, fault } = useFilter("tasks", what);
  const query = useMemo(() => (filter === undefined ? undefined : queryOf(what, filter, within)), [what, filter, within]);
  const rows = useRows((window) => query && { type: "tasks", query, ...window });
  const { viewed, shown, at: rowAt, onRange: onRows } = rows;
  useSaidCount(filter === undefined ? undefined : JSON.stringify([within, filter]), viewed.data, t.tasks.shown);
  const [width, onRoom] = useState(0);
  const layout = useMemo(() => layoutOf(shown?.total ?? 0, shown?.heads ?? []), [shown]);

  const chosen = useChosen(rows, JSON.stringify(["tasks", query]), useNav((nav) => nav.task), showTask);
  const picks = usePicks({ query: rows.of?.query, total: shown?.total ?? 0, at: rowAt, indexOf: rows.indexOf });
  const lineAt = layout.lineAt;
  const picking = picks.ids.size > 0;
  // With what is shown, as keys are.
  useLayoutEffect(() => {
    onPicking(picking);
    return () => onPicking(false);
  }, [onPicking, picking]);
  const onRange = useCallback(
    (first: number) => {
      const line = lineAt(first);
      // A head stands before its first row.
      const below = line.kind === "row" ? line : lineAt(first + 1);
      onRows(below.kind === "row" ? below.row : 0);
    },
    [lineAt, onRows],
  );
  const onSort = useCallback(
    (key: string, also: boolean) => onWhat((now) => ({ ...now, sort: (also ? alsoSortedBy : sortedBy)(now.sort, key) })),
    [],
  );
  const onWidth = useCallback(
    (column: Column, px: number | undefined) => onWhat((now) => withWidth(now, column, px)),
    [],
  );
  const clear = () => {
    onWhat({ ...what, tokens: [], text: "" });
    only?.onDrop();
  };
  return (
    <>
      <FilterBar sought={sought} shown={what} onShown={onWhat} width={width} fault={fault} only={only} views={views} count={<Total rows={shown} />}>
        <ActionButton action="start.open" onRun={() => openStart()} className={css.start} bare />
      </FilterBar>
      {/* That a list was empty under another filter says nothing of this one. */}
      {layout.count === 0 && viewed.data === undefined ? (
        viewed.error ? (
          <ErrorState error={viewed.error} onRetry={viewed.retry} />
        ) : (
          <LoadingState />
        )
      ) : layout.count === 0 ? (
        <NoneFound rows={shown} title={t.tasks.noMatch} onClear={filter === "" && within === "" ? undefined : clear}>
          <NoTasks servers={overview?.servers.length ?? 0} />
        </NoneFound>
      ) : (
        <TaskLines layout={layout} rowAt={rowAt} selected={chosen.index} columns={what.columns ?? USUAL_COLUMNS} widths={what.widths ?? NO_WIDTHS} onWidth={onWidth} onRoom={onRoom} isCompact={what.compact === true} sort={what.sort} onSort={onSort} onRange={onRange} onChoose={chosen.choose} onOpen={onOpen} picks={picks} />
      )}
      {picking && <PickBar picks={picks} />}
    </>
  );
}

function Total({ rows }: { rows: Parameters<typeof HowFar>[0]["rows"] & { total: number } | undefined }) {
  return (
    <HowFar rows={rows}>
      <span className={css.total}>{t.tasks.shown(rows?.total ?? 0)}</span>
    </HowFar>
  );
}

function NoTasks({ servers }: { servers: number }) {
  return servers === 0 ? (
    <EmptyState title={t.tasks.empty} hint={t.tasks.emptyNoServers}>
      <StartDemo look="primary" />
      <Button onClick={() => openServers("add")}>{t.app.addServer}</Button>
    </EmptyState>
  ) : (
    <EmptyState title={t.tasks.empty} hint={t.tasks.emptyHint}>
      <Button look="primary" onClick={() => openStart()}>
        {t.tasks.start}
      </Button>
    </EmptyState>
  );
}
