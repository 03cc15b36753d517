import { useSyncExternalStore, type ButtonHTMLAttributes, type ReactNode, type Ref } from "react";

import { useKeys } from "../actions/chosen";
import { isField } from "../actions/keys";
import { useAction, type Run } from "../actions/registry";
import { isChord, shortcuts } from "../actions/spelling";
import { specOf, type ActionId } from "../actions/table";
import { t } from "../strings";
import css from "./Button.module.css";
import { Kbd } from "./Kbd";

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** `primary` once per view at most; `quiet` has no edge; `danger` destroys. */
  look?: "plain" | "primary" | "quiet" | "danger";
  children: ReactNode;
  ref?: Ref<HTMLButtonElement>;
}

/** A button. */
export function Button({ look = "plain", children, className, ...rest }: ButtonProps) {
  return (
    <button type="button" className={[css.button, css[look], className].filter(Boolean).join(" ")} {...rest}>
      {children}
    </button>
  );
}

interface ActionButtonProps extends Omit<ButtonProps, "children" | "onClick" | "ref"> {
  /** Which line of the action table it is. */
  action: ActionId;
  onRun: Run;
  /** Another label than the action's own. */
  children?: ReactNode;
  /** What it is called where nobody sees what it stands beside. */
  words?: string;
  /** Hides the key's name where it would be noise. */
  bare?: boolean;
  /** Its keys do something else now: it is there to be pressed only. */
  keyless?: boolean;
}

/** A button that is a line of the action table: it binds the action's keys while it can be pressed. */
export function ActionButton({ action, onRun, disabled = false, bare = false, keyless = false, words, children, ...rest }: ActionButtonProps) {
  const keys = useKeys(action);
  useAction(action, onRun, !disabled && !keyless, words);
  return (
    <Button {...rest} disabled={disabled} onClick={() => onRun()} aria-keyshortcuts={keyless ? undefined : shortcuts(keys)}>
      <span className={css.label}>{children ?? t.actions[action]}</span>
      {!bare && <ActionHint action={action} keyless={keyless} />}
    </Button>
  );
}

/** An action's key that works where the focus is: while a field has it, a plain key is text. It keeps its room, so that nothing moves. */
export function ActionHint({ action, keyless = false }: Pick<ActionButtonProps, "action" | "keyless">) {
  const keys = useKeys(action);
  const chord = specOf(action).inFields ? keys.find(isChord) : undefined;
  const named = chord ?? keys[0];
  return named !== undefined && <KeyHint keys={named} works={keyless ? never : chord === undefined ? isNotTyping : always} />;
}

/** A key's name, shown while `works` says that it does what the button does, by what has the focus. */
export function KeyHint({ keys, works }: { keys: string; works: (focused: Element | null) => boolean }) {
  const off = !useSyncExternalStore(onFocus, () => works(document.activeElement));
  return (
    <span className={css.hint} data-off={off || undefined} aria-hidden={off || undefined}>
      <Kbd keys={keys} />
    </span>
  );
}

function always(): boolean {
  return true;
}

function never(): boolean {
  return false;
}

function onFocus(listener: () => void): () => void {
  document.addEventListener("focusin", listener);
  document.addEventListener("focusout", listener);
  return () => {
    document.removeEventListener("focusin", listener);
    document.removeEventListener("focusout", listener);
  };
}

function isNotTyping(focused: Element | null): boolean {
  return !isField(focused);
}
