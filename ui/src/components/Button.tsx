import { useSyncExternalStore, type ButtonHTMLAttributes, type ReactNode, type Ref } from "react";

import { useAction } from "../actions/registry";
import { isField } from "../actions/keys";
import { specOf, type ActionId, type Keys } from "../actions/table";
import css from "./Button.module.css";
import { Kbd } from "./Kbd";

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** `primary` once per view at most; `quiet` has no edge; `danger` destroys. */
  look?: "plain" | "primary" | "quiet" | "danger";
  /** Shown beside the label. */
  keys?: string | undefined;
  children: ReactNode;
  ref?: Ref<HTMLButtonElement>;
}

/** A button. */
export function Button({ look = "plain", keys, children, className, ...rest }: ButtonProps) {
  return (
    <button type="button" className={[css.button, css[look], className].filter(Boolean).join(" ")} {...rest}>
      {children}
      {keys !== undefined && <Kbd keys={keys} />}
    </button>
  );
}

interface ActionButtonProps extends Omit<ButtonProps, "keys" | "children" | "onClick" | "ref"> {
  /** Which line of the action table it is. */
  action: ActionId;
  onRun: () => void;
  /** Another label than the table's. */
  children?: ReactNode;
  /** Hides the key's name where it would be noise. */
  bare?: boolean;
}

/** A button that is a line of the action table: it binds the action's keys while it can be pressed. */
export function ActionButton({ action, onRun, disabled = false, bare = false, children, ...rest }: ActionButtonProps) {
  const spec = specOf(action);
  useAction(action, onRun, !disabled);
  return (
    <Button {...rest} disabled={disabled} onClick={onRun} aria-keyshortcuts={shortcut(spec.keys[0])}>
      {children ?? spec.label}
      {!bare && <Hint action={action} />}
    </Button>
  );
}

/** The key that works where the focus is: while a field has it, a plain key is text. All of them take their room, so that nothing moves. */
function Hint({ action }: { action: ActionId }) {
  const { keys, inFields } = specOf(action);
  const typing = useSyncExternalStore(onFocus, isTyping);
  const works = (key: Keys) => !typing || (inFields === true && key.startsWith("Mod+"));
  const named = keys.find(works);
  const shown = inFields ? keys : keys.slice(0, 1);
  if (shown.length === 0) return null;
  return (
    <span className={css.hint}>
      {shown.map((key) => (
        <span key={key} data-off={key !== named || undefined} aria-hidden={key !== named || undefined}>
          <Kbd keys={key} />
        </span>
      ))}
    </span>
  );
}

function onFocus(listener: () => void): () => void {
  document.addEventListener("focusin", listener);
  document.addEventListener("focusout", listener);
  return () => {
    document.removeEventListener("focusin", listener);
    document.removeEventListener("focusout", listener);
  };
}

function isTyping(): boolean {
  return isField(document.activeElement);
}

/** In the words of `aria-keyshortcuts`, which knows no sequences. */
function shortcut(keys: string | undefined): string | undefined {
  return keys === undefined || keys.includes(" ") ? undefined : keys.replace("Mod", "Control");
}
