import { specOf, type ActionId } from "../actions/table";
import css from "./Kbd.module.css";

const MAC = /Mac|iPhone|iPad/.test(navigator.userAgent);

const NAMES: Partial<Record<string, string>> = { Mod: MAC ? "⌘" : "Ctrl", Escape: "Esc" };

/** Keys as the table spells them, for people: `Mod+Enter` is `Ctrl Enter`, or `⌘ Enter` on macOS. */
export function Kbd({ keys }: { keys: string }) {
  const parts = keys.split(/[ +]/).map((key) => NAMES[key] ?? key);
  return (
    <span className={css.keys}>
      {parts.map((part, index) => (
        <kbd key={index} className={css.kbd}>
          {part}
        </kbd>
      ))}
    </span>
  );
}

/** The key of an action as the table has it, where one is shown beside no button. */
export function ActionKbd({ action }: { action: ActionId }) {
  const [keys] = specOf(action).keys;
  return keys === undefined ? null : <Kbd keys={keys} />;
}
