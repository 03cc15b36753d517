import type { Ref } from "react";

import { Button } from "../../components/Button";
import { ServerText } from "../../components/ServerText";
import { t } from "../../strings";
import type { NewTransport, PastedKind, PastedServer } from "../../types";
import css from "./ServerForm.module.css";

/** A paste that was read: `filled` once it stands in the form. */
export interface Paste {
  kind: PastedKind;
  notes: string[];
  /** It is a program that nobody typed: it is not started before it is confirmed. */
  asks?: boolean;
  /** The server, while filling it in would write over something else; its values are kept by the form. */
  waits?: PastedServer["transport"]["kind"];
  /** Something else was pasted since, which could not be read: nothing more is said of this. */
  past?: true;
}

interface Props {
  paste: Paste;
  /** The fields in front: what would be replaced may be behind them. */
  shown: NewTransport["kind"];
  ref: Ref<HTMLDivElement>;
  onReplace: () => void;
  onLeave: () => void;
}

/** What was understood of a paste, and what was left out of it. */
export function PastedNote({ paste: { kind, notes, asks, waits }, shown, ref, onReplace, onLeave }: Props) {
  return (
    <div ref={ref} tabIndex={-1} className={css.pasted} role="status">
      <p>
        {t.servers.paste.kinds[kind]} {waits ? t.servers.paste.inTheWay[waits](waits === shown) : t.servers.paste.filled}
        {!waits && asks && ` ${t.servers.paste.asks}`}
      </p>
      {notes.length > 0 && (
        <ul>
          {notes.map((note, index) => (
            <li key={index}>
              <ServerText text={note} limit={400} />
            </li>
          ))}
        </ul>
      )}
      {waits && (
        <div className={css.ways}>
          <Button onClick={onReplace}>{t.servers.paste.replace}</Button>
          <Button onClick={onLeave}>{t.servers.paste.keep}</Button>
        </div>
      )}
    </div>
  );
}
