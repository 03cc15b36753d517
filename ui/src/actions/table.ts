import { RAIL, type RailPlace } from "../places/table";

/** A key as pressed: one key, a chord with the platform's command key, or two keys after each other. */
export type Keys = string;

interface ActionSpec {
  /** The keys that run it. `Mod+` is Ctrl, or Cmd on macOS; `g i` is g, then i. */
  keys: readonly Keys[];
  /** Where the help lists it. */
  group: "move" | "answer" | "task" | "window";
  /** Whether it also runs while a field has the focus. */
  inFields?: true;
  /**
   * Which keys nobody may choose for it. `letter`: it answers, so no letter does it. `plain`: it reaches a server without a question,
   * or deletes, so only a chord or a function key does. `fixed`: everybody knows its key, and nobody is offered another.
   */
  guard?: "letter" | "plain" | "fixed";
}

/** An object with just these keys. */
function keyed<K extends string, V>(entries: readonly (readonly [K, V])[]): Record<K, V> {
  return Object.fromEntries(entries) as Record<K, V>;
}

/** Going to each place that has keys of its own. */
const GO = keyed<`go.${RailPlace}`, ActionSpec>(RAIL.map(({ id, keys }) => [`go.${id}`, { keys: [keys], group: "move" }]));

/**
 * Everything the keyboard and the buttons can do. What a place on screen can do now, it binds with `useAction`. Their
 * labels are in the catalogue, `t.actions`.
 *
 * A plain key only moves, opens or asks. What reaches a server by it must ask first or can be taken back.
 */
export const ACTIONS = {
  "list.next": { keys: ["j"], group: "move" },
  "list.previous": { keys: ["k"], group: "move" },
  "list.enter": { keys: [], group: "move", guard: "fixed" },
  "list.open": { keys: ["Enter"], group: "move", guard: "fixed" },
  "list.pick": { keys: ["v"], group: "move" },
  "list.all": { keys: ["Mod+a"], group: "move", guard: "fixed" },
  ...GO,
  "request.submit": { keys: ["1", "Mod+Enter"], group: "answer", inFields: true, guard: "letter" },
  "request.decline": { keys: ["3"], group: "answer", guard: "letter" },
  "request.cancel": { keys: [], group: "answer", guard: "plain" },
  "request.undo": { keys: ["u"], group: "answer" },
  "request.snooze": { keys: ["h"], group: "answer" },
  "request.next": { keys: ["n"], group: "answer" },
  "request.stack": { keys: ["="], group: "answer" },
  "request.note": { keys: ["m"], group: "answer" },
  "request.why": { keys: ["w"], group: "answer" },
  "start.open": { keys: ["s"], group: "task" },
  "start.run": { keys: ["Mod+Enter"], group: "task", inFields: true, guard: "plain" },
  "task.answer": { keys: ["a"], group: "task" },
  "task.cancel": { keys: ["x"], group: "task" },
  "task.again": { keys: ["r"], group: "task" },
  "task.tag": { keys: ["t"], group: "task" },
  "task.note": { keys: ["i"], group: "task" },
  "task.forget": { keys: [], group: "task", guard: "plain" },
  "picks.copy": { keys: [], group: "task" },
  "picks.save": { keys: [], group: "task" },
  "picks.clear": { keys: [], group: "task", guard: "fixed" },
  "demo.start": { keys: ["Enter"], group: "window", guard: "fixed" },
  "server.add": { keys: ["Mod+n"], group: "window" },
  "server.check": { keys: ["F5"], group: "window", guard: "plain" },
  "server.edit": { keys: ["e"], group: "window" },
  "server.access": { keys: ["l"], group: "window" },
  search: { keys: ["/", "Mod+f"], group: "window", inFields: true },
  back: { keys: ["Escape"], group: "window", guard: "fixed" },
  palette: { keys: ["Mod+k"], group: "window", inFields: true },
  help: { keys: ["?"], group: "window" },
  quit: { keys: ["Mod+q"], group: "window", inFields: true },
} as const satisfies Record<string, ActionSpec>;

/** What a list understands itself, while it has the focus: nobody can choose these for anything else. */
export const LIST_KEYS: Partial<Record<ActionId, readonly Keys[]>> = {
  "list.next": ["ArrowDown"],
  "list.previous": ["ArrowUp"],
  "list.pick": [" "],
};
/** The same, for picking all on the way from item to item. */
export const RANGE_KEYS: readonly Keys[] = ["Shift+ArrowDown", "Shift+ArrowUp"];

/** The name of an action. */
export type ActionId = keyof typeof ACTIONS;

/** What the table says of an action. */
export function specOf(id: ActionId): ActionSpec {
  return ACTIONS[id];
}

/** All names, in the table's order. */
export const ACTION_IDS = Object.keys(ACTIONS) as ActionId[];
