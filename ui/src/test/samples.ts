import type { ContentPart, Overview, RequestRow, ResultView, ServerChange, ServerView, TaskDetail, TaskRow, ViewData } from "../types";

/** The moment samples are built around, in ms since 1970. */
export const NOW = Date.parse("2026-11-21T14:20:00Z");

/** `ms` before (or, negative, after) `now`, as it crosses the boundary. */
export function ago(ms: number, now = NOW): string {
  return new Date(now - ms).toISOString();
}

/** What is to differ in a sample. */
export type Change<T> = { [K in keyof T]?: T[K] | undefined };

/** A sample with a change. What is undefined is left out, as the desk leaves out what is not there. */
export function changed<T extends object>(sample: T, change: Change<T>): T {
  return Object.fromEntries(Object.entries({ ...sample, ...change }).filter(([, value]) => value !== undefined)) as T;
}

/** A server that answers. Where nothing else is said, each of its tasks that needs somebody asks one thing. */
export function aServer(change: Partial<ServerView> = {}): ServerView {
  return {
    id: "s1",
    name: "ci",
    place: "https://ci.example.com/mcp",
    transport: { kind: "http", url: "https://ci.example.com/mcp", headers: [] },
    access: { caCertificates: [], signIn: { scopes: [], machine: false } },
    enabled: true,
    trusted: true,
    health: { state: "ok", latencyMs: 41 },
    heardAt: new Date().toISOString(),
    wire: "modern",
    protocolVersion: "2026-07-28",
    peer: { name: "example-ci", version: "4.1.0" },
    capabilities: '{"extensions":{"io.modelcontextprotocol/tasks":{}}}',
    supportsTasks: true,
    roots: [],
    inbox: change.tasks?.needsYou ?? 0,
    tasks: { needsYou: 0, working: 0, ended: 0 },
    demo: false,
    ...change,
  };
}

/** An overview with one server and default settings. */
export function anOverview(change: Partial<Overview> = {}): Overview {
  return {
    inbox: 0,
    tabs: { needsYou: 0, expiring: 0, snoozed: 0, answered: 0, noLongerAsked: 0, arrived: 0 },
    held: 0,
    tasks: { needsYou: 0, working: 0, ended: 0 },
    servers: [aServer()],
    settings: {
      pollFloorMs: 1_000,
      pollsPerSecond: 2_500,
      undoMs: 5_000,
      notifications: { level: "everything", rules: [], contents: true },
      background: true,
      theme: "system",
      logLevel: "info",
      messageLimit: 67_108_864,
      keepDays: 90,
      keepMib: 1_024,
    },
    shortcut: "off",
    troubles: [],
    owner: { kind: "window", pid: 4_711, version: "0.1.0", home: "~/.local/share/signalbox", logs: "~/.local/state/signalbox/logs" },
    ...change,
  };
}

/** An overview as the desk sends it to whoever has seen nothing. */
export function wholly(overview: Overview): ViewData {
  const { servers, ...rest } = overview;
  const change = { ...rest, order: servers.map(({ id }) => id), servers: servers.map((view) => ({ ...now(view), view })) };
  return { type: "overview", change };
}

/** What of a server changes with its tasks. */
function now({ id, inbox, tasks, heardAt, leftOut }: ServerView): ServerChange {
  return { id, inbox, tasks, ...(heardAt !== undefined && { heardAt }), ...(leftOut !== undefined && { leftOut }) };
}

/** A working task. */
export function aTask(change: Partial<TaskRow> = {}): TaskRow {
  return {
    id: "t1",
    server: "s1",
    serverName: "ci",
    group: "working",
    wire: "modern",
    origin: "started",
    tool: "build",
    summary: "main@9f3c2ab",
    hasTask: true,
    status: "working",
    tracking: "live",
    statusMessage: "build 37/120",
    createdAt: ago(252_000),
    seenAt: ago(2_000),
    expiresAt: ago(-3_348_000),
    openRequests: 0,
    ...change,
  };
}

/** All about a task. */
export function aTaskDetail(row: Partial<TaskRow> = {}, change: Partial<TaskDetail> = {}): TaskDetail {
  const task = aTask(row);
  return {
    row: task,
    place: "https://ci.example.com/mcp",
    delivery: "answered",
    taskId: "6f1c0d1e-8a53-4f0e-9d6b-2f8b7d52c3e2",
    serverCreatedAt: task.createdAt,
    lastUpdatedAt: task.seenAt,
    ttlMs: 3_600_000,
    unlimited: false,
    pollIntervalMs: 5_000,
    arguments: '{"ref":"main@9f3c2ab","targets":["linux","macos"]}',
    secretArguments: false,
    payloads: [],
    timeline: [
      { call: task.id, at: task.createdAt, kind: "called" },
      { call: task.id, at: task.createdAt, kind: "task_created" },
      { call: task.id, at: task.seenAt, kind: "status", text: task.statusMessage ?? "" },
    ],
    stretches: [{ spent: "working", from: task.createdAt, ...(task.endedAt !== undefined && { until: task.endedAt }) }],
    requests: [],
    requestsMore: 0,
    requestsClosedMore: 0,
    ...change,
  };
}

/** An open question. */
export function aRequest(change: Change<RequestRow> = {}): RequestRow {
  const request: RequestRow = {
    id: "r1",
    call: "t1",
    server: "s1",
    serverName: "ci",
    tool: "deploy",
    summary: "api-gateway 4.18.2",
    method: "elicitation/create",
    message: "Approve deployment to production?",
    mode: "form",
    state: "open",
    openedAt: ago(180_000),
    expiresAt: ago(-702_000),
    hasDraft: false,
    attention: "needs_you",
  };
  return changed(request, change);
}

/** A part of a result that is text. */
export function aText(text: string): ContentPart {
  return { kind: "text", text, bytes: new TextEncoder().encode(text).length, same: false };
}

/** A result with these parts. */
export function aResult(content: ContentPart[], change: Partial<ResultView> = {}): ResultView {
  const bytes = change.structured?.length;
  return { isError: false, content, contentMore: 0, ...(bytes !== undefined && { structuredBytes: bytes }), ...change };
}
