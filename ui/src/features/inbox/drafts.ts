import { useCallback, useEffect, useMemo, useSyncExternalStore } from "react";

import { contentOf, draftOf, fitted, newDraft, parseDraft, serialiseDraft, type FormDraft } from "../../forms";
import { useHost } from "../../host/context";
import { DeskError } from "../../host/error";
import type { Host } from "../../host/host";
import { call } from "../../store/call";
import type { FormSpec, RequestDetail, RequestId } from "../../types";
import { keptContent } from "./words";

/** The form of a question without a schema. */
export const NO_SCHEMA: FormSpec = { fields: [], notes: [] };

/** How long typing may pause before the draft is saved, in ms. */
export const SAVE_AFTER_MS = 300;

/** Of so many questions that are not shown any more it is kept here what was typed, once that is saved. */
const KEPT = 32;

/** What a person typed here, and how far it is saved. */
export interface TypedDraft {
  readonly draft: FormDraft;
  /** When the last letter was typed, in ms since 1970. */
  readonly at: number;
  readonly save: { state: "saving" } | { state: "saved"; at: number } | { state: "failed"; error: DeskError };
}

/**
 * What was typed in this window, by question. It outlives the pane that shows it, and wins over what the desk holds:
 * a view that comes late must never take a letter back. It goes when its question is answered, and where it is saved and
 * others were shown since.
 */
export class Drafts {
  #typed = new Map<RequestId, TypedDraft>();
  #timers = new Map<RequestId, ReturnType<typeof setTimeout>>();
  #saving = new Set<RequestId>();
  /** How many forms show what was typed. */
  #shown = new Map<RequestId, number>();
  #listeners = new Set<() => void>();

  constructor(private readonly host: Host) {}

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  get(id: RequestId): TypedDraft | undefined {
    return this.#typed.get(id);
  }

  /** Takes a change, and saves it soon. */
  edit(id: RequestId, draft: FormDraft): void {
    this.#set(id, { draft, at: Date.now(), save: { state: "saving" } });
    clearTimeout(this.#timers.get(id));
    this.#timers.set(
      id,
      setTimeout(() => this.flush(id), SAVE_AFTER_MS),
    );
  }

  /** Saves at once what is not saved yet. */
  flush(id: RequestId): void {
    if (!this.#timers.has(id)) return;
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
    void this.#save(id);
  }

  /**
   * Saves at once all that is not saved yet, also what failed before, and resolves when nothing is on its way any more: whether all of
   * it is saved. What was typed for a question that is over is not counted.
   */
  settled(): Promise<boolean> {
    for (const id of [...this.#timers.keys()]) this.flush(id);
    for (const [id, { save }] of this.#typed) if (save.state === "failed") void this.#save(id);
    return new Promise((resolve) => {
      const look = () => {
        if (this.#saving.size > 0) return;
        stop();
        const isLost = ({ save }: TypedDraft) => save.state === "failed" && save.error.code !== "unknown_item";
        resolve(![...this.#typed.values()].some(isLost));
      };
      const stop = this.subscribe(look);
      look();
    });
  }

  /** A form shows this one. Returns what to call when it does so no more. */
  show(id: RequestId): () => void {
    this.#shown.set(id, (this.#shown.get(id) ?? 0) + 1);
    return () => {
      const left = (this.#shown.get(id) ?? 0) - 1;
      if (left > 0) {
        this.#shown.set(id, left);
        return;
      }
      this.#shown.delete(id);
      this.flush(id);
      this.#letGo();
    };
  }

  /** Forgets what was typed: the question is over. */
  drop(id: RequestId): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
    if (this.#typed.delete(id)) this.#tell();
  }

  async #save(id: RequestId): Promise<void> {
    // One after the other: a slow save must not overtake a later one.
    if (this.#saving.has(id)) return;
    this.#saving.add(id);
    let saved: FormDraft | undefined;
    for (;;) {
      const typed = this.#typed.get(id);
      const draft = typed?.draft;
      // Where typing went on meanwhile, its own pause ends in a save.
      if (!draft || draft === saved || (saved && this.#timers.has(id))) break;
      saved = draft;
      const save = await call(this.host, { type: "save_draft", request: id, draft: serialiseDraft(draft) }).then(
        (): TypedDraft["save"] => ({ state: "saved", at: Date.now() }),
        (thrown: unknown): TypedDraft["save"] => ({ state: "failed", error: DeskError.from(thrown) }),
      );
      if (this.#typed.get(id)?.draft === draft) this.#set(id, { ...typed, save });
    }
    this.#saving.delete(id);
    this.#letGo();
    this.#tell();
  }

  /** What is saved and not shown goes, those first that were typed first. What could not be saved is nowhere else, and stays. */
  #letGo(): void {
    const free = [...this.#typed].filter(([id, { save }]) => save.state === "saved" && !this.#shown.has(id));
    const gone = free.sort(([, one], [, other]) => one.at - other.at).slice(0, Math.max(0, free.length - KEPT));
    for (const [id] of gone) this.#typed.delete(id);
    if (gone.length > 0) this.#tell();
  }

  #set(id: RequestId, typed: TypedDraft): void {
    this.#typed.set(id, typed);
    this.#tell();
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

const all = new WeakMap<Host, Drafts>();

function draftsOf(host: Host): Drafts {
  const known = all.get(host) ?? new Drafts(host);
  all.set(host, known);
  return known;
}

/** The form of a question being filled in. */
export interface DraftInHand {
  draft: FormDraft;
  edit: (draft: FormDraft) => void;
  /** How far it is saved; undefined while nothing was typed in this window. */
  save: TypedDraft["save"] | undefined;
  /** When the last letter was typed in this window, in ms since 1970. */
  typedAt: number | undefined;
  /** Whether it came from an earlier sitting. */
  restored: boolean;
}

/** A form as it opens: what was kept, else the former answer, else the defaults. */
function opened({ row, draft: kept }: RequestDetail, spec: FormSpec): Pick<DraftInHand, "draft" | "restored"> {
  const restored = kept === undefined ? undefined : parseDraft(spec, kept);
  if (restored) return { draft: restored, restored: true };
  const former = keptContent(row.answer);
  return { draft: former === undefined ? newDraft(spec) : draftOf(spec, former), restored: false };
}

/** What was typed here, else what the form opens with. */
export function useDraft(detail: RequestDetail, spec: FormSpec): DraftInHand {
  const drafts = draftsOf(useHost());
  const id = detail.row.id;
  const typed = useSyncExternalStore(drafts.subscribe, () => drafts.get(id));
  const begun = useMemo(() => opened(detail, spec), [detail, spec]);
  // Its server may ask it again with other fields while it is typed into.
  const draft = useMemo(() => (typed ? fitted(spec, typed.draft) : begun.draft), [typed, begun, spec]);
  const edit = useCallback((draft: FormDraft) => drafts.edit(id, draft), [drafts, id]);

  useEffect(() => {
    const flush = () => drafts.flush(id);
    document.addEventListener("visibilitychange", flush);
    window.addEventListener("pagehide", flush);
    const hide = drafts.show(id);
    return () => {
      document.removeEventListener("visibilitychange", flush);
      window.removeEventListener("pagehide", flush);
      hide();
    };
  }, [drafts, id]);

  return { draft, edit, save: typed?.save, typedAt: typed?.at, restored: begun.restored };
}

/** Saves what was typed last, before the window goes. Whether all of it is saved: what is not is nowhere but in the page. */
export function draftsSettled(host: Host): Promise<boolean> {
  return draftsOf(host).settled();
}

/** Whether anything was typed into a question in this window. */
export function isTyped(host: Host, id: RequestId): boolean {
  return draftsOf(host).get(id) !== undefined;
}

/** How far what was typed into a question is saved; undefined while nothing was typed in this window. */
export function useSave(id: RequestId): TypedDraft["save"] | undefined {
  const drafts = draftsOf(useHost());
  return useSyncExternalStore(drafts.subscribe, () => drafts.get(id)?.save);
}

/**
 * Those of some questions whose form a person has touched, now or in an earlier sitting, and that has a value wherever
 * one is required: an optional answer that nobody thought of is not one. Whether it fits is the desk's to say.
 */
export function useFilled(details: readonly RequestDetail[]): readonly RequestId[] {
  const drafts = draftsOf(useHost());
  const ids = useSyncExternalStore(drafts.subscribe, () =>
    details
      .filter((detail) => {
        const { accept } = detail.ways;
        if (accept !== "content" && accept !== "text") return false;
        const spec = detail.form ?? NO_SCHEMA;
        const typed = drafts.get(detail.row.id)?.draft;
        const kept = typed ? undefined : opened(detail, spec);
        const touched = typed ? fitted(spec, typed) : kept?.restored ? kept.draft : undefined;
        return touched !== undefined && !isUntouched(spec, touched) && isFilled(spec, touched);
      })
      .map((detail) => detail.row.id)
      .join(" "),
  );
  return useMemo(() => (ids === "" ? [] : ids.split(" ")), [ids]);
}

/** Whether all there is of it was filled in for another form. */
function isUntouched(spec: FormSpec, draft: FormDraft): boolean {
  return draft.former !== undefined && contentOf(spec, draft).content === contentOf(spec, newDraft(spec)).content;
}

function isFilled(spec: FormSpec, draft: FormDraft): boolean {
  if (contentOf(spec, draft).errors.length > 0) return false;
  return draft.tab === "json" || spec.fields.every((field) => !field.required || draft.value.has(field.name));
}

/** Forgets what was typed once a question has its answer. What was typed into one that ended without stays readable. */
export function useDropDraft(details: readonly RequestDetail[]): void {
  const drafts = draftsOf(useHost());
  const answered = details.filter(({ row }) => row.state === "answered").map(({ row }) => row.id);
  const key = answered.join(" ");
  useEffect(() => {
    for (const id of key.split(" ")) drafts.drop(id);
  }, [drafts, key]);
}
