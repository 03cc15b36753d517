import { useEffect } from "react";

import { useHost } from "../host/context";
import type { Host } from "../host/host";
import type { ServerId, ToolView } from "../types";
import { useReply } from "./useReply";

/** Of so many tools it is kept what they say of themselves. */
const KEPT = 256;

const known = new WeakMap<Host, Map<string, ToolView>>();

/** What a tool says of itself, as its server listed it last. Undefined while it is not known, or where its server does not say. */
export function useTool(server: ServerId, tool: string): ToolView | undefined {
  const host = useHost();
  const { reply } = useReply(tool === "" ? undefined : { type: "tool", server, tool });
  const key = JSON.stringify([server, tool]);
  const now = reply?.tool;
  useEffect(() => {
    if (!now) return;
    const tools = known.get(host) ?? new Map<string, ToolView>();
    known.set(host, tools);
    tools.delete(key);
    tools.set(key, now);
    const [oldest] = tools.keys();
    if (tools.size > KEPT && oldest !== undefined) tools.delete(oldest);
  }, [host, key, now]);
  // What was known of it a moment ago holds until it is asked again: a question shows at once what there is to be careful of.
  return now ?? known.get(host)?.get(key);
}
