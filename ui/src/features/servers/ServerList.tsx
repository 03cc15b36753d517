import type { ReactNode } from "react";

import { ActionButton } from "../../components/Button";
import { VirtualList } from "../../components/VirtualList";
import { PaneBar, Spring } from "../../places/Panes";
import { t } from "../../strings";
import type { ServerView } from "../../types";
import { ServerCard } from "./ServerCard";
import css from "./Servers.module.css";

const CARD = 84;
const size = () => CARD;

interface Props {
  servers: ServerView[];
  selected: ServerView | undefined;
  onSelect: (server: ServerView) => void;
  /** Goes on to the detail. */
  onOpen: () => void;
  onAdd: () => void;
  /** In place of the list when there are none. */
  children: ReactNode;
}

/** The middle pane: every server with its health. */
export function ServerList({ servers, selected, onSelect, onOpen, onAdd, children }: Props) {
  const selectAt = (index: number) => {
    const server = servers[index];
    if (server) onSelect(server);
  };
  return (
    <>
      <PaneBar>
        <span className={css.soft}>{servers.length > 0 ? t.servers.serverCount(servers.length) : t.servers.title}</span>
        <Spring />
        <ActionButton action="server.add" onRun={onAdd} className={css.barButton} bare />
      </PaneBar>
      {servers.length === 0 ? (
        children
      ) : (
        <VirtualList
          role="listbox"
          label={t.servers.list}
          count={servers.length}
          sizeOf={size}
          keyOf={(index) => servers[index]?.id ?? String(index)}
          selected={servers.findIndex((server) => server.id === selected?.id)}
          onSelect={selectAt}
          onOpen={onOpen}
        >
          {({ index }) => {
            const server = servers[index];
            return server && <ServerCard server={server} />;
          }}
        </VirtualList>
      )}
    </>
  );
}
