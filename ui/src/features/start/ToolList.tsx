import { useRef, type ReactNode } from "react";

import { useAction } from "../../actions/registry";
import { PaneBar } from "../../app/Panes";
import { openStart } from "../../app/nav";
import field from "../../components/Field.module.css";
import { ServerWord } from "../../components/ServerText";
import { EmptyState } from "../../components/States";
import { VirtualList } from "../../components/VirtualList";
import { oneLine } from "../../format/text";
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
  const search = useRef<HTMLInputElement>(null);
  useAction("search", () => {
    search.current?.focus();
    search.current?.select();
  });
  const select = (index: number) => {
    const tool = tools[index];
    if (tool) openStart({ server: server.id, tool: tool.name });
  };
  return (
    <>
      <PaneBar>
        <select
          className={`${field.input} ${css.server}`}
          aria-label={t.start.server}
          value={server.id}
          onChange={(event) => openStart({ server: event.target.value })}
        >
          {servers.map((other) => (
            <option key={other.id} value={other.id}>
              {oneLine(other.name)}
            </option>
          ))}
        </select>
        <input
          ref={search}
          type="search"
          className={css.search}
          aria-label={t.start.search}
          placeholder={t.start.search}
          maxLength={200}
          spellCheck={false}
          value={text}
          onChange={(event) => onText(event.target.value)}
        />
        {total !== undefined && <span className={css.count}>{t.start.toolCount(total)}</span>}
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
            keyOf={(index) => tools[index]?.name ?? String(index)}
            selected={tools.findIndex((tool) => tool.name === selected)}
            onSelect={select}
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
