import { useState } from "react";

import { useAdjusted } from "../../store/useAdjusted";
import type { RequestDetail, RequestId } from "../../types";

/** The questions of a sheet about which something is under way. */
export interface UnderWay {
  has: (id: RequestId) => boolean;
  begin: (id: RequestId) => void;
  end: (id: RequestId) => void;
}

/**
 * Keeps about which questions something is under way, each on its own: until it ends, or until the view shows that the question
 * has moved. The desk's reply may come much later, when a tool has ended.
 */
export function useUnderWay(details: readonly RequestDetail[]): UnderWay {
  const stands = new Map(details.map((detail) => [detail.row.id, standOf(detail)]));
  const [begun, setBegun] = useAdjusted(useState<ReadonlyMap<RequestId, string>>(new Map()), (last) => {
    const still = new Map([...last].filter(([id, stand]) => stands.get(id) === stand));
    return still.size === last.size ? last : still;
  });
  return {
    has: (id) => begun.has(id),
    begin: (id) => setBegun((before) => new Map(before).set(id, stands.get(id) ?? "")),
    end: (id) => setBegun((before) => new Map([...before].filter(([other]) => other !== id))),
  };
}

/** Differs once something was decided, taken back or refused. */
function standOf({ row, ways }: RequestDetail): string {
  return [row.state, ways.settled, row.answer?.decidedAt].join(" ");
}
