import { useMemo, useState, useSyncExternalStore } from "react";

import { useHost } from "../../host/context";
import type { Host } from "../../host/host";
import type { RequestId } from "../../types";

/** Of so many questions it is kept what was noted. */
const KEPT = 256;

/** What a person notes beside questions in this window, until they decide: then it goes to their own log, and to no server. */
export class Remarks {
  #noted = new Map<RequestId, string>();
  #listeners = new Set<() => void>();

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** What is typed; undefined while nobody wanted to. */
  get(id: RequestId): string | undefined {
    return this.#noted.get(id);
  }

  put(id: RequestId, remark: string): void {
    this.#noted.set(id, remark);
    for (const [oldest] of this.#noted) {
      if (this.#noted.size <= KEPT) break;
      this.#noted.delete(oldest);
    }
    for (const listener of [...this.#listeners]) listener();
  }

  /** As a decision carries it: absent where nothing is noted. */
  with(id: RequestId): { remark?: string } {
    const remark = this.get(id)?.trim() ?? "";
    return remark === "" ? {} : { remark };
  }
}

const all = new WeakMap<Host, Remarks>();

/** What is noted in this window. */
export function useRemarks(): Remarks {
  const host = useHost();
  return useMemo(() => {
    const known = all.get(host) ?? new Remarks();
    all.set(host, known);
    return known;
  }, [host]);
}

/** Noting something beside a question, in one place on screen. */
export interface Noting {
  /** What is typed; undefined while it is folded. */
  remark: string | undefined;
  /** Whether it was unfolded here: whoever did wants to type. */
  unfolded: boolean;
  unfold: () => void;
  edit: (remark: string) => void;
}

export function useNoting(request: RequestId): Noting {
  const remarks = useRemarks();
  const remark = useSyncExternalStore(remarks.subscribe, () => remarks.get(request));
  const [at, setAt] = useState<RequestId>();
  return {
    remark,
    unfolded: at === request,
    unfold: () => {
      setAt(request);
      remarks.put(request, "");
    },
    edit: (remark) => remarks.put(request, remark),
  };
}
