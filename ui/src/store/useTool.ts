import { useEffect, useEffectEvent } from "react";

import { useHost } from "../host/context";
import type { Host } from "../host/host";
import type { ServerId, ToolView } from "../types";
import { useReply } from "./useReply";

/** Of so many tools it is kept what they say of themselves. */
const KEPT = 256;

const known = new WeakMap<Host, Map<string, ToolView>>();

/** What is known of a tool. */
export interface KnownTool {
  /** What it says of itself, as its server listed it last; undefined also where its server does not say. */
  tool: ToolView | undefined;
  /** Whether that is all there is to know: false until the desk has told, and where it could not. */
  isKnown: boolean;
}

/**
 * Asks what a tool says of itself. Where no tool is named there is nothing to ask. What could not be learnt is asked for again with
 * each other `occasion`.
 */
export function useTool(server: ServerId, tool: string, occasion: string): KnownTool {
  const host = useHost();
  const { reply, error, reload } = useReply(tool === "" ? undefined : { type: "tool", server, tool });
  const key = JSON.stringify([server, tool]);
  const askAgain = useEffectEvent(() => {
    if (error !== undefined && error.code !== "unknown_tool") reload();
  });
  useEffect(() => askAgain(), [occasion]);
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
  const held = now ?? known.get(host)?.get(key);
  // A tool that its server does not list says nothing.
  const isKnown = tool === "" || held !== undefined || error?.code === "unknown_tool";
  return { tool: held, isKnown };
}
