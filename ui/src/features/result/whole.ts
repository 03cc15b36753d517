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
  const [text, setText] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<DeskError>();
  const load = () => {
    setBusy(true);
    wholeText(host, source)
      .then(setText, (thrown: unknown) => setError(DeskError.from(thrown)))
      .finally(() => setBusy(false));
  };
  return { text, busy, error, load };
}
