import { isChord } from "./spelling";
import { ACTION_IDS, specOf, type ActionId, type Keys } from "./table";

/** Keys that a person chose: by action, what stands in the place of the first of its keys; empty for none. */
export type ChosenKeys = Readonly<Partial<Record<ActionId, Keys>>>;

/** Why keys cannot be an action's. */
export type KeyFault =
  /** They belong to the control that has the focus, to editing, or to nothing that can be pressed. */
  | { why: "reserved" }
  /** The action reaches a server: a slip of the finger must not do it. */
  | { why: "letter" | "plain" }
  /** Another action has them, or begins with them, or they begin with its. */
  | { why: "taken"; by: ActionId };

/** What lists, fields, buttons and dialogs understand themselves; zooming is understood everywhere. */
const CONTROLS = /^(Enter|Tab|Escape| |Backspace|Delete|Arrow.*|Home|End|PageUp|PageDown|ContextMenu)$/;
const EDITING = /^Mod\+([-_+=0acvxyz]|Backspace|Delete|Arrow.*|Home|End|PageUp|PageDown|Tab|Escape| )$/i;
const PRESSABLE = /^(Mod\+)?(\S|F\d{1,2}|Enter|Insert)$|^\S \S$/u;

/** The keys of an action under a choice, the one that is shown first. */
export function keysUnder(choice: ChosenKeys, id: ActionId): readonly Keys[] {
  const own = specOf(id).keys;
  const first = choice[id];
  if (first === undefined) return own;
  const rest = own.slice(1).filter((keys) => keys !== first);
  return first === "" ? rest : [first, ...rest];
}

/** A choice without that for one action, which has the table's key again. */
export function without(choice: ChosenKeys, id: ActionId): ChosenKeys {
  return Object.fromEntries(Object.entries(choice).filter(([other]) => other !== id));
}

/** A choice with keys for an action. The table's own are no choice. */
export function withKeys(choice: ChosenKeys, id: ActionId, keys: Keys): ChosenKeys {
  return keys === (specOf(id).keys[0] ?? "") ? without(choice, id) : { ...choice, [id]: keys };
}

/** What stands against giving keys to an action; undefined when nothing does. None at all are always fine. */
export function faultOf(choice: ChosenKeys, id: ActionId, keys: Keys): KeyFault | undefined {
  const { guard } = specOf(id);
  if (guard === "fixed") return { why: "reserved" };
  if (keys === "") return undefined;
  if (CONTROLS.test(keys) || EDITING.test(keys) || !PRESSABLE.test(keys)) return { why: "reserved" };
  if (guard === "plain" && !isChord(keys) && !/^F\d/.test(keys)) return { why: "plain" };
  if (guard === "letter" && /^(\S )?\p{L}$/u.test(keys)) return { why: "letter" };
  const by = ACTION_IDS.find((other) => other !== id && !neverTogether(id, other) && keysUnder(choice, other).some((theirs) => collide(keys, theirs)));
  return by && { why: "taken", by };
}

/** Sense of what is remembered, which another version with another table may have written: what does not go with this one is left out. */
export function readChoice(remembered: unknown): ChosenKeys {
  if (typeof remembered !== "object" || remembered === null) return {};
  const entries = Object.entries(remembered).filter((entry): entry is [ActionId, Keys] => isAction(entry[0]) && typeof entry[1] === "string");
  let choice: ChosenKeys = Object.fromEntries(entries);
  // Without one of them its action has the table's key again, which may be another's by now.
  for (;;) {
    const misfit = entries.find(([id, keys]) => choice[id] !== undefined && faultOf(choice, id, keys));
    if (misfit === undefined) return choice;
    choice = without(choice, misfit[0]);
  }
}

function isAction(id: string): id is ActionId {
  return (ACTION_IDS as readonly string[]).includes(id);
}

/** The same keys, or some with which the others begin: those would never be reached. */
function collide(one: Keys, other: Keys): boolean {
  return one === other || one.startsWith(`${other} `) || other.startsWith(`${one} `);
}

/** Two that share a key in the table belong to places that are never shown together. */
function neverTogether(one: ActionId, other: ActionId): boolean {
  return specOf(one).keys.some((keys) => specOf(other).keys.includes(keys));
}
