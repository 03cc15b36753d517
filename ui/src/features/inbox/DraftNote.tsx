import { clockSeconds } from "../../format/time";
import { useView } from "../../store/useView";
import { CODES, t } from "../../strings";
import type { RequestId } from "../../types";
import { useSave } from "./drafts";
import css from "./inbox.module.css";

/**
 * How far what was typed into a form is saved. It changes with every pause in typing, so it stands where nothing moves for it: never
 * among the buttons, which it would push onto another line, and the form with them.
 */
export function DraftNote({ id }: { id: RequestId }) {
  const save = useSave(id);
  const { data } = useView({ type: "request", request: id });
  const words = t.inbox.draft;
  if (data?.ways.accept !== "content" && data?.ways.accept !== "text") return null;
  if (!save) return data.draft !== undefined && <span className={css.draft}>{words.kept}</span>;
  switch (save.state) {
    case "saving":
      return <span className={css.draft}>{words.saving}</span>;
    case "saved":
      return <span className={css.draft}>{words.saved(clockSeconds(save.at))}</span>;
    case "failed":
      return (
        <span className={`${css.draft} ${css.near}`} role="alert" title={`${CODES[save.error.code]}. ${save.error.message}`}>
          {words.failed}
        </span>
      );
  }
}
