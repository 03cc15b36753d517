/** A key as pressed: one key, a chord with the platform's command key, or two keys after each other. */
export type Keys = string;

interface ActionSpec {
  /** What it does, for buttons, help and (later) the palette. */
  label: string;
  /** The keys that run it. `Mod+` is Ctrl, or Cmd on macOS; `g i` is g, then i. */
  keys: readonly Keys[];
  /** Where the help lists it. */
  group: "move" | "answer" | "task" | "window";
  /** Whether it also runs while a field has the focus. */
  inFields?: true;
}

/**
 * Everything the keyboard and the buttons can do. What a place on screen can do now, it binds with `useAction`.
 *
 * A plain key only moves, opens or asks. What reaches a server by it must ask first or can be taken back.
 */
export const ACTIONS = {
  "list.next": { label: "Next in the list", keys: ["j"], group: "move" },
  "list.previous": { label: "Previous in the list", keys: ["k"], group: "move" },
  "list.enter": { label: "Into the list", keys: [], group: "move" },
  "list.open": { label: "Open", keys: ["Enter"], group: "move" },
  "go.inbox": { label: "Inbox", keys: ["g i"], group: "move" },
  "go.tasks": { label: "Tasks", keys: ["g t"], group: "move" },
  "go.servers": { label: "Servers", keys: ["g s"], group: "move" },
  "go.settings": { label: "Settings", keys: ["g ,"], group: "move" },
  "request.submit": { label: "Send", keys: ["1", "Mod+Enter"], group: "answer", inFields: true },
  "request.decline": { label: "Decline", keys: ["3"], group: "answer" },
  "request.cancel": { label: "Dismiss", keys: [], group: "answer" },
  "request.undo": { label: "Undo", keys: ["u"], group: "answer" },
  "request.next": { label: "Next question", keys: ["n"], group: "answer" },
  "start.open": { label: "Start a tool", keys: ["s"], group: "task" },
  "start.run": { label: "Start", keys: ["Mod+Enter"], group: "task", inFields: true },
  "task.answer": { label: "Answer", keys: ["a"], group: "task" },
  "task.cancel": { label: "Cancel task…", keys: ["x"], group: "task" },
  "task.again": { label: "Run again", keys: ["r"], group: "task" },
  "task.forget": { label: "Forget", keys: [], group: "task" },
  "demo.start": { label: "Start the demo", keys: ["Enter"], group: "window" },
  "server.add": { label: "Add a server", keys: ["Mod+n"], group: "window" },
  "server.check": { label: "Check now", keys: ["F5"], group: "window" },
  "server.edit": { label: "Edit", keys: ["e"], group: "window" },
  "server.access": { label: "Change access", keys: ["l"], group: "window" },
  search: { label: "Search", keys: ["/", "Mod+f"], group: "window", inFields: true },
  back: { label: "Back", keys: ["Escape"], group: "window" },
  help: { label: "Keyboard help", keys: ["?"], group: "window" },
} as const satisfies Record<string, ActionSpec>;

/** The name of an action. */
export type ActionId = keyof typeof ACTIONS;

/** What the table says of an action. */
export function specOf(id: ActionId): ActionSpec {
  return ACTIONS[id];
}

/** All names, in the table's order. */
export const ACTION_IDS = Object.keys(ACTIONS) as ActionId[];
