import { useState } from "react";

import { useHost } from "../../host/context";
import { announce } from "../../store/announce";
import { useAct, type Act } from "../../store/call";
import { t } from "../../strings";
import type { CallId, Reply } from "../../types";

/** More than so many characters is nothing for a clipboard. */
const MOST_COPIED = 4_194_304;

/** What was exported to the clipboard. */
export interface Exported {
  act: Act;
  /** What became of the last one, in words. */
  said: string | undefined;
  run: (calls: readonly CallId[]) => Promise<void>;
}

/** Copies all that is kept of tasks, a line of JSON for each, as `export` prints it: without task ids. */
export function useCopied(): Exported {
  const host = useHost();
  const act = useAct();
  const [said, setSaid] = useState<string>();
  const run = async (calls: readonly CallId[]) => {
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
    const words = t.tasks.several;
    if (size <= MOST_COPIED) await host.copy(lines.map((line) => `${line}\n`).join(""));
    const said = size > MOST_COPIED ? words.tooLong : words.copied(lines.length, leftOut);
    announce("several", () => said);
    setSaid(said);
  };
  return { act, said, run };
}
