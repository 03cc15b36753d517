import { useId, useRef, useState } from "react";

import { Button } from "../../components/Button";
import { Kbd } from "../../components/Kbd";
import { ErrorNote } from "../../components/States";
import { useAct } from "../../store/call";
import { useReply } from "../../store/useReply";
import { t } from "../../strings";
import type { ShortcutState, ShortcutView } from "../../types";
import css from "./Settings.module.css";
import { ShortcutField } from "./ShortcutField";

/** Where no choice helps. */
const NEVER: ReadonlySet<ShortcutState> = new Set(["wayland", "no_display", "not_here"]);

/** The system-wide shortcut that brings Signalbox forward. Whoever holds it says what became of it. */
export function ShortcutSetting() {
  const { reply, error } = useReply({ type: "read_shortcut" });
  const act = useAct();
  const [since, setSince] = useState<ShortcutView>();
  const [edited, setEdited] = useState(false);
  const choose = useRef<HTMLButtonElement>(null);
  const id = useId();
  const now = since ?? reply?.shortcut;
  const words = t.settings.shortcut;
  const failed = act.error ?? error;
  if (now === undefined) return failed && <ErrorNote error={failed} />;
  const { keys, state } = now;
  const never = NEVER.has(state);
  const leave = () => {
    setEdited(false);
    choose.current?.focus();
  };
  const put = async (command: { type: "set_shortcut"; keys?: string } | { type: "read_shortcut" }) => {
    const done = await act.run(command);
    if (done) setSince(done.shortcut);
    return done !== undefined;
  };
  const take = async (wished: string) => {
    if (await put({ type: "set_shortcut", keys: wished })) leave();
  };
  const remove = async () => {
    // The button goes.
    if (await put({ type: "set_shortcut" })) choose.current?.focus();
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
        {keys !== undefined && state !== "held" && !never && (
          <Button look="quiet" disabled={act.busy} onClick={() => void put({ type: "read_shortcut" })}>
            {words.again}
          </Button>
        )}
      </div>
      {edited && !never && <ShortcutField now={keys} busy={act.busy} onTake={(wished) => void take(wished)} onLeave={leave} />}
      {failed && <ErrorNote error={failed} />}
    </div>
  );
}
