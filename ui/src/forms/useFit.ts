import { useCallback, useEffect, useMemo, useRef, useState } from "react";

import type { FieldError, FormSpec, Json } from "../types";
import { check, stillWrong } from "./check";
import type { FormDraft } from "./draft";

/** How long typing may pause before what is shown as wrong is looked at again, in ms. */
const PAUSE_MS = 200;

/** What the desk says of content. */
interface Looked {
  errors: readonly FieldError[];
  /** The places of secrets in it, where it fits. */
  secrets?: readonly string[];
}

/** Asks what content does not fit, and bothers nobody; undefined when that could not be told. */
export type CheckContent = (content: Json) => Promise<Looked | undefined>;

/** What of a form does not fit, as far as it is shown. */
export interface Fit {
  /** What does not fit of the fields that were left, and of all once an answer was refused. */
  errors: readonly FieldError[];
  /** Whether something was refused: then a summary stays in sight. */
  refused: boolean;
  /** What the desk says of the JSON text as it stands; undefined while that is not known. */
  verdict: readonly FieldError[] | undefined;
  /** Where the desk found secrets in the JSON text when it last fitted. The fields of a form tell of theirs. */
  secrets: readonly string[];
  /** A field was left. One that was only passed by, and never had anything in it, is not complained of yet. */
  leave: (field: string) => void;
  /** What was to be sent is not. */
  refuse: (draft: FormDraft, errors: readonly FieldError[]) => void;
  /** Nothing was refused, and nothing left. */
  reset: () => void;
}

const NOTHING: ReadonlySet<string> = new Set();
const NO_SECRETS: readonly string[] = [];

/** Follows what of a draft fits: nothing is said while a field is typed into for the first time, and all that was said once is kept true. */
export function useFit(spec: FormSpec, draft: FormDraft, ask: CheckContent): Fit {
  const [found, setFound] = useState<{ draft: FormDraft; errors: readonly FieldError[] }>();
  const [left, setLeft] = useState(NOTHING);
  const [refused, setRefused] = useState(false);
  const [secrets, setSecrets] = useState(NO_SECRETS);
  // What had something in it once: what is deleted again is not sent, and so is not in the draft any more.
  const filled = useRef(new Set<string>());
  useEffect(() => {
    for (const name of draft.value.keys()) filled.current.add(name);
  }, [draft]);
  const json = draft.tab === "json";

  const wanted = json || refused || left.size > 0;
  const known = found?.draft === draft;
  useEffect(() => {
    if (!wanted || known) return;
    let current = true;
    const look = async () => {
      let looked: Looked | undefined;
      const checked = await check(spec, draft, async (content) => {
        looked = await ask(content);
        return looked?.errors;
      });
      if (!current || !checked) return;
      setFound({ draft, errors: checked.errors });
      // Where something does not fit, nothing is said of secrets: what is known of them stays.
      if (looked?.errors.length === 0) setSecrets(looked.secrets ?? NO_SECRETS);
    };
    const timer = setTimeout(() => void look(), PAUSE_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [wanted, known, spec, draft, ask]);

  const errors = useMemo(() => {
    const still = found ? stillWrong(found.errors, found.draft, draft) : [];
    return refused ? still : still.filter(({ field }) => field !== undefined && left.has(field));
  }, [found, draft, refused, left]);
  return {
    errors,
    refused,
    verdict: json && found && found.draft.tab === "json" && found.draft.json === draft.json ? found.errors : undefined,
    secrets: json ? secrets : NO_SECRETS,
    leave: useCallback((field) => {
      if (filled.current.has(field)) setLeft((before) => (before.has(field) ? before : new Set(before).add(field)));
    }, []),
    refuse: useCallback((draft, errors) => {
      setFound({ draft, errors });
      setRefused(true);
    }, []),
    reset: useCallback(() => {
      filled.current.clear();
      setFound(undefined);
      setSecrets(NO_SECRETS);
      setLeft(NOTHING);
      setRefused(false);
    }, []),
  };
}
