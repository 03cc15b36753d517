import { useState } from "react";

import { ActionButton } from "../../components/Button";
import { laterDialog } from "../../components/later";
import { ErrorNote } from "../../components/States";
import { PaneFoot, Spring } from "../../places/Panes";
import { t } from "../../strings";
import type { Wish } from "./SeveralDialog";
import { useExported } from "./useExported";
import type { Picks } from "./usePicks";

const SeveralDialog = laterDialog(async () => (await import("../seldom")).SeveralDialog);

/** What can be done with the tasks that are picked. The keys are those of a single task: while any are picked, they are about them. */
export function PickBar({ picks }: { picks: Picks }) {
  const [asking, setAsking] = useState<Wish>();
  const exported = useExported();
  const calls = [...picks.ids];
  const words = t.tasks.several;
  const error = picks.error ?? exported.error;
  return (
    <>
      {error && <ErrorNote error={error} />}
      <PaneFoot>
        <strong>{picks.full === undefined ? words.picked(calls.length) : words.pickedMost(calls.length, picks.full)}</strong>
        <ActionButton action="task.tag" words={words.named.tag(calls.length)} onRun={() => setAsking("tag")}>
          {words.acts.tag}
        </ActionButton>
        <ActionButton action="task.cancel" words={words.named.cancel(calls.length)} onRun={() => setAsking("cancel")}>
          {words.acts.cancel}
        </ActionButton>
        <ActionButton action="task.forget" onRun={() => setAsking("forget")}>
          {words.acts.forget}
        </ActionButton>
        <ActionButton action="picks.copy" words={words.named.copy(calls.length)} disabled={exported.busy} onRun={() => void exported.copy(calls)} />
        <ActionButton action="picks.save" words={words.named.save(calls.length)} disabled={exported.busy} onRun={() => void exported.save(calls)} />
        <span>{exported.said}</span>
        <Spring />
        <ActionButton action="picks.clear" look="quiet" onRun={picks.clear} />
      </PaneFoot>
      {asking !== undefined && <SeveralDialog wish={asking} calls={calls} onClose={() => setAsking(undefined)} onDone={picks.clear} />}
    </>
  );
}
