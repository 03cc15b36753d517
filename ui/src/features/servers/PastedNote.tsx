import type { Ref } from "react";

import { Button } from "../../components/Button";
import { ServerText } from "../../components/ServerText";
import { t } from "../../strings";
import type { NewTransport, PastedKind, PastedServer } from "../../types";
import { linesOf } from "./draft";
import css from "./ServerForm.module.css";

/** A server that would be filled in, by what people tell it by: its URL, or its program and each argument on a line. */
interface Waiting {
  kind: PastedServer["transport"]["kind"];
  text: string;
}

/** What is shown of a server before it is filled in. */
export function waitingFor({ transport }: PastedServer): Waiting {
  const { kind } = transport;
  return { kind, text: kind === "http" ? transport.url : `${transport.command}\n${linesOf(transport.args)}`.trimEnd() };
}

/** A paste that was read: `filled` once it stands in the form. */
export interface Paste {
  kind: PastedKind;
  notes: string[];
  /** It is a program that nobody typed: it is not started before it is confirmed. */
  asks?: boolean;
  /** What would be filled in, while that would write over something else; the values of its headers or variables are kept by the form. */
  waits?: Waiting;
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
        {t.servers.paste.kinds[kind]} {waits ? t.servers.paste.inTheWay[waits.kind](waits.kind === shown) : t.servers.paste.filled}
        {!waits && asks && ` ${t.servers.paste.asks}`}
      </p>
      {waits && <ServerText text={waits.text} limit={400} />}
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
          <Button onClick={onReplace}>{t.servers.paste.replace[waits.kind]}</Button>
          <Button onClick={onLeave}>{t.servers.paste.keep[waits.kind]}</Button>
        </div>
      )}
    </div>
  );
}
