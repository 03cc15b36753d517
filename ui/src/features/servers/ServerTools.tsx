import { Button } from "../../components/Button";
import { ServerText, ServerWord } from "../../components/ServerText";
import { EmptyState, ErrorState, LoadingState } from "../../components/States";
import { StatusLamp } from "../../components/StatusLamp";
import { oneLine } from "../../format/text";
import { openStart } from "../../places/nav";
import { useTools } from "../../store/useTools";
import { t } from "../../strings";
import type { ServerView, ToolView } from "../../types";
import { ToolLevel } from "./ServerLevel";
import css from "./Servers.module.css";

/** The tools a server offers, asked for when they are looked at. */
export function ServerTools({ server }: { server: ServerView }) {
  const { tools, error, reload } = useTools(server.enabled ? server.id : undefined);
  if (!server.enabled) return <EmptyState title={t.servers.disabledTools} hint={t.servers.disabledToolsHint} />;
  if (error) return <ErrorState error={error} onRetry={reload} />;
  if (tools === undefined) return <LoadingState what={t.servers.asking} />;
  if (tools.length === 0) return <EmptyState title={t.servers.noTools} />;
  return (
    <ul className={css.tools} aria-label={t.servers.tools}>
      {tools.map((tool, index) => (
        // A server may offer two tools of one name.
        <Tool key={index} server={server} tool={tool} onStart={() => openStart({ server: server.id, tool: tool.name })} />
      ))}
    </ul>
  );
}

function Tool({ server, tool, onStart }: { server: ServerView; tool: ToolView; onStart: () => void }) {
  return (
    <li className={css.tool}>
      <div className={css.toolWords}>
        <p>
          <strong>
            <ServerWord text={tool.name} />
          </strong>{" "}
          {tool.title !== undefined && (
            <span className={css.soft}>
              <ServerWord text={tool.title} />
            </span>
          )}
        </p>
        {tool.description !== undefined && <ServerText text={tool.description} limit={400} />}
        {tool.destructive && (
          <p className={css.caution}>
            <StatusLamp lamp="tool_error" /> {t.servers.destructive}
          </p>
        )}
        <ToolLevel server={server} tool={tool.name} />
      </div>
      <Button onClick={onStart} aria-label={t.servers.startTool(oneLine(tool.name))}>
        {t.servers.start}
      </Button>
    </li>
  );
}
