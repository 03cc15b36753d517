import { Panes, PaneBar } from "../../app/Panes";
import { t } from "../../strings";
import type { Overview } from "../../types";

/** Tasks. */
export function TasksPlace({ overview }: { overview: Overview | undefined }) {
  return <Panes favour="detail" list={<PaneBar>{t.app.name}</PaneBar>} detail={overview?.owner.home} />;
}
