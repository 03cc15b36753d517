import { useMemo, useState } from "react";

import { Button } from "../../components/Button";
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
          <Lines text={reply.text} />
        </div>
      ) : (
        !error && <LoadingState />
      )}
      <div className={css.pager}>
        <Button look="quiet" disabled={from === 0} onClick={() => go(0, [])}>
          {t.result.first}
        </Button>
        <Button look="quiet" disabled={from === 0} onClick={() => go(earlier, before.slice(0, -1))}>
          {t.result.earlier}
        </Button>
        <Button look="quiet" disabled={next === undefined} onClick={() => next !== undefined && go(next, [...before, from])}>
          {t.result.later}
        </Button>
        <Button look="quiet" disabled={next === undefined} onClick={() => go(Math.max(0, bytes - PIECE), [])}>
          {t.result.last}
        </Button>
        <span className={css.news} role="status">
          {reply && t.result.piece(reply.from, reply.next ?? reply.bytes, reply.bytes)}
        </span>
      </div>
    </>
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
