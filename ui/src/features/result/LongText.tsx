import { useMemo, useState } from "react";

import { ErrorNote, LoadingState } from "../../components/States";
import { cut } from "../../format/text";
import { useReply } from "../../store/useReply";
import { t } from "../../strings";
import css from "./Result.module.css";
import { Lines } from "./Lines";
import type { Piece } from "./source";

/** About the length of a piece, in bytes: from so far before the end the last one is asked for. */
const PIECE = 64 * 1024;

interface Props {
  /** Asks for the piece that begins at a byte. */
  pieceAt: (from: number) => Piece;
  /** How many bytes all of it has. */
  bytes: number;
  /** As much of it as is here already: nobody waits for the first piece then. */
  beginning?: string;
}

/** A long text, of which the window shows one piece at a time. */
export function LongText({ pieceAt, bytes, beginning = "" }: Props) {
  // Where the pieces before this one began.
  const [before, setBefore] = useState<readonly number[]>([]);
  const [from, setFrom] = useState(0);
  const first = useMemo(() => firstOf(beginning, bytes), [beginning, bytes]);
  const here = from === 0 ? first : undefined;
  const { reply: asked, error } = useReply(here ? undefined : pieceAt(from));
  const reply = here ?? asked;
  const go = (to: number, past: readonly number[]) => {
    setBefore(past);
    setFrom(to);
  };
  const earlier = before.at(-1) ?? Math.max(0, from - PIECE);
  const next = reply?.next;
  return (
    <>
      {error && <ErrorNote error={error} />}
      {reply ? (
        <div className={css.sheet}>
          <Lines key={reply.from} text={reply.text} atEnd={from > 0 && next === undefined && before.length === 0} />
        </div>
      ) : (
        !error && <LoadingState />
      )}
      <div className={css.pager}>
        <Turn words={t.result.first} to={from === 0 ? undefined : () => go(0, [])} />
        <Turn words={t.result.earlier} to={from === 0 ? undefined : () => go(earlier, before.slice(0, -1))} />
        <Turn words={t.result.later} to={next === undefined ? undefined : () => go(next, [...before, from])} />
        <Turn words={t.result.last} to={next === undefined ? undefined : () => go(Math.max(0, bytes - PIECE), [])} />
        <span className={css.news} role="status">
          {reply && t.result.piece(reply.from, reply.next ?? reply.bytes, reply.bytes)}
        </span>
      </div>
    </>
  );
}

/** Leads to another piece, where there is one. */
function Turn({ words, to }: { words: string; to: (() => void) | undefined }) {
  return (
    <button type="button" className={css.act} disabled={to === undefined} onClick={to}>
      {words}
    </button>
  );
}

/** The first piece, up to the end of a line where it has one in its second half, as all pieces; none where too little is here. */
function firstOf(beginning: string, bytes: number) {
  if (beginning.length <= PIECE) return undefined;
  const head = cut(beginning, PIECE);
  const line = head.lastIndexOf("\n") + 1;
  const text = line > PIECE / 2 ? head.slice(0, line) : head;
  return { text, from: 0, next: new TextEncoder().encode(text).length, bytes };
}
