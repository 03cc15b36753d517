import { useRef, useState } from "react";

import { draftOf, newDraft, type FormDraft } from "../../forms";
import { useHost } from "../../host/context";
import type { Host } from "../../host/host";
import type { Json, ServerView, ToolView } from "../../types";

/** How many forms are kept; the oldest goes first. */
const KEPT = 32;

interface Kept {
  tool: string;
  /** The arguments that it began with. */
  filled: Json | null;
  draft: FormDraft;
}

// Only in memory: what is typed here may be secret, and nobody was told that it is kept.
const typed = new WeakMap<Host, readonly Kept[]>();

/** A form as it was left, or as it begins. */
export interface ToolDraft {
  draft: FormDraft;
  /** Whether it is as it was left earlier. */
  kept: boolean;
  edit: (draft: FormDraft) => void;
  /** As it begins, in place of what was typed. */
  startOver: () => void;
  /** Forgets what was typed: it has been sent. */
  done: () => void;
}

/** What is typed into a tool's form. It outlives the form, until the tool is started or the window is closed. */
export function useToolDraft(server: ServerView, spec: ToolView, filled: Json | null): ToolDraft {
  const host = useHost();
  // Another schema is another form.
  const tool = JSON.stringify([server.id, spec.name, spec.inputSchema]);
  const fresh = () => (filled === null ? newDraft(spec.form) : draftOf(spec.form, filled));
  // Who picks the tool gets the form that was typed in last, whatever it began with.
  const [left] = useState(() => typed.get(host)?.findLast((other) => other.tool === tool && (filled === null || other.filled === filled)));
  const mine = useRef(left);
  const [kept, setKept] = useState(left !== undefined);
  const [draft, setDraft] = useState(() => left?.draft ?? fresh());

  const keep = (next: Kept | undefined) => {
    const others = (typed.get(host) ?? []).filter((other) => other !== mine.current);
    typed.set(host, [...others, ...(next ? [next] : [])].slice(-KEPT));
    mine.current = next;
  };
  return {
    draft,
    kept,
    edit: (next) => {
      keep({ tool, filled: mine.current?.filled ?? filled, draft: next });
      setDraft(next);
    },
    startOver: () => {
      keep(undefined);
      setKept(false);
      setDraft(fresh());
    },
    done: () => keep(undefined),
  };
}
