import type { WhichPart } from "../../host/host";
import type { CallId, Command } from "../../types";

/** Where a part of a kept result is. What was read from a server just now is kept nowhere, and has none. */
export interface Source {
  call: CallId;
  part: WhichPart;
}

/** As commands name a part: by its number, and the structured content by none. */
export function partNumber({ part }: Source): { part?: number } {
  return typeof part === "object" ? { part: part.content } : {};
}

/** The wish for a piece of a long text. */
export type Piece = Extract<Command, { type: "result_text" | "payload_text" }>;

/** The wish for a piece of a part. */
export function pieceOf(source: Source): (from: number) => Piece {
  return (from) => ({ type: "result_text", call: source.call, from, ...partNumber(source) });
}
