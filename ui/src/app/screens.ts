import type { ComponentType } from "react";

import { later } from "../components/later";
import { InboxPlace } from "../features/inbox/InboxPlace";
import { TasksPlace } from "../features/tasks/TasksPlace";
import type { Place } from "../places/table";
import type { Overview } from "../types";

/** What fills the window at each place. */
export const SCREENS: Record<Place, ComponentType<{ overview: Overview | undefined }>> = {
  inbox: InboxPlace,
  tasks: TasksPlace,
  start: later(async () => (await import("../features/seldom")).StartPlace),
  servers: later(async () => (await import("../features/servers")).ServersPlace),
  settings: later(async () => (await import("../features/settings/SettingsPlace")).SettingsPlace),
};
