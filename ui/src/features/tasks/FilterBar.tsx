import type { ReactNode } from "react";

import { PaneBar } from "../../places/Panes";
import { t } from "../../strings";
import { FilterField } from "../filter/FilterField";
import type { OnlyServer } from "../filter/onlyServer";
import css from "./FilterBar.module.css";
import { USUAL_GROUP, USUAL_SORT, type ShownList } from "./shown";

interface Props {
  shown: ShownList;
  onShown: (shown: ShownList) => void;
  /** Why the filter cannot be read. */
  fault: string | undefined;
  only: OnlyServer | undefined;
  children: ReactNode;
}

/** Which tasks the list shows, under which heads and in which order: also by what has no column in a narrow window. */
export function FilterBar({ shown, onShown, fault, only, children }: Props) {
  return (
    <PaneBar grows>
      <Choice label={t.tasks.group} words={t.tasks.groups} value={shown.group || USUAL_GROUP} onChange={(group) => onShown({ ...shown, group })} />
      <Choice
        label={t.tasks.sort}
        words={t.tasks.sorts}
        value={shown.sort || USUAL_SORT}
        other={shown.sort.includes(",") ? t.tasks.sortSeveral : t.tasks.sortOther}
        onChange={(sort) => onShown({ ...shown, sort })}
      />
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

interface ChoiceProps {
  label: string;
  /** What is said of each value. */
  words: Readonly<Record<string, string>>;
  value: string;
  /** What is said of a value that is none of these. */
  other?: string;
  onChange: (value: string) => void;
}

function Choice({ label, words, value, other = value, onChange }: ChoiceProps) {
  return (
    <select className={css.choice} aria-label={label} title={label} value={value} onChange={(event) => onChange(event.target.value)}>
      {!(value in words) && <option value={value}>{other}</option>}
      {Object.entries(words).map(([key, word]) => (
        <option key={key} value={key}>
          {word}
        </option>
      ))}
    </select>
  );
}
