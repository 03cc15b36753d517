import { useState, type ReactNode } from "react";

import { PaneBar } from "../../places/Panes";
import { t } from "../../strings";
import { FilterField } from "../filter/FilterField";
import type { OnlyServer } from "../filter/onlyServer";
import { Choice } from "./Choice";
import { ColumnsDialog } from "./ColumnsDialog";
import css from "./FilterBar.module.css";
import { sameList, USUAL, USUAL_GROUP, USUAL_SORT, type ShownList } from "./shown";
import type { SavedViews } from "./useSavedViews";
import { ViewBar } from "./ViewBar";

interface Props {
  shown: ShownList;
  onShown: (shown: ShownList) => void;
  /** Why the filter cannot be read. */
  fault: string | undefined;
  only: OnlyServer | undefined;
  views: SavedViews;
  children: ReactNode;
}

/** Which tasks the list shows, under which heads and in which order: also by what has no column in a narrow window. */
export function FilterBar({ shown, onShown, fault, only, views, children }: Props) {
  const [open, setOpen] = useState(false);
  return (
    <PaneBar grows>
      <ViewBar views={views} isUsual={only === undefined && sameList(shown, USUAL)} isReadable={fault === undefined} />
      <Choice
        label={t.tasks.group}
        options={Object.entries(t.tasks.groups)}
        value={shown.group || USUAL_GROUP}
        onChange={(group) => onShown({ ...shown, group })}
      />
      <Choice
        label={t.tasks.sort}
        options={Object.entries(t.tasks.sorts)}
        value={shown.sort || USUAL_SORT}
        other={shown.sort.includes(",") ? t.tasks.sortSeveral : t.tasks.sortOther}
        onChange={(sort) => onShown({ ...shown, sort })}
      />
      <button type="button" className={css.act} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {t.tasks.layout.open}
      </button>
      {open && <ColumnsDialog shown={shown} onShown={onShown} onClose={() => setOpen(false)} />}
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
