import { useState } from "react";

import { Button } from "../../components/Button";
import { ErrorNote, LoadingState } from "../../components/States";
import { useReply } from "../../store/useReply";
import { t } from "../../strings";
import css from "./Result.module.css";
import { Lines } from "./Lines";
import type { Piece } from "./source";

/** About the length of a piece, in bytes: from so far before the end the last one is asked for. */
const PIECE = 64 * 1024;

/** A long text, of which the window has one piece at a time. `pieceAt` asks for the one that begins at a byte. */
export function LongText({ pieceAt, bytes }: { pieceAt: (from: number) => Piece; bytes: number }) {
  // Where the pieces before this one began.
  const [before, setBefore] = useState<readonly number[]>([]);
  const [from, setFrom] = useState(0);
  const { reply, error } = useReply(pieceAt(from));
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
