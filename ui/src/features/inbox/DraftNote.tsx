import { clockSeconds } from "../../format/time";
import { CODES, t } from "../../strings";
import type { RequestDetail } from "../../types";
import { useSave } from "./drafts";
import css from "./inbox.module.css";

/** How far what was typed is saved. */
export function DraftNote({ detail: { row, draft } }: { detail: RequestDetail }) {
  const save = useSave(row.id);
  const words = t.inbox.draft;
  if (!save) return draft !== undefined && <Note long={words.kept} short={words.keptShort} />;
  switch (save.state) {
    case "saving":
      return <Note long={words.saving} short={words.savingShort} />;
    case "saved":
      return <Note long={words.saved(clockSeconds(save.at))} short={words.savedShort} />;
    case "failed":
      return (
        <span className={`${css.draft} ${css.near}`} role="alert" title={`${CODES[save.error.code]}. ${save.error.message}`}>
          {words.failed}
        </span>
      );
  }
}

/** In full where there is room for it. */
function Note({ long, short }: { long: string; short: string }) {
  return (
    <span className={css.draft} title={long}>
      <span className={css.long}>{long}</span>
      <span className={css.short}>{short}</span>
    </span>
  );
}
