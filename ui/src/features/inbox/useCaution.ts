import { useEffect, useEffectEvent } from "react";

import { useReply } from "../../store/useReply";
import type { RequestDetail } from "../../types";

/** Why a yes takes a press of its own: the tool says that it may destroy something, or it is not known whether it says so. */
export type Caution = "destroys" | "unknown";

/** What is known of whether a yes may destroy something. */
interface Known {
  /** What there is to be careful of; nothing where the tool says nothing of the kind. */
  caution: Caution | undefined;
  /** Whether the tool is listed, and does not say that it may. */
  isHarmless: boolean;
}

/**
 * What a tool says of itself, as its server listed it last, is in the question's view: nothing on the sheet moves when it is learnt.
 * Only of a tool that was not listed the desk is asked. What could not be learnt is asked for again with each other `occasion`.
 */
export function useCaution({ row: { server, tool }, destructive = false, unlisted = false }: RequestDetail, occasion: string): Known {
  const { reply, error, reload } = useReply(unlisted ? { type: "tool", server, tool } : undefined);
  // A tool that its server does not list says nothing.
  const saysNothing = error?.code === "unknown_tool";
  const askAgain = useEffectEvent(() => {
    if (error && !saysNothing) reload();
  });
  useEffect(() => askAgain(), [occasion]);

  const said = unlisted ? reply?.tool.destructive : destructive;
  if (said === true) return { caution: "destroys", isHarmless: false };
  if (said === undefined && !saysNothing) return { caution: "unknown", isHarmless: false };
  return { caution: undefined, isHarmless: tool !== "" && said === false };
}
