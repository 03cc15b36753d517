import { useCallback, useEffect, useRef, useState } from "react";

import { EmptyState, LoadingState } from "../../components/States";
import { currentNav, openServer, select, useNav } from "../../places/nav";
import { Panes } from "../../places/Panes";
import { useAdjusted } from "../../store/useAdjusted";
import { t } from "../../strings";
import type { Overview, ServerId, ServerView } from "../../types";
import { AccessForm } from "./AccessForm";
import { dropHanded, handedOver, isOne } from "./handed";
import { ImportForm } from "./ImportForm";
import { ServerDetail } from "./ServerDetail";
import { ServerForm } from "./ServerForm";
import { awaitsTrust } from "./health";
import { ServerList } from "./ServerList";
import { TrustDialog } from "./TrustDialog";
import { useCheck } from "./useCheck";

/** What the right pane is for. */
type Task = "look" | "add" | "import" | "edit" | "access";

interface Right {
  /** The server that was chosen when it was opened. */
  server: ServerId | null;
  task: Task;
  /** Of which server the access was just saved. */
  saved: ServerId | undefined;
}

/** Servers: all of them, all about one, and the form that adds or changes one. */
export function ServersPlace({ overview }: { overview: Overview | undefined }) {
  if (overview === undefined) return <LoadingState />;
  return <Loaded servers={overview.servers} />;
}

function Loaded({ servers }: { servers: ServerView[] }) {
  const wished = useNav((nav) => nav.server);
  // A server chosen elsewhere, in the rail say, is to be seen: it takes the place of the form.
  const [{ task, saved }, setRight] = useAdjusted(
    useState<Right>({ server: wished, task: currentNav().servers, saved: undefined }),
    (last): Right => (last.server === wished ? last : { server: wished, task: "look", saved: last.saved === wished ? wished : undefined }),
  );
  const setTask = (next: Task) => setRight((last) => ({ ...last, task: next }));
  const setSaved = (server: ServerId | undefined) => setRight((last) => ({ ...last, saved: server }));
  // What was added may reach us before the view that lists it.
  const [fresh, setFresh] = useAdjusted(useState<ServerView>(), (last) => servers.some(({ id }) => id === last?.id) ? undefined : last);
  const [detail, setDetail] = useState<HTMLElement | null>(null);
  const [asking, setAsking] = useState<ServerView>();
  const [handed] = useState(handedOver);
  useEffect(dropHanded, []);
  // It may hold secrets: it is in no state.
  const pasted = useRef(handed && !isOne(handed.pasted) ? handed.text : undefined);
  const takePasted = useCallback(() => {
    const text = pasted.current;
    pasted.current = undefined;
    return text;
  }, []);
  const { check, checkOf } = useCheck();

  const all = fresh ? [...servers, fresh] : servers;
  const shown = all.find((server) => server.id === wished) ?? all[0];

  const look = (server: ServerView) => {
    setTask("look");
    openServer(server.id);
  };
  const onAdded = (server: ServerView) => {
    setFresh(server);
    look(server);
    // What was pasted is nobody's consent to run it: that is asked for now, while it is known what it is.
    if (awaitsTrust(server)) setAsking(server);
    else check(server.id);
  };
  const onImport = (text?: string) => {
    pasted.current = text;
    setTask("import");
  };
  const onEdited = (server: ServerView) => {
    look(server);
    if (server.enabled) check(server.id);
  };
  const onAccess = (server: ServerView) => {
    onEdited(server);
    setSaved(server.id);
  };

  // Nobody has said yet that it may be spoken to: it is not checked by itself.
  const onImported = (server: ServerView) => {
    setFresh(server);
    look(server);
  };

  const right = () => {
    if (task === "import") return <ImportForm takeText={takePasted} onDone={onImported} onCancel={() => setTask("look")} />;
    if (task === "add" || shown === undefined) {
      return (
        <ServerForm
          key="add"
          first={all.length === 0}
          {...(handed && isOne(handed.pasted) && { pasted: handed.pasted })}
          onDone={onAdded}
          onImport={onImport}
          onCancel={shown && (() => setTask("look"))}
        />
      );
    }
    if (task === "edit") {
      return <ServerForm key={`edit-${shown.id}`} server={shown} onDone={onEdited} onCancel={() => setTask("look")} />;
    }
    if (task === "access" && shown.transport.kind === "http") {
      return <AccessForm key={`access-${shown.id}`} server={shown} onDone={onAccess} onCancel={() => setTask("look")} />;
    }
    return (
      <ServerDetail
        key={shown.id}
        server={shown}
        check={checkOf(shown.id)}
        onCheck={() => check(shown.id)}
        onEdit={() => setTask("edit")}
        onAccess={() => {
          setSaved(undefined);
          setTask("access");
        }}
        saved={saved === shown.id}
        onRemoved={() => select({ server: null })}
        bodyRef={setDetail}
      />
    );
  };
  return (
    <>
    <Panes
      favour="detail"
      list={
        <ServerList
          servers={all}
          selected={task === "add" || task === "import" ? undefined : shown}
          onSelect={look}
          onOpen={() => detail?.focus()}
          onAdd={() => setTask("add")}
        >
          <EmptyState title={t.servers.empty} hint={t.servers.emptyHint} />
        </ServerList>
      }
      detail={right()}
    />
    {asking && <TrustDialog server={asking} onClose={() => setAsking(undefined)} onTrusted={() => check(asking.id)} />}
    </>
  );
}
