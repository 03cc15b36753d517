import { DeskError } from "../src/host/error";
import { FakeHost } from "../src/test/FakeHost";
import { wholly } from "../src/test/samples";
import type { PastNotice, Command, FieldError, ImportOutcome, ListOf, NewSecret, NewTransport, Overview, Reply, RequestDetail, RequestRow, Secret, TaskRow, View, ViewData } from "../src/types";
import { busyWorld, emptyWorld, type World } from "./world";

/** How filters of both lists are written, as the desk says it. */
const LANGUAGE: Record<ListOf, Extract<Reply, { type: "language" }>> = {
  tasks: {
    type: "language",
    keys: [
      { name: "server", words: [] },
      { name: "tool", words: [] },
      { name: "is", words: ["needs_you", "working", "ended"] },
      { name: "status", words: ["working", "input_required", "completed", "failed", "cancelled", "unknown"] },
      { name: "outcome", words: ["ok", "tool_error", "protocol_error", "cancelled", "expired", "unknown", "lost", "failed"] },
    ],
    lengths: ["age", "silent", "ended", "left"],
    days: ["started", "ended"],
    sorts: [],
    groups: [],
  },
  inbox: {
    type: "language",
    keys: [
      { name: "server", words: [] },
      { name: "tool", words: [] },
      { name: "is", words: ["waiting", "stranded", "over"] },
      { name: "mode", words: ["form", "url", "sampling", "roots"] },
    ],
    lengths: ["age", "ended", "left"],
    days: ["started", "ended"],
    sorts: [],
    groups: [],
  },
};

const VIEWS = [
  { name: "failed", tokens: ["failed"], sort: "-ended", group: "none" },
  { name: "builds", tokens: ["build"], columns: ["status", "progress", "tool", "elapsed"], compact: true },
];

/** The last notifications. */
const PAST: PastNotice[] = [
  { at: new Date(Date.now() - 60_000).toISOString(), items: [{ kind: "request", id: "r1" }], asOne: false, title: "ci · deploy needs you", fate: "shown" },
  { at: new Date(Date.now() - 240_000).toISOString(), items: [{ kind: "call", id: "t7" }], asOne: false, title: "build · compile is done", fate: "level" },
];

function show(world: World, view: View): ViewData {
  switch (view.type) {
    case "overview":
      return wholly(world.overview);
    case "tasks": {
      const words = `${view.query.within.join(" ")} ${view.query.filter}`.toLowerCase().split(" ").filter(Boolean);
      const found = world.tasks.filter((task) =>
        words.every((word) => `${task.tool} ${task.summary} ${task.statusMessage ?? ""} is:${task.group} ${task.outcome ?? ""} server:${task.server}`.toLowerCase().includes(word)),
      );
      const rows = found.slice(view.offset, view.offset + view.limit);
      const count = (word: TaskRow["group"]) => found.filter((task) => task.group === word).length;
      const heads = (["needs_you", "working", "ended"] as const).map((word) => ({ of: { by: "word" as const, key: "is", word }, count: count(word) }));
      return {
        type: "tasks",
        page: { ids: rows.map((row) => row.id), rows, total: found.length, heads: heads.filter((head) => head.count > 0), complete: true },
      };
    }
    case "inbox": {
      const open = new Set(["open", "held", "sending", "not_taken", "refused", "unknown"]);
      const words = `${view.within} ${view.filter}`.toLowerCase().split(" ").filter(Boolean);
      const found = world.requests
        .filter((row) => view.tab === "all" || open.has(row.state) === (view.tab === "needs_you"))
        .filter((row) => words.every((word) => `${row.message} ${row.tool} ${row.summary} ${row.serverName} server:${row.server}`.toLowerCase().includes(word)));
      return { type: "inbox", page: { ids: found.map((row) => row.id), rows: found, total: found.length, heads: [], complete: true, stacked: world.stacked } };
    }
    case "task_entries":
    case "requests":
      return { type: view.type, page: { ids: [], rows: [], total: 0, heads: [], complete: true } };
    case "task": {
      const task = world.details.get(view.call);
      return { type: "task", ...(task && { task }) };
    }
    case "request_log":
      return { type: "request_log", log: world.requestLog };
    case "request": {
      const request = world.requestDetails.get(view.request);
      return { type: "request", ...(request && { request }) };
    }
    case "troubles":
      return { type: "troubles", troubles: world.overview.troubles };
    case "stack":
      return { type: "stack", ...(world.stacked.some(([id]) => id === view.request) && { stack: world.stack }) };
    case "preference":
      return { type: "preference", ...(view.key === "tasks.views" && { value: JSON.stringify(VIEWS) }) };
    case "offers":
      return {
        type: "offers",
        offers: [
          { text: "outcome:failed ended:today", count: 2 },
          { text: "is:needs_you", count: world.tasks.filter((task) => task.group === "needs_you").length },
        ],
      };
    case "notices":
      return { type: "notices", past: PAST };
    case "forward":
      return { type: "forward", wish: 0 };
  }
}

/** Changes a question in its list and in its detail, with what can be said to it then. */
function change(world: World, id: string, to: (row: RequestRow) => RequestRow): Reply {
  world.requests = world.requests.map((row) => (row.id === id ? to(row) : row));
  const detail = world.requestDetails.get(id);
  if (detail) {
    const row = to(detail.row);
    world.requestDetails.set(id, { ...detail, row, ways: waysOf(detail, row) });
  }
  return { type: "done" };
}

function waysOf({ ways, form, url }: RequestDetail, { state }: RequestRow): RequestDetail["ways"] {
  if (state === "open") {
    const accept = url ? ({ accept: "page" } as const) : form && ({ accept: "content" } as const);
    return { ...accept, decline: "told", dismiss: "told", takeBack: false, putAway: false };
  }
  const settled = state === "held" ? "held" : state === "sending" ? "on_its_way" : "closed";
  return { settled, takeBack: settled !== "closed", putAway: ways.putAway && settled !== "closed" };
}

function misfits(content: string): FieldError[] {
  const { max_error_rate: rate } = JSON.parse(content) as { max_error_rate?: unknown };
  if (typeof rate !== "number" || rate <= 5) return [];
  return [{ field: "max_error_rate", path: "/max_error_rate", code: "tooLarge", message: "At most 5" }];
}

function act(world: World, command: Command): Reply {
  switch (command.type) {
    case "tools":
      return { type: "tools", tools: world.tools };
    case "read_filter":
      return { type: "filtered", ...(command.filter.endsWith(":") && { fault: "A word with a colon needs a value behind it, such as status:working" }) };
    case "language":
      return LANGUAGE[command.list];
    case "start":
      return { type: "started", call: "t5" };
    case "validate":
    case "validate_arguments": {
      const content = command.type === "validate" ? command.content : command.arguments;
      const errors = misfits(content);
      return { type: "validated", errors, ...(errors.length === 0 && { sends: `{"action":"accept","content":${content}}` }) };
    }
    case "answer":
      return change(world, command.request, (row) => {
        const decidedAt = new Date().toISOString();
        const sendAt = new Date(Date.now() + command.holdMs).toISOString();
        const content = command.content === undefined ? {} : { content: command.content };
        return { ...row, state: command.holdMs > 0 ? "held" : "sending", answer: { action: command.action, ...content, decidedAt, sendAt } };
      });
    case "undo":
      return change(world, command.request, ({ answer: _, ...row }) => ({ ...row, state: "open" }));
    case "put_away":
      return change(world, command.request, (row) => ({ ...row, state: "closed", reason: "put_away", closedAt: new Date().toISOString() }));
    case "payload":
      return { type: "payload", json: '{"large":true}' };
    case "check_server": {
      const server = world.overview.servers.find((other) => other.id === command.server);
      if (!server) throw new DeskError({ code: "unknown_server", message: `There is no server ${command.server}`, retry: "never" });
      return { type: "check", check: { server, ...(server.health.state === "ok" && { tools: world.tools.length }) } };
    }
    case "remove_server": {
      const tasks = world.tasks.filter((task) => task.server === command.server && task.group !== "ended").map((task) => task.id);
      if (tasks.length === 0) return { type: "done" };
      throw new DeskError({ code: "live_tasks", message: "The server has live tasks: cancel or forget them first", retry: "after_fix", detail: { tasks } });
    }
    case "read_pasted": {
      const env: [string, NewSecret][] = [
        ["API_KEY", { kind: "literal", value: "k-123" }],
        ["TEAM", { kind: "reference", secret: { kind: "env", var: "MY_TEAM" } }],
      ];
      const transport: NewTransport = { kind: "stdio", command: "npx", args: ["-y", "@acme/lab-mcp", "--region", "eu west"], env };
      const notes = ["`-s user` is left out: there is one list of servers here"];
      return { type: "pasted", pasted: { kind: "client", servers: [{ name: "lab", transport, notes }], skipped: [] } };
    }
    case "read_configurations":
      return {
        type: "importable",
        servers: [
          { name: "billing", place: "https://billing.example.com/mcp", isProgram: false, given: [], from: "/home/someone/.claude.json" },
          {
            name: "warehouse",
            place: "npx -y @acme/warehouse --all",
            isProgram: true,
            given: [{ name: "WAREHOUSE_TOKEN" }, { name: "LOG_LEVEL" }, { name: "TEAM", var: "MY_TEAM" }],
            from: "/home/someone/.cursor/mcp.json",
          },
        ],
        skipped: [
          { name: "asks", from: "/home/someone/.cursor/mcp.json", why: "its `env.KEY` holds ${input:key}, which only that program can fill in: add it by hand", settled: false },
          { name: "ci", from: "/home/someone/.claude.json", why: "it is registered already, as s1", settled: true },
        ],
      };
    case "import_servers": {
      const [known] = world.overview.servers;
      const error = { code: "no_keychain" as const, message: "There is no keychain on this machine", retry: "after_fix" as const };
      const outcome = (name: string): ImportOutcome =>
        known && name === "billing" ? { outcome: "taken", server: { ...known, id: "s98", name } } : { outcome: "not", error };
      return { type: "imported", outcomes: command.servers.map(({ server }) => outcome(server.name)) };
    }
    case "add_server": {
      const [known] = world.overview.servers;
      const { name, transport } = command;
      if (transport.kind === "stdio" && known) {
        const literal = transport.env.filter(([, value]) => value.kind === "literal").map(([name]) => name);
        if (literal.length > 0) {
          throw new DeskError({ code: "no_keychain", message: "There is no keychain on this machine", retry: "after_fix", detail: { values: literal } });
        }
        const env = transport.env.map(([name, value]): [string, Secret] => [
          name,
          value.kind === "reference" ? value.secret : { kind: "plain", value: value.value },
        ]);
        const health = { state: "unusable" as const, code: "not_trusted" as const, reason: { kind: "not_trusted" as const, command: ["npx", "-y", "@acme/lab-mcp"], variables: [] } };
        const trusted = command.untrusted !== true;
        return { type: "server", server: { ...known, id: "s99", name, place: "npx -y @acme/lab-mcp", trusted, health, transport: { ...transport, env } } };
      }
      throw new DeskError({ code: "name_taken", message: `Another server has the name ${command.name}`, retry: "after_fix" });
    }
    case "earlier_answers":
      return { type: "earlier_answers", answers: [] };
    case "secrets":
      return { type: "secrets", secrets: { place: "file", state: "open", file: "/home/someone/.local/share/signalbox/secrets" } };
    case "diagnostics":
      return { type: "text", text: "signalbox 0.1.0\nservers: 5" };
    default:
      return { type: "done" };
  }
}

/** A desk with sample data: `busy`, `many` (20,000 tasks), `empty`, `loading`, `trouble`, `offline`, or `error`, which never answered. */
export function sampleHost(kind: string): { host: FakeHost; overview: Overview } {
  const world = kind === "empty" ? emptyWorld() : busyWorld(kind === "many" ? 20_000 : 0);
  if (kind === "trouble") {
    world.overview.troubles = [{ code: "notifications_failed", message: "no notification service is running", detail: "org.freedesktop.DBus.Error.ServiceUnknown: The name org.freedesktop.Notifications was not provided by any .service files" }];
  }
  const host = new FakeHost(
    (view) => show(world, view),
    (command) => {
      const reply = act(world, command);
      if (["answer", "undo", "put_away"].includes(command.type)) setTimeout(() => host.touch());
      return reply;
    },
  );
  host.visit = (request) => {
    const at = new Date().toISOString();
    change(world, request, (row) => ({ ...row, state: "answered", visitedAt: at, closedAt: at, answer: { action: "accept", decidedAt: at, sendAt: at, sentAt: at } }));
    host.touch();
    return Promise.resolve();
  };
  if (kind === "loading") host.ask = () => new Promise(() => undefined);
  if (kind === "error") host.ask = () => Promise.reject(new DeskError({ code: "storage_denied", message: "/home/someone/.local/share/signalbox cannot be written: permission denied", retry: "after_fix" }));
  if (kind === "offline") setTimeout(() => host.fail({ code: "owner_gone", message: "The owner's socket was closed.", retry: "later" }), 300);
  return { host, overview: world.overview };
}
