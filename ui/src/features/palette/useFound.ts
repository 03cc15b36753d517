import { useEffect, useState } from "react";

import { useAdjusted } from "../../store/useAdjusted";
import { usePreference } from "../../store/usePreference";
import { useReply, type Asked } from "../../store/useReply";
import type { OwnEntry, PaletteItem, Reply } from "../../types";

/** The most that are remembered of what was chosen. */
const RECENT = 8;
/** The most entries that are shown. */
const MOST = 50;
/** How long until it is asked again what is not all read yet. */
const AGAIN_MS = 500;

type Found = Extract<Reply, { type: "palette" }>;

/** Which entry it is, as a word. */
export function keyOf(item: PaletteItem): string {
  if (item.kind === "tool") return JSON.stringify([item.kind, item.server, item.tool]);
  return JSON.stringify([item.kind, item.kind === "view" ? item.name : item.id]);
}

function readRecent(remembered: unknown): readonly PaletteItem[] {
  if (!Array.isArray(remembered)) return [];
  return remembered.filter(isItem).slice(0, RECENT);
}

function isItem(item: unknown): item is PaletteItem {
  if (typeof item !== "object" || item === null || !("kind" in item)) return false;
  const has = (member: string) => typeof (item as Record<string, unknown>)[member] === "string";
  if (item.kind === "tool") return has("server") && has("tool");
  if (item.kind === "view") return has("name");
  return ["request", "task", "server", "own"].includes(String(item.kind)) && has("id");
}

/** What is found, and how what was chosen is remembered. */
export interface Finding {
  /** The last that was found; while more is typed, that of the text before. */
  found: Found | undefined;
  /** Which of it is there because it was chosen of late. */
  recent: readonly PaletteItem[];
  /** Whether it is what is typed now. */
  isCurrent: boolean;
  error: Asked<Found>["error"];
  remember: (item: PaletteItem) => void;
}

/** Asks what may be meant by a text: one question at a time, and then at once for what is typed by then. */
export function useFound(text: string, own: OwnEntry[]): Finding {
  const [remembered, put] = usePreference("palette", readRecent);
  const [asked, ask] = useState(text);
  const { reply, error, reload } = useReply(remembered && { type: "palette", text: asked, own, recent: [...remembered], limit: MOST });
  if (asked !== text && (reply ?? error ?? !remembered)) ask(text);
  const [last] = useAdjusted(useState<{ found: Found; recent: readonly PaletteItem[] }>(), (last) =>
    reply === undefined || reply === last?.found ? last : { found: reply, recent: asked.trim() === "" ? (remembered ?? []) : [] },
  );
  useEffect(() => {
    if (reply === undefined || reply.complete) return;
    const timer = setTimeout(reload, AGAIN_MS);
    return () => clearTimeout(timer);
  }, [reply, reload]);
  const remember = (item: PaletteItem) => {
    const others = (remembered ?? []).filter((other) => keyOf(other) !== keyOf(item));
    put([item, ...others].slice(0, RECENT));
  };
  return { found: last?.found, recent: last?.recent ?? [], isCurrent: reply !== undefined && asked === text, error, remember };
}
