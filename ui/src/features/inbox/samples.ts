import { FakeHost } from "../../test/FakeHost";
import { ago, anOverview, aRequest } from "../../test/samples";
import type { Command, FieldError, FormSpec, Overview, Reply, RequestDetail, RequestRow, View, ViewData } from "../../types";

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
export function aDetail(row: Partial<RequestRow> = {}, change: Partial<RequestDetail> = {}): RequestDetail {
  return {
    row: aRequest({ openedAt: ago(180_000, now), expiresAt: ago(-702_000, now), ...row }),
    place: "https://ci.example.com/mcp",
    protocolVersion: "2026-07-28",
    identity: { kind: "task", call: "t1", key: "approval" },
    callCreatedAt: ago(1_080_000, now),
    ttlMs: 1_800_000,
    statusMessage: "Canary is healthy",
    arguments: '{"service":"api-gateway","build":12345678901234567890}',
    form: FORM,
    raw: '{"method":"elicitation/create"}',
    siblings: [],
    ways: { accept: "content", decline: "told", dismiss: "told", takeBack: false, putAway: false },
    ...change,
  };
}

const NEEDS_YOU = new Set(["open", "held", "sending", "not_taken", "refused", "unknown"]);

/** A desk that keeps questions and takes answers as the real one does. */
export class Desk extends FakeHost {
  readonly overview: Overview;
  /** What validation finds. */
  misfits: FieldError[] = [];

  constructor(
    public details: RequestDetail[],
    hold = 5_000,
  ) {
    super((view) => this.#show(view));
    this.act = (command) => this.#act(command);
    this.overview = anOverview({ inbox: details.length });
    this.overview.settings.undoMs = hold;
  }

  /** Changes a question, as if the server or another window had. */
  change(id: string, to: (detail: RequestDetail) => RequestDetail): void {
    this.details = this.details.map((detail) => (detail.row.id === id ? to(detail) : detail));
    this.touch();
  }

  /** The commands of one type, in order. */
  sent<T extends Command["type"]>(type: T): Extract<Command, { type: T }>[] {
    return this.commands.filter((command): command is Extract<Command, { type: T }> => command.type === type);
  }

  #show(view: View): ViewData {
    switch (view.type) {
      case "inbox": {
        const rows = this.details.map((detail) => detail.row).filter((row) => NEEDS_YOU.has(row.state) === (view.tab === "needs_you"));
        const window = rows.slice(view.offset, view.offset + view.limit);
        return { type: "inbox", page: { ids: window.map((row) => row.id), rows: window, total: rows.length } };
      }
      case "request": {
        const request = this.details.find((detail) => detail.row.id === view.request);
        return { type: "request", ...(request && { request }) };
      }
      default:
        return { type: "overview", overview: this.overview };
    }
  }

  #act(command: Command): Reply {
    switch (command.type) {
      case "validate":
        return { type: "validated", errors: this.misfits };
      case "answer": {
        const { request, action, content, holdMs } = command;
        const decidedAt = new Date().toISOString();
        const sendAt = new Date(Date.now() + holdMs).toISOString();
        const answer = { action, ...(content !== undefined && { content }), decidedAt, sendAt };
        this.change(request, (detail) => ({ ...detail, row: { ...detail.row, state: holdMs > 0 ? "held" : "sending", answer } }));
        return { type: "done" };
      }
      case "undo":
        this.change(command.request, (detail) => {
          const { answer: _, ...row } = detail.row;
          return { ...detail, row: { ...row, state: "open" } };
        });
        return { type: "done" };
      case "save_draft":
        this.change(command.request, (detail) => ({ ...detail, ...(command.draft !== undefined && { draft: command.draft }) }));
        return { type: "done" };
      default:
        return { type: "done" };
    }
  }
}
