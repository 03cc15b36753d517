import { useMemo, useState } from "react";

import { ActionButton, Button } from "../../components/Button";
import { EmptyState, ErrorState, LoadingState } from "../../components/States";
import { ServerWord } from "../../components/ServerText";
import { currentNav, go, openServers, pickTool, useNav } from "../../places/nav";
import { PaneBar, Panes, Spring } from "../../places/Panes";
import { useTools } from "../../store/useTools";
import { t } from "../../strings";
import type { Overview, ServerView } from "../../types";
import { StartDemo } from "../first/StartDemo";
import css from "./Start.module.css";
import { ToolForm } from "./ToolForm";
import { ToolList } from "./ToolList";

/** Starting a tool: a server, one of its tools, its form. */
export function StartPlace({ overview }: { overview: Overview | undefined }) {
  if (!overview) return <Panes favour="detail" list={<LoadingState />} detail={null} />;
  const servers = overview.servers.filter((server) => server.enabled);
  if (servers.length === 0) {
    return (
      <Panes
        favour="detail"
        list={
          <EmptyState title={t.start.noServers} hint={t.start.noServersHint}>
            <StartDemo look="primary" />
            <Button onClick={() => openServers("add")}>{t.start.addServer}</Button>
          </EmptyState>
        }
        detail={null}
      />
    );
  }
  return <Start servers={servers} />;
}

/** The server that was wished for, else one that answers. */
function chosen(servers: ServerView[], wished: string | null): ServerView | undefined {
  return (
    servers.find((server) => server.id === wished) ??
    servers.find((server) => server.health.state === "ok") ??
    servers[0]
  );
}

function Start({ servers }: { servers: ServerView[] }) {
  const wish = useNav((nav) => nav.start);
  const server = chosen(servers, wish.server);
  const { tools, error, reload } = useTools(server?.id);
  const [text, setText] = useState("");
  const found = useMemo(() => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    return (tools ?? []).filter((tool) => {
      const said = `${tool.name} ${tool.title ?? ""} ${tool.description ?? ""}`.toLowerCase();
      return words.every((word) => said.includes(word));
    });
  }, [tools, text]);

  if (!server) return null;
  // What the list does not show is not shown beside it either. What was typed there is kept.
  // What was wished for of one server is not started at another, which may have a tool of the same name.
  const wished = wish.server === null || wish.server === server.id ? wish.tool : null;
  const tool = found.find((other) => other.name === wished);
  const isGone = wished !== null && tools?.every((other) => other.name !== wished);
  const state = error ? <ErrorState error={error} onRetry={reload} /> : tools ? null : <LoadingState what={t.start.loading} />;
  return (
    <Panes
      favour="detail"
      list={
        <ToolList servers={servers} server={server} text={text} onText={setText} tools={found} total={tools?.length} selected={wished}>
          {state}
        </ToolList>
      }
      detail={
        <>
          <PaneBar>
            <span className={css.soft}>
              {t.start.title} · <ServerWord text={server.name} />
            </span>
            <Spring />
            <ActionButton action="back" look="quiet" onRun={() => go(currentNav().back)} />
          </PaneBar>
          {tool ? (
            // Another wish is another form, even for the same tool.
            <ToolForm key={`${server.id} ${tool.name} ${wish.arguments ?? ""}`} server={server} tool={tool} wish={wish} />
          ) : tools && isGone ? (
            <EmptyState title={t.start.goneTool}>
              <p>
                <ServerWord text={wish.tool ?? ""} />
              </p>
              <Button onClick={() => pickTool(server.id, null)}>{t.start.otherTool}</Button>
            </EmptyState>
          ) : (
            tools && tools.length > 0 && <EmptyState title={t.start.title} hint={t.start.pick} />
          )}
        </>
      }
    />
  );
}
