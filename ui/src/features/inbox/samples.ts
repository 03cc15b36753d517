import { DeskError } from "../../host/error";
import { FakeHost } from "../../test/FakeHost";
import { isShown } from "../../test/language";
import { ago, anOverview, aRequest, changed, type Change, wholly } from "../../test/samples";
import type {
  ApiError,
  Command,
  FieldError,
  FormSpec,
  Head,
  InboxTab,
  Offer,
  Overview,
  Reply,
  RequestDetail,
  RequestRow,
  RequestState,
  Settled,
  Stack,
  TaskDetail,
  UrlView,
  View,
  ViewData,
  Ways,
} from "../../types";

const now = Date.now();

/** A form with a field that is required and one with a limit. */
export const FORM: FormSpec = {
  notes: [],
  fields: [
    { name: "approved", label: "Approved", required: true, nullable: false, kind: { type: "boolean" } },
    {
      name: "limit",
      label: "Limit",
      required: false,
      nullable: false,
      kind: { type: "integer" },
    },
  ],
};

/** An open question with that form. */
export function aDetail(row: Change<RequestRow> = {}, change: Change<RequestDetail> = {}): RequestDetail {
  const detail: RequestDetail = {
    row: aRequest({ openedAt: ago(180_000, now), expiresAt: ago(-702_000, now), ...row }),
    place: "https://ci.example.com/mcp",
    protocolVersion: "2026-07-28",
    identity: { kind: "task", call: "t1", key: "approval" },
    callCreatedAt: ago(1_080_000, now),
    hasTask: true,
    ttlMs: 1_800_000,
    statusMessage: "Canary is healthy",
    arguments: '{"service":"api-gateway","build":12345678901234567890}',
    form: FORM,
    raw: '{"method":"elicitation/create"}',
    asks: "",
    siblings: [],
    askedBefore: [],
    ways: changed(OPEN, settledBy(aRequest(row))),
  };
  const asked = changed(detail, change);
  return { ...asked, asks: asksOf(asked) };
}

/** A page that nothing is to be said against. */
export function aPage(change: Change<UrlView> = {}): UrlView {
  const host = "signing.example.com";
  const page = { full: `https://${host}/sign`, before: "https://", host, after: "/sign" };
  return changed<UrlView>({ ...page, web: true, scripts: [], loopback: false, warnings: [] }, change);
}

const OPEN: Ways = { accept: "content", decline: "told", dismiss: "told", takeBack: false, putAway: false };

const SETTLED: Record<RequestState, Settled | undefined> = {
  open: undefined,
  held: "held",
  sending: "on_its_way",
  answered: "answered",
  not_taken: undefined,
  refused: undefined,
  closed: "closed",
  orphaned: "orphaned",
  unknown: undefined,
};

/** What a state leaves to be said, as the desk decides it; nothing while something can be decided. */
function settledBy({ state, stranded, answer }: Pick<RequestRow, "state" | "stranded" | "answer">): Change<Ways> {
  const settled = state === "unknown" && stranded ? "cut_off" : SETTLED[state];
  if (settled === undefined) return {};
  return {
    accept: undefined,
    decline: undefined,
    dismiss: undefined,
    takeBack: state === "held" || (state === "sending" && answer?.sentAt === undefined),
    putAway: settled === "orphaned" || settled === "cut_off",
    settled,
  };
}

/** The questions of a round, each with its own form; what was said to each of them before. */
export function aRound(messages: readonly string[], rows: readonly Change<RequestRow>[] = []): RequestDetail[] {
  const requests = messages.map((_, n) => `r${n + 1}`);
  const open = (n: number) => ["open", "held"].includes(rows[n]?.state ?? "open");
  const round = { n: 1, requests, undecided: requests.filter((_, n) => open(n)), paged: false };
  return messages.map((message, n) =>
    aDetail({ id: `r${n + 1}`, message, ...rows[n] }, { identity: { kind: "round", call: "t1", n: 1, key: `k${n + 1}` }, round }),
  );
}

/** The tabs that a question is on. */
function tabsOf({ state, attention, stranded }: RequestRow): InboxTab[] {
  if (!NEEDS_YOU.has(state) || stranded) return ["answered"];
  if (attention === "snoozed") return ["snoozed"];
  return attention === "expiring" ? ["needs_you", "expiring"] : ["needs_you"];
}

const NEEDS_YOU = new Set(["open", "held", "sending", "not_taken", "refused", "unknown"]);

/** A desk that keeps questions and takes answers as the real one does. */
export class Desk extends FakeHost {
  readonly overview: Overview;
  /** What validation finds. */
  misfits: FieldError[] = [];
  /** Whether all rows have been looked through. */
  complete = true;
  /** Why full texts cannot be. */
  fault: ApiError | undefined;
  /** The tasks that the questions belong to. */
  tasks = new Map<string, TaskDetail>();
  /** What may be meant by what is typed. */
  offers: Offer[] = [];
  /** What windows remember, as JSON. */
  remembered = new Map<string, string>();
  readonly #asked = new Map<string, Ways>();

  constructor(
    public details: RequestDetail[],
    hold = 5_000,
  ) {
    super((view) => this.#show(view));
    this.act = (command) => this.#act(command);
    for (const { row, ways } of details) this.#asked.set(row.id, ways.settled === undefined ? ways : OPEN);
    this.visit = (request, asks) => {
      const refusal = this.#unlikeSeen(request, asks);
      if (refusal) return Promise.reject(refusal);
      const { round, ways } = this.details.find((detail) => detail.row.id === request) ?? {};
      if (!round?.paged && ways?.settled === undefined) this.#act({ type: "answer", request, action: "accept", holdMs: 0 });
      this.change(request, (detail) => ({ ...detail, row: changed(detail.row, { visitedAt: new Date().toISOString(), visitingAt: undefined }) }));
      return Promise.resolve();
    };
    this.overview = anOverview({ inbox: details.length, tabs: { needsYou: details.length, expiring: 0, snoozed: 0, answered: 0, noLongerAsked: 0, arrived: 0 } });
    this.overview.settings.undoMs = hold;
  }

  /** Changes a question, as if the server or another window had. */
  change(id: string, to: (detail: RequestDetail) => RequestDetail): void {
    const changed = this.details.map((detail) => (detail.row.id === id ? this.#settled(to(detail)) : detail));
    const undecided = changed.filter(({ row }) => row.state === "open" || row.state === "held").map(({ row }) => row.id);
    this.details = changed.map(({ round, ...detail }) =>
      round ? { ...detail, round: { ...round, undecided: round.requests.filter((member) => undecided.includes(member)) } } : detail,
    );
    this.touch();
  }

  /** The commands of one type, in order. */
  sent<T extends Command["type"]>(type: T): Extract<Command, { type: T }>[] {
    return this.commands.filter((command): command is Extract<Command, { type: T }> => command.type === type);
  }

  #show(view: View): ViewData {
    switch (view.type) {
      case "inbox": {
        const rows = this.details
          .map((detail) => detail.row)
          .filter((row) => tabsOf(row).includes(view.tab))
          .filter((row) => isShown({ ...row, text: `${row.message} ${row.tool} ${row.serverName}` }, view.within, view.filter))
          .sort((a, b) => Number(b.stranded ?? false) - Number(a.stranded ?? false));
        const window = rows.slice(view.offset, view.offset + view.limit);
        return { type: "inbox", page: { ids: window.map((row) => row.id), rows: window, total: rows.length, heads: headsOf(view.tab, rows), ...this.#looked(), ...this.#stacked(window) } };
      }
      case "request": {
        const request = this.details.find((detail) => detail.row.id === view.request);
        return { type: "request", ...(request && { request }) };
      }
      case "stack": {
        const questions = this.#alike(view.request);
        const stack: Stack = {
          questions: questions.map((detail) => ({ row: detail.row, asks: asksOf(detail), values: [detail.row.message] })),
          more: 0,
          columns: [{ of: "message" }],
          destructive: false,
        };
        return { type: "stack", ...(questions.length > 1 && { stack }) };
      }
      case "task": {
        const task = this.tasks.get(view.call);
        return { type: "task", ...(task && { task }) };
      }
      case "offers":
        return { type: "offers", offers: this.offers };
      case "preference": {
        const value = this.remembered.get(view.key);
        return { type: "preference", ...(value !== undefined && { value }) };
      }
      default:
        return wholly(this.overview);
    }
  }

  /** Open questions of the same tool and form, itself first. */
  #alike(id: string): RequestDetail[] {
    const of = this.details.find(({ row }) => row.id === id);
    if (of?.row.state !== "open" || of.schema === undefined) return [];
    const { row, schema } = of;
    const others = this.details.filter((other) => other.row.id !== id && other.row.state === "open");
    return [of, ...others.filter((other) => other.row.tool === row.tool && other.row.server === row.server && other.schema === schema)];
  }

  #stacked(rows: readonly RequestRow[]): { stacked?: [string, number][] } {
    const counts = rows.map((row): [string, number] => [row.id, this.#alike(row.id).length]).filter(([, count]) => count > 1);
    return counts.length > 0 ? { stacked: counts } : {};
  }

  #looked(): { complete: boolean; fault?: ApiError } {
    const { complete, fault } = this;
    return fault === undefined ? { complete } : { complete: false, fault };
  }

  #act(command: Command): Reply {
    switch (command.type) {
      case "validate":
        return { type: "validated", errors: this.misfits, ...(this.misfits.length === 0 && { sends: sent("accept", command.content) }) };
      case "answer": {
        const { request, action, content, holdMs, asks } = command;
        const refusal = this.#unlikeSeen(request, asks);
        if (refusal) throw refusal;
        const decidedAt = new Date().toISOString();
        const sendAt = new Date(Date.now() + holdMs).toISOString();
        const answer = { action, ...(content !== undefined && { content }), decidedAt, sendAt };
        this.#put(request, { state: holdMs > 0 ? "held" : "sending", answer });
        return { type: "done" };
      }
      case "answer_together":
        return {
          type: "together",
          outcomes: command.requests.map(({ request, asks }) => {
            const detail = this.details.find(({ row }) => row.id === request);
            if (detail && detail.row.state === "open" && asksOf(detail) !== asks) {
              return { request, failure: { code: "changed_meanwhile", message: `${request} has changed`, retry: "never" } };
            }
            if (detail?.row.state !== "open") return { request, failure: { code: "already_closed", message: `${request} is over`, retry: "never" } };
            const { action, content, holdMs } = command;
            this.#act({ type: "answer", request, action, ...(content !== undefined && { content }), holdMs });
            return { request, decidedAt: this.details.find((detail) => detail.row.id === request)?.row.answer?.decidedAt ?? "" };
          }),
        };
      case "undo_together":
        return {
          type: "together",
          outcomes: command.answers.map(({ request, decidedAt }) => {
            this.#act({ type: "undo", request, decidedAt });
            return { request };
          }),
        };
      case "undo": {
        const answer = this.details.find((detail) => detail.row.id === command.request)?.row.answer;
        if (answer?.decidedAt !== command.decidedAt) {
          throw new DeskError({ code: "answered_meanwhile", message: "Another answer was given since", retry: "never" });
        }
        const { content } = answer;
        this.#put(command.request, { state: "open", answer: undefined });
        if (content !== undefined) this.change(command.request, (detail) => ({ ...detail, draft: content }));
        return { type: "done" };
      }
      case "set_preference":
        this.remembered.set(command.key, command.value);
        this.touch();
        return { type: "done" };
      case "put_away":
        this.#put(command.request, { state: "closed", reason: "put_away", stranded: undefined, closedAt: new Date().toISOString() });
        return { type: "done" };
      case "snooze":
        this.#put(command.request, { snoozed: command.until, attention: command.until ? "snoozed" : "needs_you", returnsAt: undefined });
        return { type: "done" };
      case "earlier_answers": {
        const asked = this.details.find(({ row }) => row.id === command.request)?.row;
        const isSame = ({ id, tool, method, message }: RequestRow) => id !== asked?.id && tool === asked?.tool && method === asked.method && message === asked.message;
        return { type: "earlier_answers", answers: this.details.map(({ row }) => row).filter((row) => row.answer !== undefined && isSame(row)) };
      }
      case "tool":
        throw new DeskError({ code: "unknown_tool", message: `No tool ${command.tool}`, retry: "never" });
      case "save_draft":
        this.change(command.request, (detail) => ({ ...detail, ...(command.draft !== undefined && { draft: command.draft }) }));
        return { type: "done" };
      default:
        return { type: "done" };
    }
  }

  /** Why a question takes nothing of a person who saw it ask this; undefined where it still does. */
  #unlikeSeen(id: string, asks: string | undefined): DeskError | undefined {
    const now = this.details.find(({ row }) => row.id === id)?.asks;
    if (asks === undefined || asks === now) return undefined;
    return new DeskError({ code: "changed_meanwhile", message: `${id} has changed since you saw it. Nothing of this answer was sent to it.`, retry: "never" });
  }

  #settled(detail: RequestDetail): RequestDetail {
    return { ...detail, asks: asksOf(detail), ways: changed(this.#asked.get(detail.row.id) ?? detail.ways, settledBy(detail.row)) };
  }

  #put(id: string, to: Change<RequestRow>): void {
    this.change(id, (detail) => ({ ...detail, row: changed(detail.row, to) }));
  }
}

/** Stands for all that a question asks, as the desk has it. */
export function asksOf({ row, schema, form, url }: RequestDetail): string {
  return JSON.stringify([row.message, schema, form, url?.full]);
}

/** An answer in the server's own shape. */
export function sent(action: string, content: string): string {
  return `{"action":"${action}","content":${content}}`;
}

/** As the desk groups what needs nobody. */
function headsOf(tab: InboxTab, rows: readonly RequestRow[]): Head[] {
  if (tab !== "answered") return [];
  const stranded = rows.filter((row) => row.stranded).length;
  const counts = { stranded, over: rows.length - stranded };
  const heads = (["stranded", "over"] as const).map((word) => ({ of: { by: "word" as const, key: "is", word }, count: counts[word] }));
  return heads.filter(({ count }) => count > 0);
}
