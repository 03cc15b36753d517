import { useEffectEvent, useLayoutEffect, useState } from "react";

import { useHost } from "../../host/context";
import type { Host } from "../../host/host";

// Only in memory, and only while its form is not shown: what is typed there may be secret.
const all = new WeakMap<Host, Map<string, unknown>>();

/** A form that can be left for another place. */
export class Leavable<T> {
  /** What was in it when it was left; undefined where it opens anew. */
  readonly left: T | undefined;
  #over = false;

  constructor(
    private readonly forms: Map<string, unknown>,
    private readonly name: string,
  ) {
    // Names are of one form each, and so of one type.
    this.left = forms.get(name) as T | undefined;
  }

  /** It is left, with this in it. */
  keep(typed: T | undefined): void {
    if (typed !== undefined && !this.#over) this.forms.set(this.name, typed);
  }

  /** It is shown. */
  take(): void {
    this.forms.delete(this.name);
  }

  /** It was sent, or is thrown away: nothing of it is kept. */
  drop(): void {
    this.#over = true;
    this.take();
  }
}

/** The form of a name, as it was left or anew. */
export function useLeavable<T>(name: string): Leavable<T> {
  const host = useHost();
  const [form] = useState(() => {
    const forms = all.get(host) ?? new Map<string, unknown>();
    all.set(host, forms);
    return new Leavable<T>(forms, name);
  });
  return form;
}

/** Keeps what was typed when the form is left. `typed` is undefined where nothing is worth keeping. */
export function useKeep<T>(form: Leavable<T>, typed: () => T | undefined): void {
  const leave = useEffectEvent(() => form.keep(typed()));
  useLayoutEffect(() => {
    form.take();
    return () => leave();
  }, [form]);
}
