import { NOTHING_SOUGHT, type Sought } from "../../places/nav";
import { PaneBar } from "../../places/Panes";
import { t } from "../../strings";
import { FilterField } from "../filter/FilterField";
import css from "./FilterBar.module.css";

interface Props {
  typed: Sought;
  onTyped: (typed: Sought) => void;
  /** Somebody left it with nothing typed. */
  onLeave: () => void;
}

/** The filter for whoever asks for it before it is known how the list was left: no letter is lost, and none is taken for a key. */
export function EarlyFilter({ typed, onTyped, onLeave }: Props) {
  const isEmpty = typed.text === "" && typed.tokens.length === 0;
  return (
    <PaneBar grows>
      {/* It only hears that the field is left. */}
      {/* eslint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div className={css.early} onBlur={() => isEmpty && onLeave()}>
        <FilterField list="tasks" sought={NOTHING_SOUGHT} label={t.tasks.search} typed={typed} onTyped={onTyped} only={undefined} fault={undefined} />
      </div>
    </PaneBar>
  );
}
