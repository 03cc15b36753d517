import { useCallback, useEffect, useState } from "react";

import { useHost } from "../host/context";
import { DeskError } from "../host/error";
import { call } from "./call";
import type { Saving } from "./saving";
import { useView } from "./useView";

/**
 * Something that the desk remembers for this window under a name. Undefined until it is known; `read` makes sense of what is
 * remembered, which another version may have written, and says what holds where nothing is.
 */
export function usePreference<T>(key: string, read: (remembered: unknown) => T): Preference<T> {
  const host = useHost();
  const { data, status } = useView({ type: "preference", key });
  const [set, setSet] = useState<{ key: string; value: T; saving: Saving }>();
  const put = useCallback(
    (value: T) => {
      const chosen = (saving: Saving) => ({ key, value, saving });
      const mark = (saving: Saving) => setSet((last) => (last?.key === key && last.value === value ? chosen(saving) : last));
      setSet(chosen({ state: "saving" }));
      // What cannot be remembered holds until the window is closed.
      call(host, { type: "set_preference", key, value: JSON.stringify(value) }).then(
        () => mark({ state: "saved" }),
        (thrown: unknown) => mark({ state: "failed", error: DeskError.from(thrown) }),
      );
    },
    [host, key],
  );
  if (set?.key === key) return [set.value, put, set.saving];
  if (data === undefined && status === "loading") return [undefined, put, undefined];
  return [read(parsed(data ?? null)), put, undefined];
}

/** What is remembered, how to change it, and how the last change in this window stands: only where choices are set is that said. */
type Preference<T> = readonly [T | undefined, (value: T) => void, Saving | undefined];

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
