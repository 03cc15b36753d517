import { useCallback, useMemo, useSyncExternalStore } from "react";

import { useHost } from "../host/context";
import type { Host } from "../host/host";
import type { View } from "../types";
import { Feed, type FeedState } from "./feed";
import type { Seen } from "./seen";

const feeds = new WeakMap<Host, Map<string, Feed>>();

/** The feed of a view; views that are equal share one. A new one begins with the rows of the feed of `beside`. */
export function feedOf(host: Host, key: string, beside?: string): Feed {
  const known = feeds.get(host) ?? new Map<string, Feed>();
  feeds.set(host, known);
  const found = known.get(key);
  if (found) return found;
  const feed = new Feed(host, JSON.parse(key) as View, () => known.delete(key), beside === undefined ? undefined : known.get(beside));
  known.set(key, feed);
  return feed;
}

/** What {@link useView} gives. */
export interface Viewed<V extends View> extends FeedState<Seen<V>> {
  /** Looks again at once while offline. */
  retry: () => void;
}

const UNSEEN: FeedState = { status: "loading", data: undefined, error: undefined };

/**
 * Follows a view while the component is mounted. Rows that did not change keep their identity. Nothing is followed without one.
 * `beside` is another window of the same list, which was followed before: rows that both have are not sent again.
 */
export function useView<V extends View>(view: V | undefined, beside?: V): Viewed<V> {
  const host = useHost();
  const key = view && JSON.stringify(view);
  const besideKey = beside && JSON.stringify(beside);
  const feed = useCallback(() => (key === undefined ? undefined : feedOf(host, key, besideKey)), [host, key, besideKey]);
  const subscribe = useCallback((listener: () => void) => feed()?.subscribe(listener) ?? (() => undefined), [feed]);
  const state = useSyncExternalStore(subscribe, () => feed()?.state ?? UNSEEN) as FeedState<Seen<V>>;
  const retry = useCallback(() => feed()?.retry(), [feed]);
  return { ...state, retry };
}

/** Several feeds as one: its state is the same array as long as nothing changed, or React would render without end. */
function together(host: Host, keys: readonly string[]) {
  let last: readonly FeedState[] = [];
  return {
    subscribe: (listener: () => void) => {
      const stops = keys.map((key) => feedOf(host, key).subscribe(listener));
      return () => stops.forEach((stop) => stop());
    },
    states: () => {
      const now = keys.map((key) => feedOf(host, key).state);
      if (now.length !== last.length || now.some((state, index) => state !== last[index])) last = now;
      return last;
    },
  };
}

/** Follows several views of one kind, a few at most: each is a look that waits at the desk. */
export function useViews<V extends View>(views: readonly V[]): readonly FeedState<Seen<V>>[] {
  const host = useHost();
  const key = JSON.stringify(views);
  const { subscribe, states } = useMemo(
    () =>
      together(
        host,
        (JSON.parse(key) as V[]).map((view) => JSON.stringify(view)),
      ),
    [host, key],
  );
  return useSyncExternalStore(subscribe, states) as readonly FeedState<Seen<V>>[];
}
