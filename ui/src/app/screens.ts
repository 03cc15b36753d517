import type { ComponentType } from "react";

import { InboxPlace } from "../features/inbox/InboxPlace";
import { ServersPlace } from "../features/servers/ServersPlace";
import { SettingsPlace } from "../features/settings/SettingsPlace";
import { StartPlace } from "../features/start/StartPlace";
import { TasksPlace } from "../features/tasks/TasksPlace";
import type { Place } from "../places/table";
import type { Overview } from "../types";

/** What fills the window at each place. */
export const SCREENS: Record<Place, ComponentType<{ overview: Overview | undefined }>> = {
  inbox: InboxPlace,
  tasks: TasksPlace,
  start: StartPlace,
  servers: ServersPlace,
  settings: SettingsPlace,
};
