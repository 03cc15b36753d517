import { clockSeconds } from "../../format/time";
import { CODES, t } from "../../strings";
import type { Typed } from "./drafts";
import css from "./inbox.module.css";

/** How far what was typed is saved. */
export function DraftNote({ save, restored }: { save: Typed["save"] | undefined; restored: boolean }) {
  if (!save) return restored && <span className={css.draft}>{t.inbox.draft.kept}</span>;
  switch (save.state) {
    case "saving":
      return <span className={css.draft}>{t.inbox.draft.saving}</span>;
    case "saved":
      return <span className={css.draft}>{t.inbox.draft.saved(clockSeconds(save.at))}</span>;
    case "failed":
      return (
        <span className={`${css.draft} ${css.near}`} role="alert" title={`${CODES[save.error.code]}. ${save.error.message}`}>
          {t.inbox.draft.failed}
        </span>
      );
  }
}
