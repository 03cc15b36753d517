import { useCallback, useEffect, useState } from "react";

import { useHost } from "../host/context";
import { call } from "./call";
import { useView } from "./useView";

/**
 * Something that the desk remembers for this window under a name. Undefined until it is known; `read` makes sense of what is
 * remembered, which another version may have written, and says what holds where nothing is.
 */
export function usePreference<T>(key: string, read: (remembered: unknown) => T): readonly [T | undefined, (value: T) => void] {
  const host = useHost();
  const { data, status } = useView({ type: "preference", key });
  const [set, setSet] = useState<{ key: string; value: T }>();
  const put = useCallback(
    (value: T) => {
      setSet({ key, value });
      // What cannot be remembered holds until the window is closed: that is no reason to disturb somebody.
      call(host, { type: "set_preference", key, value: JSON.stringify(value) }).catch(() => undefined);
    },
    [host, key],
  );
  if (set?.key === key) return [set.value, put];
  if (data === undefined && status === "loading") return [undefined, put];
  return [read(parsed(data ?? null)), put];
}

/** Hands on what is remembered under a name, once it is known and whenever it changes. `take` must keep its identity. */
export function useRemembered(key: string, take: (remembered: unknown) => void): void {
  const { data } = useView({ type: "preference", key });
  useEffect(() => {
    if (data !== undefined) take(parsed(data));
  }, [data, take]);
}

function parsed(json: string | null): unknown {
  try {
    return json === null ? undefined : (JSON.parse(json) as unknown);
  } catch {
    return undefined;
  }
}
