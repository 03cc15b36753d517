import { useState, type ReactNode } from "react";

import { Button } from "../../components/Button";
import { Dialog } from "../../components/Dialog";
import { ServerText } from "../../components/ServerText";
import { ErrorNote } from "../../components/States";
import { announce } from "../../store/announce";
import { useAct } from "../../store/call";
import { useReply } from "../../store/useReply";
import { t } from "../../strings";
import type { CallId, Command, TaskOutcome, TaskRow } from "../../types";
import css from "./Several.module.css";
import { TagField } from "./TagField";
import { WhichTask } from "./WhichTask";

/** What is wished of several tasks. */
export type Wish = "cancel" | "forget" | "tag";

/** So many that refused are named; how many more there are is said. */
const NAMED = 20;

interface Props {
  wish: Wish;
  /** Those that were picked when it was opened. */
  calls: readonly CallId[];
  onClose: () => void;
  /** It was done with each of them. */
  onDone: () => void;
}

/** Says what will become of how many tasks, and of which nothing will; then what became of each. */
export function SeveralDialog({ wish, calls, onClose, onDone }: Props) {
  // What is decided about stands still, whatever is picked meanwhile.
  const [meant] = useState(calls);
  const { reply, error } = useReply({ type: "read_tasks", calls: [...meant] });
  const act = useAct();
  const [text, setText] = useState("");
  const [told, setTold] = useState<readonly TaskOutcome[]>();
  const words = t.tasks.several;
  const rows = reply?.rows ?? [];
  const sorted = sort(rows);
  const able = wish === "cancel" ? sorted.cancellable : rows;
  const run = async (command: Extract<Command, { type: "cancel_tasks" | "forget_tasks" | "tag_tasks" }>) => {
    const done = await act.run(command);
    if (!done) return;
    const failed = done.outcomes.filter(({ failure }) => failure);
    announce("several", () => words.told[wish](done.outcomes.length - failed.length, done.outcomes.length));
    setTold(done.outcomes);
    if (failed.length > 0) return;
    onClose();
    if (wish !== "tag") onDone();
  };
  const ids = able.map((row) => row.id);
  const tag = (remove: boolean) => {
    const typed = text.split(/\s+/).filter(Boolean);
    if (typed.length > 0 && !act.busy) void run({ type: "tag_tasks", calls: ids, add: remove ? [] : typed, remove: remove ? typed : [] });
  };
  const close = <Button onClick={onClose}>{told === undefined && wish !== "tag" ? words.keep : words.close}</Button>;
  const none = able.length === 0;
  const one = meant.length === 1 ? rows[0] : undefined;
  if (told !== undefined) {
    return (
      <Dialog open onClose={onClose} title={words.title[wish](meant.length)} actions={close}>
        <Told wish={wish} outcomes={told} />
      </Dialog>
    );
  }
  const does: Record<Wish, ReactNode> = {
    cancel: (
      <Button look="danger" disabled={none || act.busy} onClick={() => void run({ type: "cancel_tasks", calls: ids })}>
        {words.cancel(able.length)}
      </Button>
    ),
    forget: (
      <Button look="danger" disabled={none || act.busy} onClick={() => void run({ type: "forget_tasks", calls: ids })}>
        {words.forget(able.length)}
      </Button>
    ),
    tag: (
      <>
        <Button disabled={none || act.busy || text.trim() === ""} onClick={() => tag(true)}>
          {words.untag}
        </Button>
        <Button look="primary" disabled={none || act.busy || text.trim() === ""} onClick={() => tag(false)}>
          {words.tag}
        </Button>
      </>
    ),
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.title[wish](able.length)}
      actions={
        <>
          {does[wish]}
          {close}
        </>
      }
    >
      {one && <WhichTask row={one} />}
      {reply !== undefined && <Means wish={wish} sorted={sorted} gone={meant.length - rows.length} />}
      {wish === "tag" && <TagField label={t.tasks.own.add} text={text} onText={setText} onTake={(taken) => setText(`${taken} `)} onEnter={() => tag(false)} />}
      {act.busy && wish === "cancel" && <p role="status">{words.waiting}</p>}
      {(error ?? act.error) && <ErrorNote error={(error ?? act.error) as NonNullable<typeof error>} />}
    </Dialog>
  );
}

interface Sorted {
  /** Those whose servers can be asked to cancel. */
  cancellable: readonly TaskRow[];
  /** Those that somebody asked to cancel before. */
  wished: readonly TaskRow[];
  live: readonly TaskRow[];
  ended: readonly TaskRow[];
  /** Those that are calls without a task yet. */
  calls: readonly TaskRow[];
}

function sort(rows: readonly TaskRow[]): Sorted {
  const live = rows.filter((row) => row.outcome === undefined);
  const cancellable = live.filter((row) => row.cancel === undefined);
  return {
    live,
    cancellable,
    wished: live.filter((row) => row.cancel !== undefined),
    ended: rows.filter((row) => row.outcome !== undefined),
    calls: cancellable.filter((row) => !row.hasTask),
  };
}

function Means({ wish, sorted: { cancellable, wished, live, ended, calls }, gone }: { wish: Wish; sorted: Sorted; gone: number }) {
  const words = t.tasks.several;
  const said: Record<Wish, readonly (string | false)[]> = {
    cancel: [
      cancellable.length > 0 ? words.cancels : words.cancelsNone,
      calls.length > 0 && words.calls(calls.length),
      ended.length > 0 && words.endedStay(ended.length),
      wished.length > 0 && words.wishedStay(wished.length),
    ],
    forget: [live.length > 0 && words.forgetsLive(live.length), ended.length > 0 && words.forgetsEnded(ended.length), words.forgets],
    tag: [words.tags],
  };
  return [...said[wish], gone > 0 && words.gone(gone)].filter((line) => line !== false).map((line) => <p key={line}>{line}</p>);
}

function Told({ wish, outcomes }: { wish: Wish; outcomes: readonly TaskOutcome[] }) {
  const failed = outcomes.filter(({ failure }) => failure);
  const more = failed.length - NAMED;
  return (
    <>
      <p>{t.tasks.several.told[wish](outcomes.length - failed.length, outcomes.length)}</p>
      <ul className={css.told}>
        {failed.slice(0, NAMED).map(({ call, failure }) => (
          <li key={call}>
            {call} <ServerText text={failure?.message ?? ""} limit={300} />
          </li>
        ))}
      </ul>
      {more > 0 && <p>{t.tasks.several.more(more)}</p>}
    </>
  );
}
