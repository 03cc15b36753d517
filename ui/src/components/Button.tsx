import type { ButtonHTMLAttributes, ReactNode, Ref } from "react";

import { useAction } from "../actions/registry";
import { specOf, type ActionId } from "../actions/table";
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
  const keys = bare ? undefined : spec.keys[0];
  return (
    <Button {...rest} disabled={disabled} onClick={onRun} keys={keys} aria-keyshortcuts={shortcut(spec.keys[0])}>
      {children ?? spec.label}
    </Button>
  );
}

/** In the words of `aria-keyshortcuts`, which knows no sequences. */
function shortcut(keys: string | undefined): string | undefined {
  return keys === undefined || keys.includes(" ") ? undefined : keys.replace("Mod", "Control");
}
