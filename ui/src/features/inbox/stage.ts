import type { RequestDetail, RequestId, RequestRow, ServerView } from "../../types";

/**
 * Where a question stands for the person: `open`; `held` in its undo window; `kept` for the rest of its round;
 * `waiting` for a server that does not answer; `sending`; `over`;
 * `no_longer_asked`, as its connection is gone.
 */
export type Stage = "open" | "held" | "kept" | "waiting" | "sending" | "over" | "no_longer_asked";

/** Where a question stands. `undecided` are the others of its round without which its answer does not go out. */
export function stageOf({ row, ways }: RequestDetail, undecided: number, reachable: boolean): Stage {
  if (ways.settled === undefined) return "open";
  switch (ways.settled) {
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
  /** What stands beside the answers of these questions when they are given. */
  beside: (ids: readonly RequestId[]) => Beside;
  /** How many of the others are not decided for good: open, or within their undo window. */
  undecidedBeside: (id: string) => number;
}

/** Whether a question is answered, and the answer has not gone out. */
function isKept({ row: { answer }, ways: { settled } }: RequestDetail): boolean {
  return answer !== undefined && answer.sentAt === undefined && (settled === "held" || settled === "on_its_way");
}

/** What the rest of a round has to say when some of it is answered. */
export interface Beside {
  /** How many others are open: they keep the answers back. */
  open: number;
  /** Those that are answered, and go out with them. */
  kept: readonly RequestRow[];
  /** How many more go out with them that are not on the sheet. */
  unseen: number;
}

/** What stands on the sheet of `hand`. Where the others are on it themselves, they tell how they stand; else the round does. */
export function together(hand: RequestDetail, members: readonly RequestDetail[]): Together {
  const { round } = hand;
  const all = round?.requests ?? [hand.row.id];
  const known = new Map(members.map((detail) => [detail.row.id, detail]));
  const undecided = all.filter((id) => {
    const detail = known.get(id);
    return detail ? detail.ways.settled === undefined || detail.ways.settled === "held" : (round?.undecided.includes(id) ?? false);
  });
  return {
    members,
    count: all.length,
    open: members.filter(({ ways }) => ways.settled === undefined),
    beside: (ids) => {
      const others = members.filter(({ row }) => !ids.includes(row.id));
      const absent = all.filter((id) => !known.has(id));
      // Nothing tells whether one that is not on the sheet is open, or answered a moment ago: it counts as open.
      const waited = absent.filter((id) => round?.undecided.includes(id)).length;
      return {
        open: others.filter(({ ways }) => ways.settled === undefined).length + waited,
        kept: others.filter(isKept).map(({ row }) => row),
        unseen: absent.length - waited,
      };
    },
    undecidedBeside: (id) => undecided.filter((other) => other !== id).length,
  };
}
