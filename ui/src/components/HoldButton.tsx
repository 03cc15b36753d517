import { useEffect, useRef, useState, type KeyboardEvent } from "react";

import { Button } from "./Button";
import css from "./HoldButton.module.css";

/** How long it is held, in ms: nobody does that by mistake. */
export const HOLD_MS = 1_000;

interface Props {
  /** Whether a mere press does nothing. */
  hold: boolean;
  disabled: boolean;
  /** Called when it is let go after it was held, or pressed where it need not be held. */
  onDone: () => void;
  look: "primary" | "danger";
  /** What it says while nothing is held, while it is, and once it can be let go. */
  words: { idle: string; holding: string; ripe: string };
}

type Held = "not" | "holding" | "ripe";

/**
 * A button that is held with the pointer, Enter or Space. It acts when it is let go: who moves away, or lets go early, has changed their
 * mind. Nothing happens twice by a key that is still down when what lies behind has the focus.
 */
export function HoldButton({ hold, disabled, onDone, look, words }: Props) {
  const [held, setHeld] = useState<Held>("not");
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const stop = () => {
    clearTimeout(timer.current);
    setHeld("not");
  };
  const begin = () => {
    if (!hold || disabled || held !== "not") return;
    setHeld("holding");
    timer.current = setTimeout(() => setHeld("ripe"), HOLD_MS);
  };
  const end = () => {
    stop();
    if (held === "ripe" && !disabled) onDone();
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  const isKey = ({ key }: KeyboardEvent) => key === "Enter" || key === " ";

  return (
    <>
      <Button
        look={look}
        disabled={disabled}
        className={css.hold}
        data-held={held}
        onPointerDown={(event) => {
          if (event.button === 0) begin();
        }}
        onPointerUp={end}
        onPointerLeave={stop}
        onPointerCancel={stop}
        onBlur={stop}
        onKeyDown={(event) => {
          if (!hold || !isKey(event)) return;
          // The key alone would press it.
          event.preventDefault();
          if (!event.repeat) begin();
        }}
        onKeyUp={(event) => {
          if (!hold || !isKey(event)) return;
          event.preventDefault();
          end();
        }}
        onClick={() => {
          if (!hold) onDone();
        }}
      >
        {held === "not" ? words.idle : held === "holding" ? words.holding : words.ripe}
      </Button>
      <span role="status" className="unseen">
        {held === "holding" ? words.holding : held === "ripe" ? words.ripe : ""}
      </span>
    </>
  );
}
