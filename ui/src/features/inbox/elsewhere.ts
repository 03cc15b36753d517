import { useEffect, useMemo, useSyncExternalStore } from "react";

import { useHost } from "../../host/context";
import type { DeskError } from "../../host/error";
import type { Host } from "../../host/host";
import type { RequestDetail, RequestId } from "../../types";
import { isTyped } from "./drafts";

/** Of so many questions it is kept that they were decided elsewhere. */
const KEPT = 256;

/** Errors that come before anything is kept. With others an answer may stand, and is this window's. */
const UNTAKEN: ReadonlySet<DeskError["code"]> = new Set([
  "answered_meanwhile",
  "changed_meanwhile",
  "already_closed",
  "usage",
  "invalid_content",
  "input_needed",
  "unknown_item",
  "storage_full",
  "storage_denied",
  "storage_gone",
]);

/** How a question stood here while it was open. */
interface Open {
  /** When the answer was decided that it had then. */
  before: string | undefined;
  /** Whether its answer is looked at before it goes, or a draft of it is kept. */
  begun: boolean;
  /** Whether an error has told of it already. */
  told: boolean;
}

/** How a question that was open here ceased to be. */
interface Decided {
  /** When the answer was decided that it got; undefined where it got none. */
  at: string | undefined;
  /** Whether an answer was under way here: there is something of the person's that was not sent. */
  begun: boolean;
  ours: boolean;
}

/**
 * Which questions ceased to be open while they were shown here, by no act of this window. The desk knows who decided, a
 * person or a rule, but not where: only the window that showed the question knows that it was not here.
 */
export class Elsewhere {
  #open = new Map<RequestId, Open>();
  /** What this window has said something about that the view does not show yet. */
  #saying = new Set<RequestId>();
  #decided = new Map<RequestId, Decided>();
  #listeners = new Set<() => void>();

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  get(id: RequestId): Decided | undefined {
    const decided = this.#decided.get(id);
    return decided?.ours ? undefined : decided;
  }

  /** This window says something about a question. */
  say(id: RequestId): void {
    this.#saying.add(id);
  }

  /** What it said was not taken, or what became of it is bad. The error tells why. */
  refused(id: RequestId, { code }: DeskError): void {
    if (!UNTAKEN.has(code)) return;
    this.#saying.delete(id);
    if (code !== "answered_meanwhile" && code !== "already_closed") return;
    const open = this.#open.get(id);
    if (open) this.#open.set(id, { ...open, told: true });
    // The view was faster: what it showed was not ours.
    const decided = this.#decided.get(id);
    if (!open && decided?.ours && code === "answered_meanwhile") this.#put(id, { ...decided, ours: false });
  }

  /** A sheet shows this question as open. */
  isOpen(id: RequestId, before: string | undefined, begun: boolean): void {
    const last = this.#open.get(id);
    const same = last?.before === before;
    // Ours came to nothing already, and it is open again.
    if (last && !same) this.#saying.delete(id);
    this.#open.set(id, { before, begun, told: same && (last?.told ?? false) });
    if (this.#decided.delete(id)) this.#tell();
  }

  /** A sheet shows that it is not open any more. */
  isOver(id: RequestId, decidedAt: string | undefined, typed: boolean): void {
    const open = this.#open.get(id);
    const ours = this.#saying.delete(id);
    if (!open) return;
    this.#open.delete(id);
    const at = decidedAt === open.before ? undefined : decidedAt;
    this.#put(id, { at, begun: !ours && !open.told && (open.begun || typed), ours });
  }

  /** No sheet shows it any more: what happens to it then nobody sees here. */
  isHidden(id: RequestId): void {
    this.#open.delete(id);
  }

  #put(id: RequestId, decided: Decided): void {
    this.#decided.set(id, decided);
    for (const [oldest] of this.#decided) {
      if (this.#decided.size <= KEPT) break;
      this.#decided.delete(oldest);
    }
    this.#tell();
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

const all = new WeakMap<Host, Elsewhere>();

/** What this window knows of questions that were not decided in it. */
export function useElsewhere(): Elsewhere {
  const host = useHost();
  return useMemo(() => {
    const known = all.get(host) ?? new Elsewhere();
    all.set(host, known);
    return known;
  }, [host]);
}

/** How a question ceased to be open that was shown here, where this window did not do it. */
export function useDecided(id: RequestId): Decided | undefined {
  const elsewhere = useElsewhere();
  return useSyncExternalStore(elsewhere.subscribe, () => elsewhere.get(id));
}

/** Follows how the questions of a sheet stand. `reviewed` are those whose answers are looked at. */
export function useFollowed(members: readonly RequestDetail[], reviewed: readonly RequestId[]): Elsewhere {
  const host = useHost();
  const elsewhere = useElsewhere();
  useEffect(() => {
    for (const { row, ways, draft } of members) {
      if (ways.settled !== undefined) elsewhere.isOver(row.id, row.answer?.decidedAt, isTyped(host, row.id));
      else elsewhere.isOpen(row.id, row.answer?.decidedAt, draft !== undefined || reviewed.includes(row.id));
    }
  });
  const ids = members.map(({ row }) => row.id).join(" ");
  useEffect(() => () => ids.split(" ").forEach((id) => elsewhere.isHidden(id)), [elsewhere, ids]);
  return elsewhere;
}
