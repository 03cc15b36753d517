import { useState } from "react";

import { laterDialog } from "../../components/later";
import { t } from "../../strings";
import { Choice } from "./Choice";
import css from "./FilterBar.module.css";
import type { SavedViews } from "./useSavedViews";

const ViewDialog = laterDialog(async () => (await import("../seldom")).ViewDialog);

interface Props {
  views: SavedViews;
  /** Whether the list stands as it always does: then there is nothing to keep. */
  isUsual: boolean;
  /** Whether the filter can be read: one that cannot is not kept. */
  isReadable: boolean;
}

/** Which saved view the list stands by, whether it still does, and what can be done about it. */
export function ViewBar({ views, isUsual, isReadable }: Props) {
  const [open, setOpen] = useState(false);
  const { all, inForce, isChanged } = views;
  const words = t.tasks.view;
  const names = all.map(({ name }) => [name, name] as const);
  return (
    <>
      {all.length > 0 && (
        <span className={css.views}>
          <Choice
            label={words.label}
            options={[["", words.none], ...names]}
            value={inForce?.name ?? ""}
            onChange={(name) => views.show(all.find((view) => view.name === name))}
          />
        </span>
      )}
      <button
        type="button"
        className={`${css.act} ${css.more}`}
        data-changed={isChanged || undefined}
        title={isChanged ? words.changed : undefined}
        disabled={inForce === undefined && isUsual}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {words.more}
        {isChanged && <span aria-hidden="true"> •</span>}
      </button>
      {inForce !== undefined && (
        <button type="button" className={`${css.act} ${css.save}`} data-changed={isChanged || undefined} disabled={!isChanged || !isReadable} onClick={() => views.save(inForce.name)}>
          {words.save}
        </button>
      )}
      {open && <ViewDialog views={views} isReadable={isReadable} onClose={() => setOpen(false)} />}
    </>
  );
}
