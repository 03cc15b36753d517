import { useState } from "react";

import { useHost } from "../../host/context";
import { DeskError } from "../../host/error";
import { announce } from "../../store/announce";
import { useAct } from "../../store/call";
import { t } from "../../strings";
import type { CallId, Reply } from "../../types";

/** More than so many characters is nothing for a clipboard. */
const MOST_COPIED = 4_194_304;

/** All that is kept of tasks, a line of JSON for each, as `export` prints it: without task ids. */
export interface Exported {
  busy: boolean;
  /** Why the last of it failed. */
  error: DeskError | undefined;
  /** What became of the last of it, in words. */
  said: string | undefined;
  /** Puts it on the clipboard, where that is not too much. */
  copy: (calls: readonly CallId[]) => Promise<void>;
  /** Saves it where the person says, however much it is. */
  save: (calls: readonly CallId[]) => Promise<void>;
}

/** Brings tasks out of the window. */
export function useExported(): Exported {
  const host = useHost();
  const act = useAct();
  const [saving, setSaving] = useState(false);
  const [said, setSaid] = useState<string>();
  const words = t.tasks.several;
  const tell = (what: string) => {
    announce("several", () => what);
    setSaid(what);
  };
  const copy = async (calls: readonly CallId[]) => {
    setSaid(undefined);
    const lines: string[] = [];
    let [after, size, leftOut]: [number | undefined, number, number] = [0, 0, 0];
    while (after !== undefined) {
      const portion: Extract<Reply, { type: "portion" }> | undefined = await act.run({ type: "export", what: "tasks", after, withHandles: false, filter: "", calls: [...calls] });
      if (!portion) return;
      lines.push(...portion.lines);
      size += portion.lines.reduce((sum, line) => sum + line.length, 0);
      leftOut += portion.leftOut;
      after = size > MOST_COPIED ? undefined : portion.next;
    }
    if (size <= MOST_COPIED) await host.copy(lines.map((line) => `${line}\n`).join(""));
    tell(size > MOST_COPIED ? words.tooLong : words.copied(lines.length, calls.length, leftOut));
  };
  const save = async (calls: readonly CallId[]) => {
    setSaid(undefined);
    act.clear();
    setSaving(true);
    try {
      const saved = await host.saveTasks(calls);
      if (saved) tell(words.saved(saved.lines, calls.length, saved.leftOut));
    } catch (thrown) {
      act.fail(DeskError.from(thrown));
    } finally {
      setSaving(false);
    }
  };
  return { busy: act.busy || saving, error: act.error, said, copy, save };
}
