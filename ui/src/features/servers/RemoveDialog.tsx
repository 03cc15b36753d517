import { Button } from "../../components/Button";
import { Dialog } from "../../components/Dialog";
import { ServerWord } from "../../components/ServerText";
import { ErrorNote } from "../../components/States";
import { oneLine } from "../../format/text";
import type { DeskError } from "../../host/error";
import { openTask } from "../../places/nav";
import { useAct } from "../../store/call";
import { useView } from "../../store/useView";
import { t } from "../../strings";
import type { CallId, ServerId, ServerView } from "../../types";
import css from "./Servers.module.css";

/** How many tasks in the way are named. */
const NAMED = 12;

interface Props {
  server: ServerView;
  onClose: () => void;
  onRemoved: () => void;
}

/** Removes a server once a person confirms. The desk refuses while tasks are live: then they are named. */
export function RemoveDialog({ server, onClose, onRemoved }: Props) {
  const act = useAct();
  const remove = async () => {
    if (!(await act.run({ type: "remove_server", server: server.id }))) return;
    onClose();
    onRemoved();
  };
  const inTheWay = act.error && tasksOf(act.error);
  return (
    <Dialog
      open
      onClose={onClose}
      title={t.servers.removeTitle(oneLine(server.name))}
      actions={
        <>
          <Button look="danger" disabled={act.busy} onClick={() => void remove()}>
            {t.servers.remove}
          </Button>
          <Button onClick={onClose}>{t.servers.keep}</Button>
        </>
      }
    >
      <p>{t.servers.removeText}</p>
      {act.error && <ErrorNote error={act.error} />}
      {inTheWay && <InTheWay server={server.id} calls={inTheWay} />}
    </Dialog>
  );
}

function tasksOf({ code, detail }: DeskError): CallId[] | undefined {
  return code === "live_tasks" && detail && "tasks" in detail ? detail.tasks : undefined;
}

function InTheWay({ server, calls }: { server: ServerId; calls: CallId[] }) {
  // Live tasks come first in the list, so that the first page has those that are named.
  const { data } = useView({ type: "tasks", query: { filter: `server:${server}`, within: [], sort: "", group: "" }, offset: 0, limit: 100 });
  return (
    <div>
      <p>{t.servers.inTheWay}</p>
      <ul>
        {calls.slice(0, NAMED).map((call) => {
          const row = data?.rows.find((other) => other.id === call);
          return (
            <li key={call}>
              <button type="button" className={css.link} onClick={() => openTask(call)}>
                {call}
                {row !== undefined && (
                  <>
                    {" "}
                    <ServerWord text={`${row.tool} ${row.summary}`} />
                  </>
                )}
              </button>
            </li>
          );
        })}
      </ul>
      {calls.length > NAMED && <p>{t.servers.moreTasks(calls.length - NAMED)}</p>}
    </div>
  );
}
