import { useContext, useRef, useState } from "react";

import { useAction } from "../../actions/registry";
import { ActionHint } from "../../components/Button";
import { Section } from "../../components/Section";
import { ErrorNote } from "../../components/States";
import { useAct } from "../../store/call";
import { t } from "../../strings";
import type { CallId, TaskDetail } from "../../types";
import css from "./Own.module.css";
import { OwnNote } from "./OwnNote";
import { Picking } from "./picking";
import { TagField } from "./TagField";
import { TagChip } from "./Tags";

/** What a person keeps of a task for themselves: tags and a note. No server hears of them. */
export function Own({ task: { row, remark } }: { task: TaskDetail }) {
  return (
    <Section title={t.tasks.own.title}>
      <OwnTags call={row.id} tags={row.tags ?? []} />
      <OwnNote call={row.id} kept={remark ?? ""} />
    </Section>
  );
}

function OwnTags({ call, tags }: { call: CallId; tags: readonly string[] }) {
  const { run, error } = useAct();
  const [text, setText] = useState("");
  const [refused, setRefused] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const picking = useContext(Picking);
  useAction("task.tag", () => input.current?.focus(), !picking);
  const change = async (add: readonly string[], remove: readonly string[]) => {
    const reply = await run({ type: "tag_tasks", calls: [call], add: [...add], remove: [...remove] });
    setRefused(reply?.outcomes.find(({ failure }) => failure)?.failure?.message);
    return reply !== undefined && reply.outcomes.every(({ failure }) => !failure);
  };
  const add = async (words: string) => {
    if (await change(words.split(/\s+/), [])) setText("");
  };
  return (
    <>
      <div className={css.tags}>
        {tags.map((tag) => (
          <TagChip key={tag} tag={tag} onDrop={() => void change([], [tag])} />
        ))}
        <TagField label={t.tasks.own.add} text={text} onText={setText} onTake={(words) => void add(words)} fieldRef={input} />
        <span aria-hidden="true">
          <ActionHint action="task.tag" keyless={picking} />
        </span>
      </div>
      {refused !== undefined && <p role="alert">{refused}</p>}
      {error && <ErrorNote error={error} />}
    </>
  );
}
