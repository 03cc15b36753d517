import { useEffect, useEffectEvent } from "react";

import { nameView, narrowTo, useNav, viewShown } from "../../places/nav";
import type { Saving } from "../../store/saving";
import type { Overview, ServerId } from "../../types";
import { USUAL, type ShownList } from "./shown";
import { isAs, listOf, type SavedView } from "./views";

/** The saved views, and the one in force. */
export interface SavedViews {
  all: readonly SavedView[];
  /** The one in force: the list stood as it says at least once since. */
  inForce: SavedView | undefined;
  /** Whether the list no longer stands as it says. */
  isChanged: boolean;
  /** How the last change of the views stands. */
  saving: Saving | undefined;
  /** Shows the list by a view; as it always is without one. */
  show: (view: SavedView | undefined) => void;
  /** Keeps the list as it stands, in the place of the view of that name where there is one. */
  save: (name: string) => void;
  rename: (name: string) => void;
  /** Deletes the view in force. The list stays as it stands. */
  remove: () => void;
}

interface Props {
  all: readonly SavedView[];
  onAll: (views: readonly SavedView[]) => void;
  saving: Saving | undefined;
  list: ShownList;
  onList: (list: ShownList) => void;
  /** The server that the list is narrowed to. */
  server: ServerId | undefined;
  overview: Overview | undefined;
}

/** Keeps the list of tasks under names, and shows it by them. */
export function useSavedViews({ all, onAll, saving, list, onList, server, overview }: Props): SavedViews {
  const name = useNav((nav) => nav.view);
  const isWished = useNav((nav) => nav.viewWished);
  const inForce = all.find((view) => view.name === name);
  const take = useEffectEvent(() => {
    viewShown();
    if (inForce) onList(listOf(inForce));
  });
  useEffect(() => {
    if (isWished) take();
  }, [isWished]);
  const isThere = (id: ServerId) => overview === undefined || overview.servers.some((other) => other.id === id);
  return {
    all,
    inForce,
    isChanged: inForce !== undefined && !isWished && !isAs(inForce, list, server, isThere),
    saving,
    show: (view) => {
      nameView(view?.name ?? null);
      narrowTo("tasks", view?.server ?? null);
      onList(view === undefined ? USUAL : listOf(view));
    },
    save: (name) => {
      const view: SavedView = { name, ...list, ...(server !== undefined && { server }) };
      const isKnown = all.some((other) => other.name === name);
      onAll(isKnown ? all.map((other) => (other.name === name ? view : other)) : [...all, view]);
      nameView(name);
    },
    rename: (name) => {
      onAll(all.map((other) => (other === inForce ? { ...other, name } : other)));
      nameView(name);
    },
    remove: () => {
      onAll(all.filter((other) => other !== inForce));
      nameView(null);
    },
  };
}
