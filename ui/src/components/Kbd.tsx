import { useKeys } from "../actions/chosen";
import { partsOf } from "../actions/spelling";
import type { ActionId } from "../actions/table";
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

/** The key that runs an action, where one is shown beside no button. */
export function ActionKbd({ action }: { action: ActionId }) {
  const [keys] = useKeys(action);
  return keys === undefined ? null : <Kbd keys={keys} />;
}
