import { actions } from "./en/actions";
import { app } from "./en/app";
import { filter } from "./en/filter";
import { first } from "./en/first";
import { forms } from "./en/forms";
import { inbox } from "./en/inbox";
import { link } from "./en/link";
import { palette } from "./en/palette";
import { result } from "./en/result";
import { secrets } from "./en/secrets";
import { servers } from "./en/servers";
import { settings } from "./en/settings";
import { start } from "./en/start";
import { tasks } from "./en/tasks";
import { units } from "./en/units";

/** Every text of the window. */
export const t = { actions, app, filter, first, inbox, link, tasks, result, start, servers, secrets, settings, forms, palette, units };

export * from "./codes";
export * from "./note";
export * from "./words";
