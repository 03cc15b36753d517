import type { RequestDetail, ServerView } from "../../types";
import { isDecidable } from "./words";

/**
 * Where a question stands for the person: `open`; `held` in its undo window; `kept` for the rest of its round;
 * `waiting` for a server that does not answer; `sending`; `over`;
 * `no_longer_asked`, as its connection is gone.
 */
export type Stage = "open" | "held" | "kept" | "waiting" | "sending" | "over" | "no_longer_asked";

/** Where a question stands. `undecided` are the others of its round without which its answer does not go out. */
export function stageOf({ row, ways }: RequestDetail, undecided: number, reachable: boolean): Stage {
  switch (ways.settled) {
    case undefined:
      return "open";
    case "held":
      return "held";
    case "on_its_way":
      if (row.answer?.sentAt !== undefined) return "sending";
      return undecided > 0 ? "kept" : reachable ? "sending" : "waiting";
    case "answered":
    case "closed":
      return "over";
    case "orphaned":
    case "cut_off":
      return "no_longer_asked";
  }
}

/** Whether a server is known to answer. What has not gone out to one that is not waits for it. */
export function isReachable(server: ServerView | undefined): boolean {
  return server !== undefined && server.enabled && server.health.state === "ok";
}

/** The questions that go out together, and which of them still keep the others back. */
export interface Together {
  /** All of them that are known, in the server's order. One alone is a sheet of its own. */
  members: readonly RequestDetail[];
  /** How many there are. */
  count: number;
  /** Those that can be decided, in order. */
  open: readonly RequestDetail[];
  /** How many of the others are not decided for good: open, or within their undo window. */
  undecidedBeside: (id: string) => number;
}

/** What stands on the sheet of `hand`. Where the others are on it themselves, they tell how they stand; else the round does. */
export function together(hand: RequestDetail, members: readonly RequestDetail[]): Together {
  const { round } = hand;
  const all = round?.requests ?? [hand.row.id];
  const known = new Map(members.map((detail) => [detail.row.id, detail]));
  const undecided = all.filter((id) => {
    const detail = known.get(id);
    return detail ? isDecidable(detail.row) || detail.row.state === "held" : (round?.undecided.includes(id) ?? false);
  });
  return {
    members,
    count: all.length,
    open: members.filter(({ ways }) => ways.settled === undefined),
    undecidedBeside: (id) => undecided.filter((other) => other !== id).length,
  };
}
