import { useState } from "react";

import type { Sought } from "../../places/nav";
import { useAdjusted } from "../../store/useAdjusted";
import { useDelayed } from "../../store/useDelayed";
import { useReply } from "../../store/useReply";
import type { ListOf } from "../../types";
import { filterOf } from "./tokens";

/** Typing rests so long before the desk is asked, or remembers it. */
export const TYPING_MS = 120;

/** What of a filter can be read. */
export interface Filter {
  /**
   * With what could be read last: a list stays as it is while a token is not finished. Undefined until the desk has said whether
   * what stood there at first can be read.
   */
  filter: string | undefined;
  /** Why what stands there now cannot. */
  fault: string | undefined;
}

/** Reads what is typed at the desk, which alone knows the language. */
export function useFilter(list: ListOf, typed: Sought): Filter {
  const asked = useDelayed(filterOf(typed), TYPING_MS);
  const { reply, error } = useReply(asked === "" ? undefined : { type: "read_filter", list, filter: asked });
  // Nothing needs no reading. A desk that does not answer is asked for the list all the same: that comes once it is back.
  const isReadable = asked === "" || error !== undefined || (reply !== undefined && reply.fault === undefined);
  const [filter] = useAdjusted(useState<string>(), (last) => {
    if (isReadable) return asked;
    // What cannot be read from the beginning narrows nothing.
    return reply === undefined ? last : (last ?? "");
  });
  const [fault] = useAdjusted(useState<string>(), (last) => (isReadable || reply !== undefined ? reply?.fault : last));
  return { filter, fault };
}
