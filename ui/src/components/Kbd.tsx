import { partsOf } from "../actions/spelling";
import css from "./Kbd.module.css";

/** Keys as the table spells them, for people: `Mod+Enter` is `Ctrl Enter`, or `⌘ Enter` on macOS. */
export function Kbd({ keys }: { keys: string }) {
  return (
    <span className={css.keys}>
      {partsOf(keys).map((part, index) => (
        <kbd key={index} className={css.kbd}>
          {part}
        </kbd>
      ))}
    </span>
  );
}
