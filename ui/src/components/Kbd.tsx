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
