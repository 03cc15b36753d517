import { useRef, useState } from "react";

import { DeskError } from "../../host/error";
import { useAct } from "../../store/call";
import { t } from "../../strings";
import type { Action, Json, RequestDetail, RequestId, Reply } from "../../types";

/** An answer as it was looked at before it goes. */
export interface Reviewed {
  request: RequestId;
  /** The question's title. */
  title: string;
  /** What was filled in. */
  content: Json;
  /** The very JSON that the server gets for it. */
  sends: Json;
}

/** What a form on the sheet can do for the foot. */
export interface SectionHandle {
  /** Checks what is filled in; undefined where something is wrong, and it shows what and goes there. */
  check: () => Promise<Reviewed | undefined>;
  /** Whether this is still what is filled in. */
  isStill: (content: Json) => boolean;
  focus: () => void;
}

/** What can be done on a sheet, and how it stands. */
export interface Answering {
  /** How a form on the sheet makes itself known. */
  register: (id: RequestId, handle: SectionHandle | null) => void;
  /** Asks the desk what it thinks of content. What fits has a shape to go out in; undefined where the foot says why it has none. */
  validate: (request: RequestId, content: Json) => Promise<Extract<Reply, { type: "validated" }> | undefined>;
  /** Goes to the form of a question; false where it has none. */
  focus: (id: RequestId) => boolean;
  /** Shows these answers before they go. */
  show: (ids: readonly RequestId[]) => Promise<void>;
  /** The answers that are looked at. */
  review: readonly Reviewed[] | undefined;
  closeReview: () => void;
  /** Sends what was looked at, one after the other, up to the first that fails. */
  send: () => Promise<void>;
  /** Says something that needs no look; `holdMs` instead of the undo window. */
  say: (request: RequestId, action: Action, holdMs?: number) => Promise<void>;
  /** Takes an answer back that has not gone out. */
  takeBack: (request: RequestId) => Promise<void>;
  /** Moves a question that nobody asks any more to the answered ones. */
  putAway: (request: RequestId) => Promise<void>;
  /** Whether the answer of a question is on its way to the desk. */
  isGiven: (request: RequestId) => boolean;
  busy: boolean;
  error: DeskError | undefined;
  clear: () => void;
}

/** Acts for the questions of one sheet. Each answer is one act of its own. */
export function useAnswering(members: readonly RequestDetail[], hold: number): Answering {
  const forms = useRef(new Map<RequestId, SectionHandle>());
  const { run, hand, busy, error, fail, clear } = useAct();
  const [review, setReview] = useState<readonly Reviewed[]>();
  // Given and not yet seen in the view: nothing is answered twice meanwhile.
  const [given, setGiven] = useState<readonly RequestId[]>([]);
  const pending = given.filter((id) => members.some(({ row, ways }) => row.id === id && ways.settled === undefined));
  if (pending.length !== given.length) setGiven(pending);

  const give = async (request: RequestId, action: Action, holdMs: number, content?: Json): Promise<boolean> => {
    const handed = await hand({ type: "answer", request, action, ...(content !== undefined && { content }), holdMs });
    if (handed) setGiven((now) => [...now, request]);
    return handed;
  };

  return {
    register: (id, handle) => {
      if (handle) forms.current.set(id, handle);
      else forms.current.delete(id);
    },
    validate: async (request, content) => {
      const reply = await run({ type: "validate", request, content });
      if (reply?.errors.length !== 0 || reply.sends !== undefined) return reply;
      fail(new DeskError({ code: "already_closed", message: t.inbox.overMeanwhile, retry: "never" }));
      return undefined;
    },
    focus: (id) => {
      forms.current.get(id)?.focus();
      return forms.current.has(id);
    },
    show: async (ids) => {
      const found: Reviewed[] = [];
      for (const id of ids) {
        const reviewed = await forms.current.get(id)?.check();
        if (!reviewed) return;
        found.push(reviewed);
      }
      setReview(found);
    },
    review,
    closeReview: () => {
      setReview(undefined);
      clear();
    },
    send: async () => {
      // What was looked at is what is sent: what changed meanwhile is looked at again.
      if (!review?.every(({ request, content }) => forms.current.get(request)?.isStill(content))) {
        setReview(undefined);
        return;
      }
      for (const [index, { request, content }] of review.entries()) {
        if (await give(request, "accept", hold, content)) continue;
        setReview(review.slice(index));
        return;
      }
      setReview(undefined);
    },
    say: async (request, action, holdMs = hold) => {
      await give(request, action, holdMs);
    },
    takeBack: async (request) => {
      await run({ type: "undo", request });
    },
    putAway: async (request) => {
      await run({ type: "put_away", request });
    },
    isGiven: (request) => given.includes(request),
    busy,
    error,
    clear,
  };
}
