import { useEffect, useState } from "react";

import { useHost } from "../host/context";
import { DeskError } from "../host/error";
import type { View } from "../types";
import { applyChange, type Seen } from "./seen";

/** What was seen; neither data nor error while it is looked at. */
export interface Looked<V extends View> {
  data?: Seen<V>;
  error?: DeskError;
}

/**
 * Looks at a view once for each `occasion`: for what must stand still while somebody decides about it. Nothing is looked at without an
 * occasion.
 */
export function useLook<V extends View>(view: V, occasion: object | undefined): Looked<V> {
  const host = useHost();
  const key = JSON.stringify(view);
  const [looked, setLooked] = useState<Looked<V> & { occasion: object; key: string }>();
  useEffect(() => {
    if (occasion === undefined) return;
    let left = false;
    const put = (seen: Looked<V>) => {
      if (!left) setLooked({ occasion, key, ...seen });
    };
    const look = async () => {
      const answered = await host.ask({ ask: "changes", view: JSON.parse(key) as V, waitMs: 0 });
      const data = answered.answered === "changes" && answered.changes.data ? applyChange(undefined, answered.changes.data) : undefined;
      if (data === undefined) throw new Error("BUG: a fresh view is not whole");
      return data as Seen<V>;
    };
    look().then(
      (data) => put({ data }),
      (thrown: unknown) => put({ error: DeskError.from(thrown) }),
    );
    return () => {
      left = true;
    };
  }, [host, key, occasion]);
  return looked !== undefined && looked.occasion === occasion && looked.key === key ? looked : {};
}
