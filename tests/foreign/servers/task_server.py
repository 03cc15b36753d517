"""A task server on the low-level server of the package `mcp` 1.x and its experimental task API (MCP 2025-11-25).

    task_server.py stdio JOURNAL
    task_server.py http JOURNAL [PORT]      says {"url": …} on stdout once it listens

JOURNAL gets one line for each message that arrived, as it arrived, also for those that the package drops. Nothing ends
by itself: `slow` works until `go_on` is called, questions wait for their answers.
"""

import contextlib
import json
import socket
import sys
import warnings

import anyio
from mcp import types
from mcp.server.lowlevel import Server

MODE, JOURNAL, *PORT = sys.argv[1:]

# It says so of the whole task API.
warnings.simplefilter("ignore", DeprecationWarning)
server = Server("task-server", version="1.0.0")
server.experimental.enable_tasks()
go_on = anyio.Event()

FORM = {
    "type": "object",
    "properties": {
        "percent": {"type": "integer", "title": "Share", "minimum": 1, "maximum": 100},
        "note": {"type": "string", "maxLength": 20},
    },
    "required": ["percent"],
}
ASKED = [types.SamplingMessage(role="user", content=types.TextContent(type="text", text="Which colour?"))]


def took(message):
    """Notes a message down."""
    with open(JOURNAL, "a", encoding="utf-8") as journal:
        journal.write(message + "\n")


def said(text, is_error=False):
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], isError=is_error)


def heard(answer):
    """What an answer was, as the result of a tool."""
    return said(answer.model_dump_json(by_alias=True, exclude_none=True))


async def slow(task):
    await task.update_status("digging")
    await go_on.wait()
    return said("found it")


async def approve(task):
    return heard(await task.elicit(message="Release to everybody?", requestedSchema=FORM))


async def approve_twice(task):
    first = await task.elicit(message="Release to everybody?", requestedSchema=FORM)
    second = await task.elicit(message="Are you sure?", requestedSchema=FORM)
    return said(f"{first.action}, {second.action}")


async def visit(task):
    url = "https://example.com/connect?state=1"
    return heard(await task.elicit_url(message="Connect your account", url=url, elicitation_id="connect-1"))


async def approve_as_task(task):
    return heard(await task.elicit_as_task(message="Release, as a task?", requestedSchema=FORM, ttl=600_000))


async def sample(task):
    return heard(await task.create_message(messages=ASKED, max_tokens=50))


async def sample_as_task(task):
    return heard(await task.create_message_as_task(messages=ASKED, max_tokens=50, ttl=600_000))


async def fail(_task):
    raise RuntimeError("it broke")


async def refuse(_task):
    return said("not today", is_error=True)


TASKS = {
    work.__name__: work
    for work in [slow, approve, approve_twice, visit, approve_as_task, sample, sample_as_task, fail, refuse]
}


async def approve_now():
    """Asks without a task, in the middle of the call."""
    return heard(await server.request_context.session.elicit("Right now?", FORM))


async def at_once():
    return said("here it is")


async def let_go_on():
    go_on.set()
    return said("all go on")


AT_ONCE = {"at_once": at_once, "approve_now": approve_now, "go_on": let_go_on}


@server.list_tools()
async def list_tools():
    def tool(name, support):
        execution = types.ToolExecution(taskSupport=support)
        return types.Tool(name=name, inputSchema={"type": "object"}, execution=execution)

    optional = {"slow": "optional"}
    return [tool(name, optional.get(name, "required")) for name in TASKS] + [
        tool(name, "forbidden") for name in AT_ONCE
    ]


@server.call_tool()
async def call_tool(name, _arguments):
    experimental = server.request_context.experimental
    if name in AT_ONCE:
        experimental.validate_task_mode("forbidden")
        return await AT_ONCE[name]()
    if name == "slow" and not experimental.is_task:
        await go_on.wait()
        return said("found it")
    experimental.validate_task_mode("required")
    return await experimental.run_task(TASKS[name], model_immediate_response=f"{name} has begun")


async def over_stdio():
    from mcp.server.stdio import stdio_server

    with anyio.CancelScope() as until_the_end:

        async def lines():
            async for line in anyio.wrap_file(sys.stdin):
                took(line.rstrip("\n"))
                yield line
            # The package would wait for its tasks, and nobody is left who could tell them to go on.
            until_the_end.cancel()

        # The package reads its input line by line and nothing else.
        async with stdio_server(stdin=lines()) as (read, write):
            await server.run(read, write, server.create_initialization_options())


def over_http(port):
    import uvicorn
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

    manager = StreamableHTTPSessionManager(app=server)

    async def app(scope, receive, send):
        if scope["type"] == "lifespan":
            await receive()
            async with manager.run():
                await send({"type": "lifespan.startup.complete"})
                await receive()
            await send({"type": "lifespan.shutdown.complete"})
            return
        body = bytearray()

        async def noting():
            message = await receive()
            if message["type"] == "http.request":
                body.extend(message.get("body", b""))
                if body and not message.get("more_body", False):
                    took(json.dumps(json.loads(body)))
                    body.clear()
            return message

        await manager.handle_request(scope, noting, send)

    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", port))
    listener.listen()
    print(json.dumps({"url": f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"}), flush=True)
    config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1)
    uvicorn.Server(config).run(sockets=[listener])


with contextlib.suppress(KeyboardInterrupt):
    if MODE == "stdio":
        anyio.run(over_stdio)
    else:
        over_http(int(PORT[0]) if PORT else 0)
