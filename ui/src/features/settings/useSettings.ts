import { useCallback, useEffect, useRef, useState } from "react";

import { useHost } from "../../host/context";
import { DeskError } from "../../host/error";
import { call } from "../../store/call";
import type { Saving } from "../../store/saving";
import type { Settings } from "../../types";

type Key = keyof Settings;

/** The settings as chosen, and how to change one. */
export interface EditedSettings {
  /** As the desk has them, with what was chosen since. */
  chosen: Settings;
  /** Saves one; false when the desk refused it. */
  save: <K extends Key>(key: K, value: Settings[K]) => Promise<boolean>;
  savingOf: (key: Key) => Saving | undefined;
}

/** Saves settings one after the other: each time all of them go to the desk, so a change must know those before it. */
export function useSettings(settings: Settings): EditedSettings {
  const host = useHost();
  const [wanted, setWanted] = useState<Partial<Settings>>({});
  const [savings, setSavings] = useState<Partial<Record<Key, Saving>>>({});
  const latest = useRef(settings);
  const queue = useRef<Promise<unknown>>(Promise.resolve());
  const underWay = useRef(0);

  // The desk has spoken: what it says holds, but for what is on its way to it.
  const [seen, setSeen] = useState(settings);
  if (!same(seen, settings)) {
    setSeen(settings);
    setWanted((before) => pick(before, (key) => savings[key]?.state === "saving"));
  }
  useEffect(() => {
    if (underWay.current === 0) latest.current = settings;
  }, [settings]);

  const save = useCallback(
    <K extends Key>(key: K, value: Settings[K]): Promise<boolean> => {
      const mark = (saving: Saving) => setSavings((before) => ({ ...before, [key]: saving }));
      setWanted((before) => ({ ...before, [key]: value }));
      mark({ state: "saving" });
      underWay.current += 1;
      const saved = queue.current.then(async () => {
        const next = { ...latest.current, [key]: value };
        try {
          await call(host, { type: "set_settings", settings: next });
          latest.current = next;
          mark({ state: "saved" });
          return true;
        } catch (thrown) {
          mark({ state: "failed", error: DeskError.from(thrown) });
          setWanted((before) => pick(before, (other) => other !== key));
          return false;
        } finally {
          underWay.current -= 1;
        }
      });
      queue.current = saved;
      return saved;
    },
    [host],
  );
  return { chosen: { ...settings, ...wanted }, save, savingOf: (key) => savings[key] };
}

function same(a: Settings, b: Settings): boolean {
  return ([...Object.keys(a), ...Object.keys(b)] as Key[]).every((key) => a[key] === b[key] || JSON.stringify(a[key]) === JSON.stringify(b[key]));
}

function pick(settings: Partial<Settings>, keep: (key: Key) => boolean): Partial<Settings> {
  return Object.fromEntries(Object.entries(settings).filter(([key]) => keep(key as Key)));
}
