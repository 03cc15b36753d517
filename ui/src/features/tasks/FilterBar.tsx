import type { ReactNode } from "react";

import { PaneBar } from "../../places/Panes";
import { t } from "../../strings";
import { FilterField } from "../filter/FilterField";
import type { OnlyServer } from "../filter/onlyServer";
import css from "./FilterBar.module.css";
import { USUAL_GROUP, type Shown } from "./shown";

const GROUPS = Object.keys(t.tasks.groups) as (keyof typeof t.tasks.groups)[];

interface Props {
  shown: Shown;
  onShown: (shown: Shown) => void;
  /** Why the filter cannot be read. */
  fault: string | undefined;
  only: OnlyServer | undefined;
  children: ReactNode;
}

/** Which tasks the list shows, and under which heads. */
export function FilterBar({ shown, onShown, fault, only, children }: Props) {
  return (
    <PaneBar grows>
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
      <FilterField
        list="tasks"
        label={t.tasks.search}
        typed={shown}
        onTyped={(typed) => onShown({ ...shown, ...typed })}
        only={only}
        fault={fault}
      />
      {children}
    </PaneBar>
  );
}
