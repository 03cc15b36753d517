import { isBound, runAction, wordsOf } from "../../actions/registry";
import { ACTION_IDS, specOf, type ActionId } from "../../actions/table";
import { openSettings } from "../../places/nav";
import { t } from "../../strings";
import type { OwnEntry } from "../../types";

const SETTING = "settings.";

/** The sections of the settings, by their titles. */
const SECTIONS: Record<string, string> = {
  look: t.settings.look,
  keys: t.settings.keys.title,
  notifications: t.settings.notifications,
  answering: t.settings.answering,
  following: t.settings.following,
  keeping: t.settings.keeping,
  secrets: t.secrets.title,
  log: t.settings.log,
};

/**
 * Whether the palette offers an action. What decides, reaches a server without a question or deletes has its own key and button, and
 * what moves within a list has nothing to move where a palette is open.
 */
function isOffered(id: ActionId): boolean {
  return specOf(id).guard === undefined && !id.startsWith("list.") && id !== "palette";
}

/** What the window itself has for the palette: the actions that can run where it is opened, and the sections of the settings. */
export function ownEntries(): OwnEntry[] {
  const actions = ACTION_IDS.filter((id) => isOffered(id) && isBound(id)).map((id) => ({ id, words: wordsOf(id) ?? t.actions[id] }));
  const settings = Object.entries(SECTIONS).map(([id, title]) => ({ id: SETTING + id, words: t.palette.setting(title) }));
  return [...actions, ...settings];
}

/** The action of an entry; undefined where it leads to a place. */
export function actionOf(id: string): ActionId | undefined {
  return ACTION_IDS.find((action) => action === id);
}

/** Goes where an entry of the window leads, or does what its key would do. */
export function runOwn(id: string): void {
  const section = id.startsWith(SETTING) ? SECTIONS[id.slice(SETTING.length)] : undefined;
  const action = actionOf(id);
  if (section !== undefined) openSettings(section);
  else if (action !== undefined) runAction(action);
}
