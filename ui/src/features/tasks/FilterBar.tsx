import { useState, type ReactNode } from "react";

import { laterDialog } from "../../components/later";
import { ErrorNote } from "../../components/States";
import type { Sought } from "../../places/nav";
import { PaneBar } from "../../places/Panes";
import { t } from "../../strings";
import { FilterField } from "../filter/FilterField";
import type { OnlyServer } from "../filter/onlyServer";
import { Choice } from "./Choice";
import css from "./FilterBar.module.css";
import { sameList, USUAL, USUAL_GROUP, USUAL_SORT, type ShownList } from "./shown";
import type { SavedViews } from "./useSavedViews";
import { ViewBar } from "./ViewBar";

const ColumnsDialog = laterDialog(async () => (await import("../seldom")).ColumnsDialog);

interface Props {
  /** What was typed into the filter before the list was here; undefined where nobody asked for it. */
  sought: Sought | undefined;
  shown: ShownList;
  onShown: (shown: ShownList) => void;
  /** How wide the list is, in px; 0 where that is not known. */
  width: number;
  /** Why the filter cannot be read. */
  fault: string | undefined;
  only: OnlyServer | undefined;
  views: SavedViews;
  /** How many tasks that is, beside the filter. */
  count: ReactNode;
  /** What is done elsewhere. */
  children: ReactNode;
}

/**
 * Which tasks the list shows, under which heads and in which order: also by what has no column in a narrow window. Nothing in it comes,
 * goes or grows by what is typed, so that the field stays where it is.
 */
export function FilterBar({ sought, shown, onShown, width, fault, only, views, count, children }: Props) {
  const [open, setOpen] = useState(false);
  return (
    <PaneBar grows>
      <FilterField
        list="tasks"
        sought={sought}
        label={t.tasks.search}
        typed={shown}
        onTyped={(typed) => onShown({ ...shown, ...typed })}
        only={only}
        fault={fault}
      />
      {count}
      <div className={css.how}>
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
        <button type="button" className={css.act} aria-label={t.tasks.layout.open} title={t.tasks.layout.open} aria-haspopup="dialog" onClick={() => setOpen(true)}>
          <svg className={css.columns} viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
            <path d="M2 3h12v10H2zM6.5 3v10M10 3v10" />
          </svg>
          <span className={css.word}>{t.tasks.layout.open}</span>
        </button>
      </div>
      {open && <ColumnsDialog shown={shown} width={width} onShown={onShown} onClose={() => setOpen(false)} />}
      {children}
      {views.saving?.error && (
        <div className={css.error}>
          <ErrorNote error={views.saving.error} />
        </div>
      )}
    </PaneBar>
  );
}
