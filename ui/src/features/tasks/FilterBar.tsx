import { useRef, type KeyboardEvent, type ReactNode } from "react";

import { useAction } from "../../actions/registry";
import { PaneBar } from "../../app/Panes";
import { ServerWord } from "../../components/ServerText";
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
  const field = useRef<HTMLInputElement>(null);
  useAction("search", () => {
    field.current?.focus();
    field.current?.select();
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    if (text === "") field.current?.blur();
    onText("");
  };
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
      <input
        ref={field}
        type="search"
        className={css.search}
        aria-label={t.tasks.search}
        placeholder={t.tasks.search}
        maxLength={200}
        spellCheck={false}
        value={text}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {children}
    </PaneBar>
  );
}
