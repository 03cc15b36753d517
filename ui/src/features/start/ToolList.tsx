import type { ReactNode } from "react";

import field from "../../components/Field.module.css";
import { SearchField } from "../../components/SearchField";
import { ServerWord } from "../../components/ServerText";
import { EmptyState } from "../../components/States";
import { VirtualList } from "../../components/VirtualList";
import { oneLine } from "../../format/text";
import { pickTool } from "../../places/nav";
import { PaneBar } from "../../places/Panes";
import { t } from "../../strings";
import type { ServerView, ToolView } from "../../types";
import css from "./Start.module.css";

const CARD = 56;
const size = () => CARD;

interface Props {
  servers: ServerView[];
  server: ServerView;
  text: string;
  onText: (text: string) => void;
  /** Those that match the text. */
  tools: ToolView[];
  /** How many there are without the text; undefined while they are asked for. */
  total: number | undefined;
  selected: string | null;
  /** In place of the list while there is none. */
  children: ReactNode;
}

/** The middle pane: whose tools, which of them. */
export function ToolList({ servers, server, text, onText, tools, total, selected, children }: Props) {
  const pick = (index: number, enter: boolean) => {
    const tool = tools[index];
    if (tool) pickTool(server.id, tool.name, enter);
  };
  return (
    <>
      <PaneBar>
        <select
          className={`${field.input} ${css.server}`}
          aria-label={t.start.server}
          value={server.id}
          onChange={(event) => pickTool(event.target.value, null)}
        >
          {servers.map((other) => (
            <option key={other.id} value={other.id}>
              {oneLine(other.name)}
            </option>
          ))}
        </select>
        <SearchField label={t.start.search} text={text} onText={onText} />
        {total !== undefined && <span className={css.count}>{t.start.found(tools.length, total)}</span>}
      </PaneBar>
      {children ??
        (tools.length === 0 ? (
          <EmptyState title={total === 0 ? t.start.noTools : t.start.noMatch} />
        ) : (
          <VirtualList
            role="listbox"
            label={t.start.tools}
            count={tools.length}
            sizeOf={size}
            // A server may offer two tools of one name.
            keyOf={String}
            selected={tools.findIndex((tool) => tool.name === selected)}
            onSelect={(index, by) => pick(index, by === "pointer")}
            onOpen={(index) => pick(index, true)}
          >
            {({ index }) => <ToolCard tool={tools[index]} />}
          </VirtualList>
        ))}
    </>
  );
}

function ToolCard({ tool }: { tool: ToolView | undefined }) {
  if (!tool) return null;
  return (
    <div className={css.card}>
      <div className={css.cut}>
        <strong>
          <ServerWord text={tool.name} />
        </strong>{" "}
        {tool.title !== undefined && (
          <span className={css.soft}>
            <ServerWord text={tool.title} />
          </span>
        )}
      </div>
      <div className={`${css.cut} ${css.soft}`}>
        <ServerWord text={tool.description ?? ""} />
      </div>
    </div>
  );
}
