import { useState } from "react";

import { ActionButton } from "../../components/Button";
import { ErrorNote } from "../../components/States";
import { PaneFoot, Spring } from "../../places/Panes";
import { t } from "../../strings";
import { SeveralDialog, type Wish } from "./SeveralDialog";
import { useExported } from "./useExported";
import type { Picks } from "./usePicks";

/** What can be done with the tasks that are picked. */
export function PickBar({ picks }: { picks: Picks }) {
  const [asking, setAsking] = useState<Wish>();
  const exported = useExported();
  const calls = [...picks.ids];
  const error = picks.error ?? exported.error;
  return (
    <>
      {error && <ErrorNote error={error} />}
      <PaneFoot>
        <strong>{t.tasks.several.picked(calls.length)}</strong>
        <ActionButton action="picks.tag" onRun={() => setAsking("tag")} />
        <ActionButton action="picks.cancel" onRun={() => setAsking("cancel")} />
        <ActionButton action="picks.forget" onRun={() => setAsking("forget")} />
        <ActionButton action="picks.copy" disabled={exported.busy} onRun={() => void exported.copy(calls)} />
        <ActionButton action="picks.save" disabled={exported.busy} onRun={() => void exported.save(calls)} />
        <span>{exported.said}</span>
        <Spring />
        <ActionButton action="picks.clear" look="quiet" onRun={picks.clear} />
      </PaneFoot>
      {asking !== undefined && <SeveralDialog wish={asking} calls={calls} onClose={() => setAsking(undefined)} onDone={picks.clear} />}
    </>
  );
}
