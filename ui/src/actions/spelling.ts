import type { Keys } from "./table";

const MAC = /Mac|iPhone|iPad/.test(navigator.userAgent);

const NAMES: Partial<Record<string, string>> = {
  Mod: MAC ? "⌘" : "Ctrl",
  Shift: MAC ? "⇧" : "Shift",
  Escape: "Esc",
  " ": "Space",
  ArrowUp: "↑",
  ArrowDown: "↓",
};

/** A press as the table spells it; undefined for what the table has no spelling for. */
export function pressed(event: Pick<KeyboardEvent, "key" | "altKey" | "ctrlKey" | "metaKey">): Keys | undefined {
  if (event.altKey) return undefined;
  return event.ctrlKey || event.metaKey ? `Mod+${event.key}` : event.key;
}

/** The keys of a spelling, one after the other, as a keyboard names them. */
export function partsOf(keys: Keys): readonly string[] {
  const [, held, pressed] = /^(Mod|Shift)\+(.+)$/.exec(keys) ?? [];
  const parts = held !== undefined && pressed !== undefined ? [held, pressed] : keys === " " ? [keys] : keys.split(" ");
  return parts.map((key) => NAMES[key] ?? key);
}

/** Whether they are pressed together with the platform's command key. */
export function isChord(keys: Keys): boolean {
  return keys.startsWith("Mod+");
}

/** In the words of `aria-keyshortcuts`, which knows no sequences. */
export function shortcuts(keys: readonly Keys[]): string | undefined {
  const known = keys.filter((key) => !key.includes(" ")).map((key) => key.replace(/^Mod/, MAC ? "Meta" : "Control").replace(/(^|\+)(?=\p{Lu}$)/u, "$1Shift+"));
  return known.length > 0 ? known.join(" ") : undefined;
}
