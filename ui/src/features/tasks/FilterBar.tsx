import type { ReactNode } from "react";

import { Chip } from "../../components/Chip";
import { TokenField } from "../../components/TokenField";
import { PaneBar } from "../../places/Panes";
import { t } from "../../strings";
import css from "./FilterBar.module.css";
import { isToken, USUAL_GROUP, type Shown } from "./shown";
import type { Typing } from "./useFilter";

const GROUPS = Object.keys(t.tasks.groups) as (keyof typeof t.tasks.groups)[];

interface Props {
  shown: Shown;
  onShown: (shown: Shown) => void;
  typing: Typing;
  /** The name of the server whose tasks alone are listed. */
  server: string | undefined;
  /** Lists the tasks of all servers again. */
  onAllServers: () => void;
  children: ReactNode;
}

/** Which tasks the list shows, and under which heads. */
export function FilterBar({ shown, onShown, typing, server, onAllServers, children }: Props) {
  return (
    <PaneBar>
      <select
        className={css.group}
        aria-label={t.tasks.group}
        title={t.tasks.group}
        value={shown.group || USUAL_GROUP}
        onChange={(event) => onShown({ ...shown, group: event.target.value })}
      >
        {GROUPS.map((group) => (
          <option key={group} value={group}>
            {t.tasks.groups[group]}
          </option>
        ))}
      </select>
      {server !== undefined && (
        <Chip text={server} label={t.tasks.allServers(server)} onDrop={onAllServers} />
      )}
      <TokenField
        label={t.tasks.search}
        tokens={shown.tokens}
        text={shown.text}
        onType={(typed, caret) => {
          onShown({ ...shown, ...typed });
          typing.onCaret(caret);
        }}
        offers={typing.offers}
        onOffer={(offer) => {
          const taken = typing.taken(offer);
          onShown(taken);
          typing.onCaret(taken.text.length);
        }}
        fault={typing.fault}
        isToken={isToken}
      />
      {children}
    </PaneBar>
  );
}
