import { useState, type SyntheticEvent } from "react";

import { Button } from "../../components/Button";
import { Field } from "../../components/Field";
import field from "../../components/Field.module.css";
import { Section } from "../../components/Section";
import { ServerText, ServerWord } from "../../components/ServerText";
import { EmptyState, ErrorState, LoadingState } from "../../components/States";
import { ClockTime } from "../../components/Time";
import { oneLine } from "../../format/text";
import { openTask } from "../../places/nav";
import { useAct } from "../../store/call";
import { useReply } from "../../store/useReply";
import { t } from "../../strings";
import { STATUS } from "../../strings/words";
import type { ListedTask, ServerView } from "../../types";
import css from "./Servers.module.css";

/** Tasks that were started elsewhere: by their id, or out of what the server tells of them. */
export function ServerAdopt({ server }: { server: ServerView }) {
  if (!server.enabled) return <EmptyState title={t.servers.disabledTools} hint={t.servers.adopt.disabledHint} />;
  return (
    <>
      <ById server={server} />
      <Section title={t.servers.adopt.listed}>
        <Listed server={server} />
      </Section>
    </>
  );
}

function ById({ server }: { server: ServerView }) {
  const act = useAct();
  const [taskId, setTaskId] = useState("");
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    if (act.busy || taskId.trim() === "") return;
    const started = await act.run({ type: "track", server: server.id, taskId: taskId.trim() });
    if (started) openTask(started.call);
  };
  return (
    <form className={css.adopt} onSubmit={(event) => void submit(event)}>
      <Field label={t.servers.adopt.taskId} hint={t.servers.adopt.taskIdHint} errors={act.error ? [act.error.message] : []}>
        {(control) => (
          <input
            {...control}
            className={field.input}
            autoComplete="off"
            spellCheck={false}
            value={taskId}
            onChange={(event) => setTaskId(event.target.value)}
          />
        )}
      </Field>
      <Button type="submit" disabled={act.busy || taskId.trim() === ""}>
        {t.servers.adopt.follow}
      </Button>
    </form>
  );
}

function Listed({ server }: { server: ServerView }) {
  const { reply, error, reload } = useReply({ type: "list_tasks", server: server.id });
  if (error) return <ErrorState error={error} onRetry={reload} />;
  if (reply === undefined) return <LoadingState what={t.servers.adopt.asking} />;
  const { listing } = reply;
  if (listing === undefined) return <p className={css.soft}>{t.servers.adopt.noList}</p>;
  return (
    <>
      {listing.tasks.length === 0 && <p className={css.soft}>{t.servers.adopt.none(listing.followed)}</p>}
      <ul className={css.tools} aria-label={t.servers.adopt.listed}>
        {listing.tasks.map((task) => (
          <Entry key={task.taskId} server={server} task={task} />
        ))}
      </ul>
      {!listing.complete && <p className={css.soft}>{t.servers.adopt.more}</p>}
      <div>
        <Button onClick={reload}>{t.servers.adopt.askAgain}</Button>
      </div>
    </>
  );
}

function Entry({ server, task }: { server: ServerView; task: ListedTask }) {
  const act = useAct();
  const follow = async () => {
    const started = await act.run({ type: "track", server: server.id, taskId: task.taskId });
    if (started) openTask(started.call);
  };
  return (
    <li className={css.tool}>
      <div className={css.toolWords}>
        <p>
          <strong>
            <ServerWord text={task.taskId} />
          </strong>{" "}
          <span className={css.soft}>
            {STATUS[task.status]}
            {task.createdAt !== undefined && (
              <>
                {" · "}
                <ClockTime at={task.createdAt} />
              </>
            )}
          </span>
        </p>
        {task.statusMessage !== undefined && <ServerText text={task.statusMessage} limit={400} />}
        {act.error && (
          <p role="alert" className={css.caution}>
            {act.error.message}
          </p>
        )}
      </div>
      <Button
        disabled={act.busy}
        onClick={() => void follow()}
        aria-label={t.servers.adopt.followOne(oneLine(task.taskId))}
      >
        {t.servers.adopt.follow}
      </Button>
    </li>
  );
}
