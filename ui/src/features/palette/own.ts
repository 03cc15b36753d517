import { isBound, runAction, wordsOf } from "../../actions/registry";
import { ACTION_IDS, specOf, type ActionId } from "../../actions/table";
import { openSettings } from "../../places/nav";
import { t } from "../../strings";
import type { OwnEntry } from "../../types";

const SETTING = "settings.";

/** The sections of the settings: their titles, and what is set in each. */
const SECTIONS: Record<string, readonly [title: string, ...settings: string[]]> = {
  look: [t.settings.look, t.settings.theme, t.settings.contrast, t.settings.zoom, t.settings.formatting],
  keys: [t.settings.keys.title],
  notifications: [t.settings.notifications, t.settings.notify, t.settings.quiet.title, t.settings.contents, t.settings.past.title, t.settings.test],
  answering: [t.settings.answering, t.settings.undo, t.settings.next, t.settings.unreviewed],
  following: [t.settings.following, t.settings.background, t.settings.session.start, t.settings.shortcut.title, t.settings.pollFloor, t.settings.pace, t.settings.messageLimit],
  keeping: [t.settings.keeping, t.settings.keepDays, t.settings.keepMib],
  secrets: [t.secrets.title],
  log: [t.settings.log, t.settings.logLevel],
};

/** What leads to the settings: each section, and each thing that is set in one. */
const SETTINGS = new Map(
  Object.entries(SECTIONS).flatMap(([id, [section, ...settings]]) => [
    [SETTING + id, { section, words: t.palette.setting(section) }] as const,
    ...settings.map((setting, at) => [`${SETTING}${id}.${at}`, { section, words: t.palette.settingIn(section, setting) }] as const),
  ]),
);

/**
 * Whether the palette offers an action. What decides, reaches a server without a question or deletes has its own key and button, and
 * what moves within a list has nothing to move where a palette is open.
 */
function isOffered(id: ActionId): boolean {
  return specOf(id).guard === undefined && !id.startsWith("list.") && id !== "palette";
}

/** What the window itself has for the palette: the actions that can run where it is opened, and what leads to the settings. */
export function ownEntries(): OwnEntry[] {
  const actions = ACTION_IDS.filter((id) => isOffered(id) && isBound(id)).map((id) => ({ id, words: wordsOf(id) ?? t.actions[id] }));
  const settings = [...SETTINGS].map(([id, { words }]) => ({ id, words }));
  return [...actions, ...settings];
}

/** The action of an entry; undefined where it leads to a place. */
export function actionOf(id: string): ActionId | undefined {
  return ACTION_IDS.find((action) => action === id);
}

/** Goes where an entry of the window leads, or does what its key would do. */
export function runOwn(id: string): void {
  const setting = SETTINGS.get(id);
  const action = actionOf(id);
  if (setting !== undefined) openSettings(setting.section);
  else if (action !== undefined) runAction(action);
}
