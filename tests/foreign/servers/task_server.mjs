// A task server on `@modelcontextprotocol/server` 2.x (MCP 2026-07-28), with the tasks extension by hand: the package has
// none. Its working directory is the folder whose `node_modules` has the package.
//
//     task_server.mjs stdio JOURNAL STATE
//     task_server.mjs http JOURNAL STATE [PORT]      says {"url": …} on stdout once it listens
//
// JOURNAL gets one line for each message that arrived, as it arrived. STATE is a file that keeps the tasks, so that they
// outlive the server. Nothing ends by itself: `slow` works until `go_on` is called, questions wait for their answers.

import { randomUUID } from "node:crypto";
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { PassThrough } from "node:stream";

const require = createRequire(`${process.cwd()}/`);
const { createMcpHandler, createRequestStateCodec, inputRequired, ProtocolError, ProtocolErrorCode, Server } =
    require("@modelcontextprotocol/server");

const [mode, journal, state, port] = process.argv.slice(2);
const took = (bytes) => appendFileSync(journal, bytes);

const TASKS = "io.modelcontextprotocol/tasks";
const form = {
    type: "object",
    properties: {
        percent: { type: "integer", title: "Share", minimum: 1, maximum: 100 },
        note: { type: "string", maxLength: 20 },
    },
    required: ["percent"],
};
const release = { method: "elicitation/create", params: { mode: "form", message: "Release to everybody?", requestedSchema: form } };
const sure = { method: "elicitation/create", params: { mode: "form", message: "Are you sure?", requestedSchema: form } };
const connect = {
    method: "elicitation/create",
    params: { mode: "url", message: "Connect your account", url: "https://example.com/connect?state=1" },
};
const colour = {
    method: "sampling/createMessage",
    params: { messages: [{ role: "user", content: { type: "text", text: "Which colour?" } }], maxTokens: 50 },
};

const said = (text, isError = false) => ({ content: [{ type: "text", text }], isError });
const heard = (answers) => said(JSON.stringify(answers));

/** The tasks by id: what `tasks/get` tells, and the answers so far. */
const tasks = new Map(existsSync(state) ? JSON.parse(readFileSync(state, "utf8")) : []);
const keep = () => writeFileSync(state, JSON.stringify([...tasks]));

function begin(members) {
    const now = new Date().toISOString();
    const task = { taskId: randomUUID(), status: "working", createdAt: now, lastUpdatedAt: now, ttlMs: 600_000, pollIntervalMs: 50, ...members };
    tasks.set(task.taskId, { task, answers: {} });
    keep();
    return task;
}

function change(task, members) {
    Object.assign(task, { lastUpdatedAt: new Date().toISOString() }, members);
    keep();
}

const asks = (inputRequests) => () => ({ status: "input_required", inputRequests });

/** How the tasks of each tool begin. */
const BEGINNINGS = {
    slow: () => ({ statusMessage: "digging" }),
    approve: asks({ release }),
    approve_both: asks({ release, sure }),
    visit: asks({ connect }),
    sample: asks({ colour }),
    fail: () => ({ status: "failed", error: { code: -32603, message: "it broke" } }),
    refuse: () => ({ status: "completed", result: said("not today", true) }),
};

const states = createRequestStateCodec({ key: "only a test: thirty-two bytes of it", ttlSeconds: 600 });

/** A plain call that asks twice, one round after the other; what it knows travels in the request state. */
async function confirm(ctx) {
    const known = ctx.mcpReq.requestState();
    const answers = ctx.mcpReq.inputResponses ?? {};
    if (known === undefined) {
        return inputRequired({ inputRequests: { release }, requestState: await states.mint({ round: 1 }) });
    }
    if (known.round === 1) {
        const requestState = await states.mint({ round: 2, first: answers.release.action });
        return inputRequired({ inputRequests: { sure }, requestState });
    }
    return heard({ known, answers });
}

function taskOf({ taskId }) {
    const known = tasks.get(taskId);
    if (known === undefined) {
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Task not found: ${taskId}`);
    }
    return known;
}

/** Takes any parameters as they are. */
const anything = { "~standard": { version: 1, vendor: "test", validate: (value) => ({ value }) } };

function factory() {
    const server = new Server(
        { name: "task-server", version: "1.0.0" },
        { capabilities: { tools: {}, extensions: { [TASKS]: {} } }, requestState: { verify: states.verify } },
    );
    const handle = (method, handler) => server.setRequestHandler(method, { params: anything }, handler);
    server.setRequestHandler("tools/list", () => ({
        tools: [...Object.keys(BEGINNINGS), "at_once", "confirm", "go_on"].map((name) => ({ name, inputSchema: { type: "object" } })),
    }));
    server.setRequestHandler("tools/call", async ({ params: { name } }, ctx) => {
        if (name === "at_once") return said("here it is");
        if (name === "confirm") return await confirm(ctx);
        if (name === "go_on") {
            for (const { task } of tasks.values()) {
                if (task.status === "working") change(task, { status: "completed", result: said("found it") });
            }
            return said("all go on");
        }
        const { taskId, status, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs, statusMessage } = begin(BEGINNINGS[name]());
        return { resultType: "task", taskId, status, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs, statusMessage };
    });
    handle("tasks/get", (params) => taskOf(params).task);
    handle("tasks/update", (params, ctx) => {
        const { task, answers } = taskOf(params);
        for (const [key, answer] of Object.entries(params.inputResponses ?? ctx.mcpReq.inputResponses ?? {})) {
            if (task.inputRequests?.[key] === undefined) continue;
            answers[key] = answer;
            delete task.inputRequests[key];
        }
        const open = Object.keys(task.inputRequests ?? {}).length > 0;
        change(task, open ? {} : { status: "completed", result: heard(answers) });
        return {};
    });
    handle("tasks/cancel", (params) => {
        const { task } = taskOf(params);
        if (["working", "input_required"].includes(task.status)) {
            delete task.inputRequests;
            change(task, { status: "cancelled" });
        }
        return {};
    });
    return server;
}

if (mode === "stdio") {
    const { serveStdio, StdioServerTransport } = require("@modelcontextprotocol/server/stdio");
    const input = new PassThrough();
    process.stdin.on("data", took);
    process.stdin.pipe(input);
    serveStdio(factory, { transport: new StdioServerTransport(input, process.stdout), onerror: (error) => console.error(error) });
} else {
    const { toNodeHandler } = require("@modelcontextprotocol/node");
    const handler = createMcpHandler(factory, { onerror: (error) => console.error(error) });
    const noting = {
        async fetch(request, options) {
            const body = await request.clone().text();
            if (body !== "") took(`${JSON.stringify(JSON.parse(body))}\n`);
            return await handler.fetch(request, options);
        },
    };
    const http = createServer(toNodeHandler(noting));
    http.listen(Number(port ?? 0), "127.0.0.1", () => {
        console.log(JSON.stringify({ url: `http://127.0.0.1:${http.address().port}/mcp` }));
    });
}
