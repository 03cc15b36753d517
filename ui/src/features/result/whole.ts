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
