import type { RowWindow } from "../../store/useRows";
import { useView } from "../../store/useView";
import { t } from "../../strings";
import type { RequestId, RequestRow, View } from "../../types";
import type { Tab } from "./InboxPlace";
import css from "./inbox.module.css";
import { RequestCard } from "./RequestCard";

interface Props {
  /** The question in hand. */
  id: RequestId;
  tab: Tab;
  rows: RowWindow<Extract<View, { type: "inbox" }>>;
}

/** The question that is shown beside the list and has left it, or never was in it: below the list, so that none is shown that this side lacks. */
export function Unlisted({ id, tab, rows }: Props) {
  const row = useView({ type: "request", request: id }).data?.row;
  if (!row || rows.indexOf(id) >= 0 || !isUnlisted(row, tab, rows)) return null;
  return (
    <aside className={css.unlisted} aria-label={t.inbox.unlisted}>
      <p className={css.unlistedHead}>{t.inbox.unlisted}</p>
      <RequestCard row={row} narrow={false} tall={false} />
    </aside>
  );
}

/** Whether the list is known to be without it: of a long one only a part is held here. */
function isUnlisted(row: RequestRow, tab: Tab, { shown, viewed }: Props["rows"]): boolean {
  if (viewed.data === undefined || viewed.data !== shown) return false;
  const isOver = row.state === "answered" || row.state === "closed" || row.stranded === true;
  return isOver !== (tab === "answered") || (shown.complete && shown.rows.length === shown.total);
}
