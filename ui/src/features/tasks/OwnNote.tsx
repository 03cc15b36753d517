import { useEffect, useEffectEvent, useId, useRef, useState } from "react";

import { useAction } from "../../actions/registry";
import { ActionHint, Button } from "../../components/Button";
import field from "../../components/Field.module.css";
import { ServerText } from "../../components/ServerText";
import { ErrorNote } from "../../components/States";
import { useAct } from "../../store/call";
import { t } from "../../strings";
import type { CallId } from "../../types";
import css from "./Own.module.css";

/** The desk keeps no longer note, in bytes. */
const LONGEST = 4 * 1024;

/** What is written, and the note that stood there when it was begun. */
interface Typed {
  text: string;
  seen: string;
}

/** What could not be kept when its task was left. It comes back with the task. */
const unkept = new Map<CallId, Typed>();

/** Kept when it is left, whichever way; but never over a note that was written elsewhere meanwhile and that nobody has seen here. */
export function OwnNote({ call, kept }: { call: CallId; kept: string }) {
  const { run, error } = useAct();
  const [typed, setTyped] = useState(() => unkept.get(call));
  const area = useRef<HTMLTextAreaElement>(null);
  useAction("task.note", () => area.current?.focus());
  const words = t.tasks.own;
  const isTyped = typed !== undefined && typed.text.trim() !== kept && typed.text.trim() !== typed.seen;
  const isOther = isTyped && typed.seen !== kept;
  const over = isTyped ? overOf(typed.text) : 0;
  const id = useId();
  const drop = () => {
    unkept.delete(call);
    setTyped(undefined);
  };
  const keep = async ({ text, seen }: Typed) => {
    unkept.set(call, { text, seen });
    if (!(await run({ type: "note_task", call, text, seen }))) return;
    unkept.delete(call);
    // What was typed since goes on from there.
    setTyped((now) => (now === undefined || now.text === text ? undefined : { ...now, seen: text.trim() }));
  };
  const leave = () => {
    if (!isTyped) drop();
    else if (isOther || over > 0) unkept.set(call, typed);
    else void keep(typed);
  };
  // A key may lead to another task while the note has the focus: what goes is told of no blur.
  const gone = useEffectEvent(leave);
  useEffect(() => () => gone(), []);
  const choose = (mine: Typed | undefined) => {
    if (mine) {
      setTyped(mine);
      void keep(mine);
    } else drop();
    area.current?.focus();
  };
  return (
    <>
      <label className={css.note}>
        <span>
          {words.note}{" "}
          <span aria-hidden="true">
            <ActionHint action="task.note" />
          </span>
        </span>
        <textarea
          ref={area}
          className={field.input}
          dir="auto"
          rows={Math.min(8, Math.max(1, (typed?.text ?? kept).split("\n").length))}
          aria-invalid={over > 0 || undefined}
          aria-describedby={over > 0 ? id : undefined}
          placeholder={words.means}
          value={typed?.text ?? kept}
          onChange={({ target }) => setTyped({ text: target.value, seen: typed?.seen ?? kept })}
          onBlur={leave}
        />
      </label>
      {over > 0 && (
        <p id={id} className={css.over}>
          {/* How much it is changes with every letter: that is read to nobody who types. */}
          <span role="alert">{words.tooLong}</span> {words.over(over)}
        </p>
      )}
      {isOther && (
        <div className={css.other} role="alert">
          <p>{kept === "" ? words.takenAway : words.changed}</p>
          {kept !== "" && (
            <blockquote dir="auto">
              <ServerText text={kept} />
            </blockquote>
          )}
          <Button disabled={over > 0} onClick={() => choose({ text: typed.text, seen: kept })}>{words.mine}</Button>
          <Button onClick={() => choose(undefined)}>{words.other}</Button>
        </div>
      )}
      {/* What stands there instead is shown as soon as it is known. */}
      {error && error.code !== "changed_meanwhile" && <ErrorNote error={error} />}
    </>
  );
}

/** How many characters at the end of a note have no room any more. Of most scripts one has more than one byte. */
function overOf(text: string): number {
  const over = new TextEncoder().encode(text.trim()).slice(LONGEST);
  const begun = over.filter(begins).length;
  // One that has begun before has no room either.
  return over[0] === undefined || begins(over[0]) ? begun : begun + 1;
}

/** Whether a character begins with this byte of UTF-8. */
function begins(byte: number): boolean {
  return (byte & 0xc0) !== 0x80;
}
