import { useState } from "react";

import { useHost } from "../../host/context";
import { DeskError } from "../../host/error";
import type { Host } from "../../host/host";
import { call } from "../../store/call";
import { pieceOf, type Source } from "./source";

/** The longest text that the window has whole, in bytes: for a tree, or to be copied. */
export const LONGEST_WHOLE = 4 * 1024 * 1024;

/** A text of a result, gathered from its pieces. */
export async function wholeText(host: Host, source: Source): Promise<string> {
  const pieces: string[] = [];
  let from: number | undefined = 0;
  while (from !== undefined) {
    const piece: { text: string; next?: number } = await call(host, pieceOf(source)(from));
    pieces.push(piece.text);
    from = piece.next;
  }
  return pieces.join("");
}

/** A text of a result, whole once it is wished for. */
export function useWholeText(source: Source) {
  const host = useHost();
  const wish = JSON.stringify(source);
  // What came of another source says nothing of this one.
  const [came, setCame] = useState<{ wish: string; busy: boolean; text?: string; error?: DeskError }>();
  const load = () => {
    const settle = (end: { text: string } | { error: DeskError }) => setCame((now) => (now?.wish === wish ? { wish, busy: false, ...end } : now));
    setCame({ wish, busy: true });
    wholeText(host, source).then(
      (text) => settle({ text }),
      (thrown: unknown) => settle({ error: DeskError.from(thrown) }),
    );
  };
  const { text, busy = false, error } = came?.wish === wish ? came : {};
  return { text, busy, error, load };
}
