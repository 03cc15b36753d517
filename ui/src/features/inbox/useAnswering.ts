import { useEffect, useEffectEvent, useRef, useState } from "react";

import type { Into } from "../../forms";
import { DeskError } from "../../host/error";
import { useAct } from "../../store/call";
import { useAdjusted } from "../../store/useAdjusted";
import { t } from "../../strings";
import type { Action, Command, Json, RequestDetail, RequestId, Reply, Snooze } from "../../types";
import { useFollowed } from "./elsewhere";
import { useRemarks } from "./remarks";
import { useUnderWay } from "./useUnderWay";

/** An answer as it was looked at before it goes. */
export interface Reviewed {
  request: RequestId;
  /** The question's title. */
  title: string;
  /** What was filled in. */
  content: Json;
  /** The very JSON that the server gets for it, but for secrets. */
  sends: Json;
  /** The labels of the fields that have secrets. */
  secrets: readonly string[];
}

/** What a person saw of a question: what it asked, and when the last answer to it was decided. */
type Seen = Pick<Extract<Command, { type: "answer" }>, "asks" | "seen">;

/** What a form on the sheet can do for the foot. */
export interface SectionHandle {
  /** Checks what is filled in; undefined where something is wrong, and it shows what and goes there. */
  check: () => Promise<Reviewed | undefined>;
  /** Whether this is still what is filled in. */
  isStill: (content: Json) => boolean;
  /** Goes to its first control; false where it does not go there. */
  focus: (into?: Into) => boolean;
}

/** What can be done on a sheet, and how it stands. */
export interface Answering {
  /** How a form on the sheet makes itself known. */
  register: (id: RequestId, handle: SectionHandle | null) => void;
  /** Asks the desk what it thinks of content. What fits has a shape to go out in; undefined where the foot says why it has none. */
  validate: (request: RequestId, content: Json) => Promise<Extract<Reply, { type: "validated" }> | undefined>;
  /** Goes to the form of a question, as the form takes it; false where it has none, or does not take it. */
  focus: (id: RequestId, into?: Into) => boolean;
  /** What is filled in for a question; undefined where something is wrong with it, and its form shows what. */
  check: (id: RequestId) => Promise<Reviewed | undefined>;
  /** The question of which that found a secret in what is filled in, until something else is. */
  secretIn: RequestId | undefined;
  /** Shows these answers before they go. A single one that `unreviewed` lets pass goes at once. */
  show: (ids: readonly RequestId[], unreviewed?: (content: Json) => boolean) => Promise<void>;
  /** The answers that are looked at. */
  review: readonly Reviewed[] | undefined;
  closeReview: () => void;
  /** Sends what was looked at, one after the other, up to the first that fails. As all that is decided here, each goes with its note. */
  send: () => Promise<void>;
  /** Says something that needs no look; `holdMs` instead of the undo window. */
  say: (request: RequestId, action: Action, holdMs?: number) => Promise<void>;
  /** Takes an answer back that has not gone out. */
  takeBack: (request: RequestId) => Promise<void>;
  /** Moves a question that is no longer asked to the answered ones. */
  putAway: (request: RequestId) => Promise<void>;
  /** Puts a question off; without a time it is brought back. */
  snooze: (request: RequestId, until: Snooze | undefined) => Promise<void>;
  /** Whether a press cannot have been meant for this sheet. */
  isTooSoon: () => boolean;
  /** Whether something that was said about a question is on its way to the desk, and not yet seen in the view. */
  isBusy: (request: RequestId) => boolean;
  /** Whether what is filled in is being checked for the review. */
  checking: boolean;
  error: DeskError | undefined;
  clear: () => void;
}

/** What a sheet has to say of answering. */
interface Terms {
  /** The undo window in ms. */
  hold: number;
  /** Whether a press cannot have been meant for this sheet. */
  isTooSoon: () => boolean;
  /** Takes which questions were just decided, once the view shows it and nothing on the sheet wants anybody now. */
  onDecided: (ids: readonly RequestId[]) => void;
  /** The same for one that was put off. */
  onPutOff: (ids: readonly RequestId[]) => void;
}

/** Acts for the questions of one sheet. Each answer is one act of its own. */
export function useAnswering(members: readonly RequestDetail[], { hold, isTooSoon, onDecided, onPutOff }: Terms): Answering {
  // What was said with the last press, until the view has all of it.
  const saying = useRef(new Set<RequestId>());
  const puttingOff = useRef<RequestId>(undefined);
  const forms = useRef(new Map<RequestId, SectionHandle>());
  const { run, hand, error, fail, clear } = useAct();
  // Once the view has all of it, nothing is left to look at, also while the desk's reply waits for a tool.
  const isSettled = (id: RequestId) => members.some(({ row, ways }) => row.id === id && ways.settled !== undefined);
  const [sent, setSent] = useState(false);
  const isChanged = (id: RequestId, { asks }: Seen) => members.some((detail) => detail.row.id === id && detail.asks !== asks);
  // What was decided, ended or changed while it was looked at cannot be sent any more: the sheet says what became of it.
  const [reviewed, setReview] = useAdjusted(useState<readonly (Reviewed & { saw: Seen })[]>(), (last) =>
    !sent && last?.some(({ request, saw }) => isSettled(request) || isChanged(request, saw)) ? undefined : last,
  );
  const [checking, setChecking] = useState(false);
  const [secretIn, setSecretIn] = useState<RequestId>();
  const underWay = useUnderWay(members);
  const elsewhere = useFollowed(members, reviewed?.map(({ request }) => request) ?? []);

  // It stays under way until the view shows what became of it: nothing is said twice meanwhile.
  const act = async (command: Extract<Command, { type: "answer" | "undo" | "put_away" }>): Promise<boolean> => {
    underWay.begin(command.request);
    if (command.type === "answer") elsewhere.say(command.request);
    const handed = await hand(command, (error) => elsewhere.refused(command.request, error));
    if (!handed) {
      underWay.end(command.request);
      saying.current.clear();
    }
    return handed;
  };
  // As this sheet shows it: a press is never for what comes after.
  const shown = (id: RequestId): Seen => {
    const detail = members.find(({ row }) => row.id === id);
    const seen = detail?.row.answer?.decidedAt;
    return { ...(detail && { asks: detail.asks }), ...(seen !== undefined && { seen }) };
  };
  const remarks = useRemarks();
  const give = (request: RequestId, action: Action, holdMs: number, saw: Seen, content?: Json) =>
    act({ type: "answer", request, action, ...(content !== undefined && { content }), holdMs, ...saw, ...remarks.with(request) });
  const decided = useEffectEvent(() => {
    const ids = [...saying.current];
    if (ids.length === 0 || !ids.every(isSettled)) return;
    saying.current.clear();
    if (members.every(isDone)) onDecided(ids);
  });
  const putOff = useEffectEvent(() => {
    const id = puttingOff.current;
    if (id === undefined || !members.some(({ row }) => row.id === id && row.snoozed !== undefined)) return;
    puttingOff.current = undefined;
    if (members.every(isDone)) onPutOff([id]);
  });
  useEffect(() => {
    decided();
    putOff();
  });
  const review = sent && reviewed?.every(({ request }) => isSettled(request)) ? undefined : reviewed;

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
    focus: (id, into) => forms.current.get(id)?.focus(into) ?? false,
    check: async (id) => {
      setChecking(true);
      const found = await checkedIn(forms.current, [id]).finally(() => setChecking(false));
      setSecretIn(found?.some(({ secrets }) => secrets.length > 0) ? id : undefined);
      return found?.[0];
    },
    secretIn,
    show: async (ids, unreviewed) => {
      setChecking(true);
      const found = await checkedIn(forms.current, ids).finally(() => setChecking(false));
      if (!found) return;
      const [only, ...others] = found;
      if (only && others.length === 0 && unreviewed?.(only.content) === true && !isTooSoon()) {
        saying.current = new Set([only.request]);
        await give(only.request, "accept", hold, shown(only.request), only.content);
        return;
      }
      setSent(false);
      setReview(found.map((answer) => ({ ...answer, saw: shown(answer.request) })));
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
      setSent(true);
      saying.current = new Set(review.map(({ request }) => request));
      for (const [index, { request, saw, content }] of review.entries()) {
        if (await give(request, "accept", hold, saw, content)) continue;
        // One that was closed meanwhile stays closed.
        setSent(false);
        setReview((now) => now && review.slice(index));
        return;
      }
      setReview(undefined);
    },
    say: async (request, action, holdMs = hold) => {
      if (isTooSoon()) return;
      // A page that was opened has its own way on from here.
      const isVisit = action === "accept" && members.some(({ row }) => row.id === request && row.mode === "url");
      saying.current = new Set(isVisit ? [] : [request]);
      await give(request, action, holdMs, shown(request));
    },
    takeBack: async (request) => {
      const decidedAt = shown(request).seen;
      if (decidedAt !== undefined) await act({ type: "undo", request, decidedAt });
    },
    putAway: async (request) => {
      await act({ type: "put_away", request });
    },
    snooze: async (request, until) => {
      // One that is put off again, or brought back, is looked at among its like.
      const leaves = until !== undefined && members.some(({ row }) => row.id === request && row.snoozed === undefined);
      puttingOff.current = leaves ? request : undefined;
      if (!(await run({ type: "snooze", request, ...(until !== undefined && { until }) }))) puttingOff.current = undefined;
    },
    isTooSoon,
    isBusy: underWay.has,
    checking,
    error,
    clear: () => {
      setSecretIn(undefined);
      clear();
    },
  };
}

/** Whether a question wants nobody now. */
function isDone({ row, ways }: RequestDetail): boolean {
  return ways.settled !== undefined || row.snoozed !== undefined;
}

/** What is filled in for these questions; undefined where something is wrong with one of them. */
async function checkedIn(forms: ReadonlyMap<RequestId, SectionHandle>, ids: readonly RequestId[]): Promise<Reviewed[] | undefined> {
  const found: Reviewed[] = [];
  for (const id of ids) {
    const checked = await forms.get(id)?.check();
    if (!checked) return undefined;
    found.push(checked);
  }
  return found;
}
