import type { ReactNode } from "react";

import { SearchField } from "../../components/SearchField";
import { ServerWord } from "../../components/ServerText";
import { PaneBar } from "../../places/Panes";
import { TASK_GROUP, t } from "../../strings";
import type { TaskGroup } from "../../types";
import css from "./FilterBar.module.css";

const GROUPS = Object.keys(TASK_GROUP) as TaskGroup[];

interface Props {
  text: string;
  onText: (text: string) => void;
  group: TaskGroup | undefined;
  onGroup: (group: TaskGroup | undefined) => void;
  /** The name of the server whose tasks alone are listed. */
  server: string | undefined;
  /** Lists the tasks of all servers again. */
  onAllServers: () => void;
  children: ReactNode;
}

/** Which tasks the list shows. */
export function FilterBar({ text, onText, group, onGroup, server, onAllServers, children }: Props) {
  return (
    <PaneBar>
      <select
        className={css.group}
        aria-label={t.tasks.groupFilter}
        value={group ?? ""}
        data-chosen={group !== undefined}
        onChange={(event) => onGroup(GROUPS.find((other) => other === event.target.value))}
      >
        <option value="">{t.tasks.all}</option>
        {GROUPS.map((other) => (
          <option key={other} value={other}>
            {TASK_GROUP[other]}
          </option>
        ))}
      </select>
      {server !== undefined && (
        <button type="button" className={css.chip} aria-label={t.tasks.allServers(server)} title={t.tasks.allServers(server)} onClick={onAllServers}>
          <ServerWord text={server} />
          <span aria-hidden="true">×</span>
        </button>
      )}
      <SearchField label={t.tasks.search} text={text} onText={onText} />
      {children}
    </PaneBar>
  );
}
