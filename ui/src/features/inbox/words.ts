import { scan } from "../../forms/json";
import { cut, oneLine } from "../../format/text";
import { t } from "../../strings";
import type { Json, RequestDetail, RequestRow } from "../../types";

const LONGEST_TITLE = 140;

/** A question as a title, and whether it says more than that. */
export function titleOf(message: string): { title: string; more: boolean } {
  const first = message.split("\n").find((line) => line.trim() !== "") ?? "";
  const line = oneLine(cut(first, 4 * LONGEST_TITLE));
  if (line === "") return { title: t.inbox.noMessage, more: false };
  const more = message.trim() !== first.trim() || line.length > LONGEST_TITLE;
  return { title: line.length > LONGEST_TITLE ? `${cut(line, LONGEST_TITLE - 1)}…` : line, more };
}

/** Arguments on one line: `service: api-gateway version: 4.18.2`; empty when there are none. */
export function argumentLine(json: Json | undefined): string {
  if (json === undefined) return "";
  const scanned = scan(json);
  if (!scanned.ok || scanned.value.kind !== "object") return oneLine(cut(json, 240));
  const words = scanned.value.members.map(([name, value]) => {
    const text = value.startsWith('"') ? (JSON.parse(value) as string) : value;
    return `${name}: ${cut(text, 120)}`;
  });
  return oneLine(cut(words.join("  "), 240));
}

/** Whether an answer can be given, now or again. */
export function isAnswerable({ state }: Pick<RequestRow, "state">): boolean {
  return state === "open" || state === "not_taken" || state === "refused" || state === "unknown";
}

/** Whether this window knows how to answer it at all. */
export function isSupported({ row, identity }: Pick<RequestDetail, "row" | "identity">): boolean {
  return identity.kind === "task" && row.mode !== "other";
}
