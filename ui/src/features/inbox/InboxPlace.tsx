import { Panes, PaneBar } from "../../app/Panes";
import { t } from "../../strings";
import type { Overview } from "../../types";

/** Inbox. */
export function InboxPlace({ overview }: { overview: Overview | undefined }) {
  return <Panes favour="detail" list={<PaneBar>{t.app.name}</PaneBar>} detail={overview?.owner.home} />;
}
