import { useId, useRef, useState } from "react";

import { Button } from "../../components/Button";
import { Kbd } from "../../components/Kbd";
import { ErrorNote } from "../../components/States";
import { useAct } from "../../store/call";
import { t } from "../../strings";
import type { Overview, ShortcutState } from "../../types";
import css from "./Settings.module.css";
import { ShortcutField } from "./ShortcutField";

/** Where no choice helps. */
const NEVER: ReadonlySet<ShortcutState> = new Set(["wayland", "no_display", "not_here"]);

/** The system-wide shortcut that brings Signalbox forward. Whoever holds it says what became of it. */
export function ShortcutSetting({ overview }: { overview: Overview }) {
  const { shortcut: state, settings } = overview;
  const keys = settings.shortcut;
  const act = useAct();
  const [edited, setEdited] = useState(false);
  const choose = useRef<HTMLButtonElement>(null);
  const id = useId();
  const words = t.settings.shortcut;
  const never = NEVER.has(state);
  const leave = () => {
    setEdited(false);
    choose.current?.focus();
  };
  const take = async (wished: string) => {
    if (await act.run({ type: "set_shortcut", keys: wished })) leave();
  };
  const remove = async () => {
    // The button goes.
    if (await act.run({ type: "set_shortcut" })) choose.current?.focus();
  };
  return (
    <div role="group" aria-labelledby={id}>
      <div className={css.line}>
        <span id={id}>{words.title}</span>
        {keys !== undefined && <Kbd keys={keys} />}
      </div>
      <p className={css.soft} role="status">
        {keys === undefined && !never ? words.hint : words.states[state]}
      </p>
      <div className={css.line}>
        {!never && (
          <Button ref={choose} aria-expanded={edited} onClick={() => (edited ? leave() : setEdited(true))}>
            {words.choose}
          </Button>
        )}
        {keys !== undefined && (
          <Button look="quiet" disabled={act.busy} onClick={() => void remove()}>
            {words.remove}
          </Button>
        )}
      </div>
      {edited && !never && <ShortcutField now={keys} busy={act.busy} onTake={(wished) => void take(wished)} onLeave={leave} />}
      {act.error && <ErrorNote error={act.error} />}
    </div>
  );
}
