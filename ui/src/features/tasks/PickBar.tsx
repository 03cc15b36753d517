import { useState } from "react";

import { ActionButton } from "../../components/Button";
import { ErrorNote } from "../../components/States";
import { PaneFoot, Spring } from "../../places/Panes";
import { t } from "../../strings";
import { SeveralDialog, type Wish } from "./SeveralDialog";
import { useCopied } from "./useCopied";
import type { Picks } from "./usePicks";

/** What can be done with the tasks that are picked. */
export function PickBar({ picks }: { picks: Picks }) {
  const [asking, setAsking] = useState<Wish>();
  const copied = useCopied();
  const calls = [...picks.ids];
  const error = picks.error ?? copied.act.error;
  return (
    <>
      {error && <ErrorNote error={error} />}
      <PaneFoot>
        <strong>{t.tasks.several.picked(calls.length)}</strong>
        <ActionButton action="picks.tag" onRun={() => setAsking("tag")} />
        <ActionButton action="picks.cancel" onRun={() => setAsking("cancel")} />
        <ActionButton action="picks.forget" onRun={() => setAsking("forget")} />
        <ActionButton action="picks.copy" disabled={copied.act.busy} onRun={() => void copied.run(calls)} />
        <span>{copied.said}</span>
        <Spring />
        <ActionButton action="picks.clear" look="quiet" onRun={picks.clear} />
      </PaneFoot>
      {asking !== undefined && <SeveralDialog wish={asking} calls={calls} onClose={() => setAsking(undefined)} onDone={picks.clear} />}
    </>
  );
}
