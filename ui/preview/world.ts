import { ago, anOverview, aRequest, aResult, aServer, aTask, aTaskDetail, aText, changed, type Change } from "../src/test/samples";
import { isDecidable } from "../src/features/inbox/words";
import type { Overview, RequestDetail, RequestLog, RequestRow, RoundView, Stack, TaskDetail, TaskRow, ToolView, UrlView, Ways } from "../src/types";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const now = Date.now();
const before = (ms: number) => ago(ms, now);

/** Everything the sample desk knows. */
export interface World {
  overview: Overview;
  tasks: TaskRow[];
  details: Map<string, TaskDetail>;
  requests: RequestRow[];
  requestDetails: Map<string, RequestDetail>;
  tools: ToolView[];
  /** Questions that are like others, each with how many there are. */
  stacked: [string, number][];
  stack: Stack;
  requestLog: RequestLog;
}

const servers = [
  aServer({ id: "s1", name: "ci", tasks: { needsYou: 1, working: 117, ended: 94 } }),
  aServer({ id: "s2", name: "deploy-eu", place: "https://deploy.eu.example.com/mcp", tasks: { needsYou: 1, working: 36, ended: 20 } }),
  aServer({ id: "s3", name: "research", place: "https://research.example.com/mcp", tasks: { needsYou: 1, working: 50, ended: 30 } }),
  aServer({ id: "s4", name: "billing", health: { state: "sign_in_needed", since: before(HOUR) } }),
  aServer({
    id: "s5",
    name: "warehouse",
    place: "warehouse-mcp --profile production",
    transport: { kind: "stdio", command: "warehouse-mcp", args: ["--profile", "production"], env: [["TOKEN", { kind: "env", var: "WAREHOUSE_TOKEN" }]] },
    health: { state: "unreachable", code: "spawn_failed", reason: { kind: "said", message: "The program ended with code 1 before it answered." }, since: before(130 * SECOND), triedAt: before(36 * SECOND), retryAt: ago(-24 * SECOND, now) },
    heardAt: before(130 * SECOND),
    tasks: { needsYou: 1, working: 1, ended: 3 },
  }),
  aServer({ id: "s6", name: "old-wiki", enabled: true, health: { state: "unusable", code: "legacy_only", reason: { kind: "said", message: "It speaks only MCP 2025-11-25." }, triedAt: before(20 * SECOND) }, supportsTasks: false }),
  aServer({ id: "s7", name: "quiet", place: "https://quiet.example.com/mcp", heardAt: before(4 * MINUTE), tasks: { needsYou: 0, working: 0, ended: 12 } }),
  aServer({ id: "s8", name: "was-away", health: { state: "unknown", missed: { code: "unreachable", reason: { kind: "said", message: "connection refused" }, at: before(70 * MINUTE) } }, heardAt: before(3 * HOUR) }),
  aServer({
    id: "s9",
    name: "taken-over",
    place: "npx -y some-mcp",
    transport: { kind: "stdio", command: "npx", args: ["-y", "some-mcp"], env: [] },
    trusted: false,
    health: { state: "unusable", code: "not_trusted", reason: { kind: "said", message: "Its command was not confirmed yet" } },
  }),
];

type Line = [string, string, string, string, number, number, number | null, Partial<TaskRow>?];

// server, tool, summary, message, elapsed, silent, ttl left
const NEEDS: Line[] = [
  ["s2", "deploy", "api-gateway 4.18.2", "waiting for approval", 18 * MINUTE, 3 * MINUTE, 11 * MINUTE + 42 * SECOND],
  ["s3", "train_eval", "tagger-small", "which dataset version?", 112 * MINUTE, 18 * MINUTE, 128 * MINUTE],
  ["s1", "release", "v2.9.0", "waiting for a signature", 26 * MINUTE, 26 * MINUTE, null],
  ["s5", "migrate", "orders → orders_v2", "3 conflicts found", 74 * MINUTE, 62 * MINUTE, 22 * HOUR, { openRequests: 2 }],
];
const WORKING: Line[] = [
  ["s1", "build", "main@9f3c2ab", "build 37/120", 252 * SECOND, 2 * SECOND, 55 * MINUTE, { progress: { fraction: 37 / 120 } }],
  ["s1", "build", "release/4.18", "uploading", 543 * SECOND, 4 * SECOND, 50 * MINUTE],
  ["s3", "train", "tagger-base", "step 6/9: evaluating checkpoint 41,000", 206 * MINUTE, 31 * SECOND, 20 * HOUR, { progress: { fraction: 6 / 9 } }],
  ["s3", "crawl", "docs.example.com depth 3", "", 41 * MINUTE, 5 * SECOND, 6 * HOUR],
  ["s5", "reindex", "catalog", "merging segments", 52 * MINUTE, 14 * MINUTE, 470 * SECOND, { tracking: "unreachable" }],
  ["s1", "test", "api-gateway", "test 812/4,031", 164 * SECOND, SECOND, 57 * MINUTE, { progress: { fraction: 812 / 4031 } }],
  ["s2", "plan", "eu-west", "step 2/4", 51 * SECOND, 2 * SECOND, 29 * MINUTE, { cancel: { requestedAt: before(20 * SECOND) } }],
];
const ENDED: Line[] = [
  ["s1", "build", "main@1a77e0c", "120 targets built", 391 * SECOND, 0, null, { outcome: "ok", status: "completed" }],
  ["s3", "summarise", "incident-2291", "done", 128 * SECOND, 0, null, { outcome: "ok", status: "completed" }],
  ["s1", "lint", "ui/src", "14 problems", 44 * SECOND, 0, null, { outcome: "tool_error", status: "completed" }],
  ["s2", "deploy", "search 1.4", "rollback failed", 180 * SECOND, 0, null, { outcome: "protocol_error", status: "failed" }],
  ["s3", "crawl", "old.example.com", "", 750 * SECOND, 0, null, { outcome: "cancelled", status: "cancelled" }],
  ["s5", "export", "2026-10", "", HOUR, 0, null, { outcome: "expired", status: "working" }],
  ["s5", "export", "2026-09", "", HOUR, 0, null, { outcome: "lost", status: "working" }],
  ["s2", "deploy", "billing 9.0", "", 65 * SECOND, 0, null, { outcome: "unknown", status: "working", hasTask: false }],
];

function rows(group: TaskRow["group"], lines: Line[], first: number): TaskRow[] {
  return lines.map(([server, tool, summary, statusMessage, elapsed, silent, left, change], index) => {
    const { expiresAt, statusMessage: said, ...base } = aTask({ id: `t${first + index}`, server, tool, summary, group });
    return {
      ...base,
      serverName: servers.find((other) => other.id === server)?.name ?? server,
      status: group === "needs_you" ? "input_required" : "working",
      openRequests: group === "needs_you" ? 1 : 0,
      tracking: group === "ended" ? "done" : "live",
      ...(statusMessage && { statusMessage }),
      createdAt: before(elapsed + (group === "ended" ? HOUR : 0)),
      seenAt: before(group === "ended" ? HOUR : silent),
      ...(left !== null && { expiresAt: ago(-left, now) }),
      ...(group === "working" && { nextPollAt: ago(-4 * SECOND, now) }),
      ...(group === "ended" && { endedAt: before(HOUR) }),
      ...change,
    };
  });
}

function field(name: string, label: string, kind: ToolView["form"]["fields"][number]["kind"], more = {}) {
  return { name, label, required: false, nullable: false, kind, ...more };
}

const REGIONS = [
  { value: '"eu-west"', label: "Europe West" },
  { value: '"us-east"', label: "US East" },
];

const deployForm: ToolView["form"] = {
  notes: [],
  fields: [
    field("service", "Service", { type: "text", minLength: 1, maxLength: 60, multiline: false }, { required: true }),
    field("version", "Version", { type: "text", pattern: "^\\d+\\.\\d+", multiline: false }, { required: true, description: "The version to roll out, as tagged." }),
    field("regions", "Regions", { type: "multiSelect", options: REGIONS, minItems: 1 }),
    field("canary", "Canary first", { type: "boolean" }, { default: "true" }),
    field("max_error_rate", "Max error rate", { type: "number", minimum: "0", maximum: "5", exclusiveMinimum: false, exclusiveMaximum: false }, { description: "Percent, 0 to 5. Rolls back above it" }),
  ],
};

const emptyForm: ToolView["form"] = { fields: [], notes: [] };

const tools: ToolView[] = [
  { name: "deploy", title: "Deploy a service", description: "Rolls a version of a service out, asks for approval once the canary is healthy, and completes when all instances are replaced.", form: deployForm, inputSchema: "{}", destructive: true },
  { name: "build", description: "Builds a ref and reports each finished target.", form: { ...emptyForm, fields: [field("ref", "Ref", { type: "text", multiline: false }, { required: true })] }, inputSchema: "{}", destructive: false },
  { name: "lint", description: "Looks for problems.", form: emptyForm, inputSchema: "{}", destructive: false },
  { name: "survey", description: "Asks for a value of every kind.", form: emptyForm, inputSchema: "{}", destructive: false },
  { name: "short_lived", description: "A task that its server forgets after 20 seconds.", form: emptyForm, inputSchema: "{}", destructive: false },
];

const questionForm: ToolView["form"] = {
  notes: [],
  fields: [
    field("approved", "Approved", { type: "boolean" }, { required: true, default: "true" }),
    field("rollout", "Rollout", { type: "select", options: [{ value: '"gradual"', label: "Gradual, 10 % every 2 minutes" }, { value: '"all"', label: "All at once" }] }, { description: "How fast traffic moves", required: true }),
    field("max_error_rate", "Max error rate", { type: "number", minimum: "0", maximum: "5", exclusiveMinimum: false, exclusiveMaximum: false }, { description: "Percent, 0 to 5. Rolls back above it" }),
  ],
};

const plain = { multiline: false };
const DATASETS = ["v14", "v15", "v15-clean"].map((name) => ({ value: JSON.stringify(name), label: name }));

/** A field of every kind. */
const surveyForm: ToolView["form"] = {
  ...emptyForm,
  title: "Evaluation",
  description: "These choices are kept with the run.",
  notes: [{ field: "extra", message: "Unknown keyword “widget” was ignored" }],
  fields: [
    field("dataset", "Dataset", { type: "select", options: DATASETS }, { required: true }),
    field("splits", "Splits", { type: "multiSelect", options: DATASETS, minItems: 1, maxItems: 2 }, { default: '["v14"]' }),
    field("seed", "Seed", { type: "integer", minimum: "0", maximum: "18446744073709551615" }, { default: "12345678901234567890" }),
    field("publish", "Publish", { type: "boolean" }, { description: "Show the numbers to everyone" }),
    field("owner", "Owner", { type: "text", ...plain, format: "email" }, { required: true }),
    field("until", "Keep until", { type: "text", ...plain, format: "date" }),
    field("why", "Why", { type: "text", ...plain, maxLength: 2_000, multiline: true }),
    field("extra", "Extra", { type: "json", why: "nested" }, { default: '{"tags":["a"]}' }),
  ],
};

function question(row: RequestRow, change: Change<RequestDetail> = {}): RequestDetail {
  const detail: RequestDetail = {
    row,
    place: servers.find((server) => server.id === row.server)?.place ?? "",
    protocolVersion: "2026-07-28",
    identity: { kind: "task", call: row.call ?? "t1", key: "approval" },
    callCreatedAt: before(18 * MINUTE),
    hasTask: true,
    ttlMs: 30 * MINUTE,
    statusMessage: "Canary is healthy: 0.02 % errors over 8 minutes. Rolling out to 100 % replaces 42 instances.",
    arguments: `{"service":"api-gateway","version":"4.18.2","region":"eu-west","notes":${JSON.stringify(`canary: ok\nregion: us-east\n${"all checks passed, ".repeat(20)}`)}}`,
    form: questionForm,
    schema: '{"type":"object","properties":{"approved":{"type":"boolean"}}}',
    raw: '{"method":"elicitation/create","params":{"mode":"form","message":"Approve deployment to production?"}}',
    asks: row.message,
    siblings: [],
    askedBefore: [],
    ways: OPEN,
  };
  return changed(detail, change);
}

function page(host: string, path: string, serverHost: string): UrlView {
  return {
    full: `https://${host}${path}`,
    before: "https://",
    host,
    after: path,
    web: true,
    scripts: [],
    loopback: false,
    serverHost,
    warnings: path.startsWith(":") ? ["odd_port"] : [],
  };
}

const OPEN: Ways = { accept: "content", decline: "told", dismiss: "told", takeBack: false, putAway: false };
const SETTLED: Ways = { takeBack: false, putAway: false };
const ROUND: RoundView = { n: 1, requests: ["r7", "r8"], undecided: ["r8"], paged: false };
const CONFIRM = { arguments: '{"volume":"db-1","note":"approved: true region: eu-west"}', statusMessage: undefined, round: ROUND };
const modelForm: ToolView["form"] = {
  notes: [],
  fields: [
    field("text", "Answer", { type: "text", multiline: true, minLength: 1 }, { required: true, description: "What the model would say." }),
    field("model", "Model", { type: "text", multiline: false }, { description: "Who says so. Left out: human." }),
  ],
};

/** What is special about some of the questions. */
const SPECIAL: Partial<Record<string, Change<RequestDetail>>> = {
  r2: { form: surveyForm, arguments: '{"model":"tagger-small"}' },
  r3: { form: undefined, url: page("signing.example.com", ":8443/sign?release=v2.9.0", "ci.example.com"), ways: { ...OPEN, accept: "page" }, statusMessage: undefined },
  r4: { protocolVersion: "2025-11-25", identity: { kind: "wire", session: 3, rpc: "12" }, draft: JSON.stringify({ tab: "form", fields: [["approved", "true"]], json: "{}" }) },
  r5: { ways: { ...SETTLED, settled: "answered" } },
  r6: { ways: { ...SETTLED, settled: "closed" }, draft: JSON.stringify({ tab: "form", fields: [["rollout", '"all"'], ["max_error_rate", "2.5"]], json: "{}" }) },
  r7: { ...CONFIRM, identity: { kind: "round", call: "t8", n: 1, key: "a" }, ways: { ...SETTLED, takeBack: true, settled: "on_its_way" }, form: { notes: [], fields: [field("snapshot", "Snapshot", { type: "text", multiline: false }, { required: true })] } },
  r8: { ...CONFIRM, identity: { kind: "round", call: "t8", n: 1, key: "b" }, form: { notes: [], fields: [field("name", "Name", { type: "text", multiline: false }, { required: true })] } },
  r9: {
    form: modelForm,
    statusMessage: undefined,
    arguments: '{"incident":"incident-2291"}',
    ways: { ...SETTLED, accept: "text", decline: "unsaid" },
    sampling: {
      systemPrompt: "You write for engineers on call. Be exact, name services, no adjectives.",
      messages: [
        { role: "user", parts: [{ kind: "text", text: "02:10 checkout-db fails over. 02:14 checkout returns 503 for 11 minutes.\n02:25 recovered by restarting the pooler." }, { kind: "media", type: "image", mimeType: "image/png", bytes: 48_200 }] },
        { role: "user", parts: [{ kind: "text", text: "Summarize last night’s outage for the status page, in three sentences." }] },
      ],
      maxTokens: "400",
      temperature: "0.2",
      stopSequences: [],
      modelHints: ["claude-sonnet", "claude"],
      costPriority: "0.3",
      intelligencePriority: "0.8",
      includeContext: "thisServer",
      tools: [],
      cut: false,
    },
  },
  r10: { form: undefined, url: page("bank.example.com", "/confirm/77", "research.example.com"), ways: { ...SETTLED, settled: "answered" } },
  r11: { form: undefined, statusMessage: undefined, ways: { ...SETTLED, decline: "error" }, raw: '{"jsonrpc":"2.0","id":7,"method":"future/ask","params":{"what":"a thing of the future"}}' },
  r12: { ways: { ...SETTLED, putAway: true, settled: "orphaned" }, draft: JSON.stringify({ tab: "form", fields: [["approved", "false"], ["max_error_rate", "0.5"]], json: "{}" }), statusMessage: undefined },
  r13: { ways: { ...SETTLED, takeBack: true, settled: "on_its_way" }, statusMessage: undefined },
  r14: { ways: { ...SETTLED, settled: "answered" } },
};

/** A desk with a day's work on it. */
export function busyWorld(extra = 0): World {
  const more: Line[] = Array.from({ length: extra }, (_, n) => ["s1", "build", `shard-${n}`, "done", 90 * SECOND, 0, null, { outcome: "ok", status: "completed" }]);
  const tasks = [...rows("needs_you", NEEDS, 1), ...rows("working", WORKING, 5), ...rows("ended", [...ENDED, ...more], 12)];
  const count = (group: TaskRow["group"]) => tasks.filter((task) => task.group === group).length;
  const requests = [
    aRequest({ id: "r1", call: "t1", server: "s2", serverName: "deploy-eu", openedAt: before(3 * MINUTE), expiresAt: ago(-11.7 * MINUTE, now) }),
    aRequest({ id: "r2", call: "t2", server: "s3", serverName: "research", tool: "train_eval", summary: '{"model":"tagger-small"}', message: "Which dataset version?", openedAt: before(18 * MINUTE), expiresAt: ago(-128 * MINUTE, now) }),
    aRequest({ id: "r3", call: "t3", tool: "release", summary: "v2.9.0", message: "Sign the release", mode: "url", host: "signing.example.com", openedAt: before(26 * MINUTE), expiresAt: undefined }),
    aRequest({ id: "r4", call: "t4", server: "s5", serverName: "warehouse", tool: "migrate", summary: "orders → orders_v2", message: "Migration found 3 conflicts", hasDraft: true, openedAt: before(62 * MINUTE), expiresAt: ago(-23 * HOUR, now) }),
    aRequest({ id: "r7", call: "t8", tool: "confirm", summary: "db-1", message: "Which snapshot is the last good one?", state: "sending", openedAt: before(40 * SECOND), answer: { action: "accept", content: '{"snapshot":"2026-11-20"}', decidedAt: before(20 * SECOND), sendAt: before(15 * SECOND) }, expiresAt: undefined }),
    aRequest({ id: "r8", call: "t8", tool: "confirm", summary: "db-1", message: "Type the volume’s name to confirm", openedAt: before(40 * SECOND), expiresAt: undefined }),
    aRequest({ id: "r9", call: "t9", server: "s3", serverName: "research", tool: "summarize", summary: "incident-2291", method: "sampling/createMessage", message: "Summarize last night’s outage for the status page, in three sentences.", openedAt: before(4 * MINUTE), expiresAt: undefined }),
    aRequest({ id: "r10", call: "t7", server: "s3", serverName: "research", tool: "pay", summary: "invoice-77", message: "Confirm the payment at your bank", mode: "url", host: "bank.example.com", state: "answered", visitedAt: before(3 * MINUTE), closedAt: before(3 * MINUTE), answer: { action: "accept", decidedAt: before(3 * MINUTE), sendAt: before(3 * MINUTE), sentAt: before(3 * MINUTE), acknowledgedAt: before(3 * MINUTE) }, openedAt: before(5 * MINUTE), expiresAt: undefined }),
    aRequest({ id: "r11", call: "t11", server: "s5", serverName: "warehouse", tool: "audit", summary: "2026-Q3", method: "future/ask", message: "", mode: "other", openedAt: before(9 * MINUTE), expiresAt: undefined }),
    aRequest({ id: "r12", call: "t10", server: "s5", serverName: "warehouse", tool: "reindex", summary: "catalog", message: "Drop the old index when done?", state: "orphaned", stranded: true, hasDraft: true, openedAt: before(3 * HOUR), expiresAt: undefined }),
    aRequest({ id: "r13", call: "t9", server: "s5", serverName: "warehouse", tool: "export", summary: "2026-11", message: "Overwrite the export of yesterday?", state: "sending", openedAt: before(26 * HOUR), answer: { action: "decline", decidedAt: before(25 * HOUR), sendAt: before(25 * HOUR) }, expiresAt: undefined }),
    aRequest({ id: "r14", call: "t13", message: "Delete the staging data?", state: "answered", closedAt: before(30 * MINUTE), answer: { action: "decline", decidedAt: before(31 * MINUTE), sendAt: before(31 * MINUTE), sentAt: before(31 * MINUTE), acknowledgedAt: before(31 * MINUTE), takenAt: before(30 * MINUTE) } }),
    aRequest({ id: "r5", call: "t12", state: "answered", message: "Keep the build cache?", closedAt: before(40 * MINUTE), answer: { action: "accept", content: '{"keep":true}', decidedAt: before(41 * MINUTE), sendAt: before(41 * MINUTE), sentAt: before(41 * MINUTE), acknowledgedAt: before(41 * MINUTE), takenAt: before(40 * MINUTE) } }),
    aRequest({ id: "r6", call: "t16", server: "s3", serverName: "research", state: "closed", reason: "task_ended", message: "Follow redirects?", closedAt: before(50 * MINUTE) }),
  ].sort((a, b) => Number(b.stranded ?? false) - Number(a.stranded ?? false));
  const details = new Map<string, TaskDetail>();
  for (const row of tasks.slice(0, 40)) details.set(row.id, detailOf(row, requests));
  return {
    overview: anOverview({ inbox: requests.filter(isDecidable).length, tabs: { needsYou: 7, expiring: 2, snoozed: 1, answered: 12, noLongerAsked: 0, arrived: 0 }, tasks: { needsYou: count("needs_you"), working: count("working"), ended: count("ended") }, servers }),
    tasks,
    details,
    requests,
    requestDetails: new Map(
      requests.map((row) => [
        row.id,
        question(row, SPECIAL[row.id] ?? {}),
      ]),
    ),
    tools,
    stacked: [["r1", 3]],
    requestLog: {
      since: before(3 * HOUR),
      leftOut: 2,
      exchanges: [
        { method: "tools/call", times: 1, firstAt: before(20 * MINUTE), at: before(20 * MINUTE), tookMs: 84, bytes: 357, brought: { as: "news" } },
        { method: "tasks/get", times: 38, firstAt: before(19 * MINUTE), at: before(3 * MINUTE), tookMs: 12, bytes: 1_121, brought: { as: "same" } },
        { method: "tasks/get", times: 3, firstAt: before(3 * MINUTE), at: before(2 * MINUTE), tookMs: 30_000, brought: { as: "error", code: "timed_out" } },
        { method: "notifications/tasks", times: 1, firstAt: before(MINUTE), at: before(MINUTE), bytes: 1_204, brought: { as: "news" } },
      ],
      states: [{ at: before(MINUTE), json: '{"taskId":"786512e2","status":"working","statusMessage":"pushing the image","pollInterval":2000}' }],
    },
    stack: {
      questions: ["eu-west", "us-east", "ap-south"].map((region, n) => ({
        row: aRequest({ id: n === 0 ? "r1" : `r${100 + n}`, call: `t${100 + n}`, server: "s2", serverName: "deploy-eu", hasDraft: n === 2, expiresAt: ago(-11.7 * MINUTE, now) }),
        asks: region,
        values: [JSON.stringify(region)],
      })),
      more: 0,
      columns: [{ of: "argument", name: "region" }],
      destructive: false,
    },
  };
}

function detailOf(row: TaskRow, requests: RequestRow[]): TaskDetail {
  const detail = aTaskDetail(row, { requests: requests.filter((request) => request.call === row.id) });
  if (row.tool === "train") {
    detail.arguments = '{"model":"tagger-base","dataset":"v14","epochs":3,"seed":12345678901234567890}';
    detail.timeline = [
      { call: row.id, at: before(206 * MINUTE), kind: "called" },
      { call: row.id, at: before(206 * MINUTE), kind: "task_created" },
      { call: row.id, at: before(205 * MINUTE), kind: "status", text: "working" },
      { call: row.id, at: before(183 * MINUTE), kind: "asked", text: "Which dataset version?", request: "r2" },
      { call: row.id, at: before(180 * MINUTE), kind: "answered", text: "accept", request: "r2" },
      { call: row.id, at: before(180 * MINUTE), kind: "taken", request: "r2" },
      { call: row.id, at: before(82 * MINUTE), kind: "trouble", text: "connection refused" },
      { call: row.id, at: before(80 * MINUTE), kind: "recovered" },
      { call: row.id, at: before(31 * SECOND), kind: "status", text: "step 6/9: evaluating checkpoint 41,000" },
    ];
  }
  if (row.outcome === "ok" || row.outcome === "tool_error") {
    detail.result = aResult(
      [
        aText(row.outcome === "ok" ? "Built \u001b[1m120\u001b[0m targets in 6 min 31 s.\nCache hits: \u001b[32m84 %\u001b[0m." : "ui/src/app/App.tsx\n  14:3  \u001b[31merror\u001b[0m  Unused import"),
        { kind: "link", uri: "https://ci.example.com/artifacts/1a77e0c", name: "artifacts" },
      ],
      { isError: row.outcome === "tool_error", structured: '{"targets":120,"seconds":391,"cacheHits":0.84}' },
    );
    detail.payloads = [{ kind: "result", bytes: 412, json: '{"content":[],"structuredContent":{"targets":120}}' }, { kind: "last", bytes: 2_400_000 }];
  }
  if (row.outcome === "protocol_error") detail.error = '{"code":-32603,"message":"rollback failed: 3 of 42 instances do not answer","data":{"instances":["a1","a7","b2"]}}';
  if (row.outcome) detail.timeline.push({ call: row.id, at: row.endedAt ?? before(HOUR), kind: "ended", text: row.statusMessage ?? "" });
  return detail;
}

/** A desk on its first day. */
export function emptyWorld(): World {
  return { ...busyWorld(), overview: anOverview({ servers: [] }), tasks: [], requests: [], details: new Map() };
}
