//! Ways in which a server grows without an end.

use serde_json::{Value, json};

const MB: usize = 1024 * 1024;

/// One way. What it answers is made from a number that grows with each answer, so that no two are alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Its tasks ask under new keys at each poll, ten megabytes of questions each time.
    Keys,
    /// Its tasks ask for roots under new keys at each poll, three megabytes each time. These are told without asking anybody.
    Roots,
    /// Its list of tools has no last page.
    Pages,
    /// Its list of tools goes on by cursors of a megabyte.
    Cursors,
    /// Its tasks say another eight megabytes of status at each poll.
    Messages,
    /// Each of its tools comes to a result of sixteen megabytes.
    Results,
    /// Its list of tools is as long as may be, and changes all the time.
    Tools,
    /// It pushes how its tasks fare as fast as it can, a megabyte each time.
    Pushes,
    /// Every session with it is over at once (legacy).
    Sessions,
    /// It asks by requests of its own as fast as it can, 100 KB each (legacy).
    Requests,
}

/// Those that are served here. The eleventh is a program that floods its standard error.
pub(crate) const KINDS: [Kind; 10] = [
    Kind::Keys,
    Kind::Roots,
    Kind::Pages,
    Kind::Cursors,
    Kind::Messages,
    Kind::Results,
    Kind::Tools,
    Kind::Pushes,
    Kind::Sessions,
    Kind::Requests,
];

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Keys => "keys",
            Self::Roots => "roots",
            Self::Pages => "pages",
            Self::Cursors => "cursors",
            Self::Messages => "messages",
            Self::Results => "results",
            Self::Tools => "tools",
            Self::Pushes => "pushes",
            Self::Sessions => "sessions",
            Self::Requests => "requests",
        }
    }

    pub(super) fn is_legacy(self) -> bool {
        matches!(self, Self::Sessions | Self::Requests)
    }

    /// Whether it has an open stream on which it tells things by itself.
    pub(super) fn tells(self) -> bool {
        matches!(self, Self::Tools | Self::Pushes | Self::Requests)
    }

    /// The answer to a request; none where it is an error.
    pub(super) fn answer(self, method: &str, params: &Value, n: usize) -> Option<Value> {
        match method {
            "server/discover" if !self.is_legacy() => Some(json!({
                "resultType": "complete",
                "supportedVersions": ["2026-07-28"],
                "capabilities": {
                    "tools": { "listChanged": true },
                    "extensions": { "io.modelcontextprotocol/tasks": {} },
                },
            })),
            "initialize" if self.is_legacy() => Some(json!({
                "protocolVersion": "2025-11-25",
                "serverInfo": { "name": "growing", "version": "1" },
                "capabilities": {
                    "tools": {},
                    "tasks": { "list": {}, "cancel": {}, "requests": { "tools": { "call": {} } } },
                },
            })),
            "tools/list" => Some(self.tools(n)),
            "tools/call" if self.is_legacy() => Some(json!({ "task": self.task("working", n) })),
            "tools/call" if self == Self::Results => Some(text(n, 16 * MB)),
            "tools/call" => Some(self.task("working", n)),
            "tasks/get" => Some(self.polled(params["taskId"].as_str().unwrap_or_default(), n)),
            "tasks/update" | "tasks/cancel" | "ping" => Some(json!({})),
            _ => None,
        }
    }

    fn task(self, status: &str, n: usize) -> Value {
        let times = json!({
            "createdAt": "2026-07-28T10:00:00Z", "lastUpdatedAt": "2026-07-28T10:00:00Z",
            "taskId": format!("task-{n}"), "status": status,
        });
        let mut task = times;
        if self.is_legacy() {
            task["ttl"] = Value::Null;
            task["pollInterval"] = 500.into();
        } else {
            task["resultType"] = "task".into();
            task["ttlMs"] = Value::Null;
            task["pollIntervalMs"] = 500.into();
        }
        task
    }

    fn polled(self, id: &str, n: usize) -> Value {
        let mut task = self.task("working", n);
        task["taskId"] = id.into();
        if !self.is_legacy() {
            task["resultType"] = "complete".into();
        }
        match self {
            Self::Messages => task["statusMessage"] = filling(n, 8 * MB).into(),
            Self::Keys => {
                task["status"] = "input_required".into();
                let asked = (0..10).map(|k| (format!("key-{n}-{k}"), question(n, MB)));
                task["inputRequests"] = asked.collect::<serde_json::Map<_, _>>().into();
            }
            Self::Roots => {
                task["status"] = "input_required".into();
                let beside = json!({ "_meta": { "x": filling(n, 3 * MB) } });
                task["inputRequests"] =
                    json!({ format!("key-{n}"): { "method": "roots/list", "params": beside } });
            }
            _ => task["statusMessage"] = format!("step {n}").into(),
        }
        task
    }

    fn tools(self, n: usize) -> Value {
        let tool = |name: String, about: String| {
            let mut tool = json!({ "name": name, "description": about, "inputSchema": { "type": "object" } });
            if self.is_legacy() {
                tool["execution"] = json!({ "taskSupport": "optional" });
            }
            tool
        };
        let (many, each) = match self {
            Self::Pages => (64, 8 * 1024),
            Self::Tools => (380, 8 * 1024),
            _ => (1, 16),
        };
        let grow = std::iter::once(tool("grow".to_owned(), String::new()));
        let tools = grow.chain((1..many).map(|k| tool(format!("tool-{n}-{k}"), filling(n, each))));
        let mut list = json!({ "tools": tools.collect::<Vec<_>>() });
        match self {
            Self::Pages => list["nextCursor"] = format!("page {n}").into(),
            Self::Cursors => list["nextCursor"] = filling(n, MB).into(),
            _ => {}
        }
        list
    }

    /// What it tells by itself, on the stream with this id.
    pub(super) fn tells_now(self, stream: &Value, tasks: &[Value], n: usize) -> Value {
        let meta = json!({ "io.modelcontextprotocol/subscriptionId": stream });
        match self {
            Self::Requests => {
                let mut asked = question(n, 100 * 1024);
                asked["jsonrpc"] = "2.0".into();
                asked["id"] = n.into();
                asked
            }
            Self::Pushes if !tasks.is_empty() => {
                let id = tasks[n % tasks.len()].as_str().unwrap_or_default();
                let mut task = self.polled(id, n);
                task["statusMessage"] = filling(n, MB).into();
                task["_meta"] = meta;
                json!({ "jsonrpc": "2.0", "method": "notifications/tasks", "params": task })
            }
            _ => {
                json!({ "jsonrpc": "2.0", "method": "notifications/tools/list_changed", "params": { "_meta": meta } })
            }
        }
    }
}

fn question(n: usize, bytes: usize) -> Value {
    let schema = json!({ "type": "object", "properties": { "ok": { "type": "boolean" } } });
    let params = json!({ "mode": "form", "message": filling(n, bytes), "requestedSchema": schema });
    json!({ "method": "elicitation/create", "params": params })
}

fn text(n: usize, bytes: usize) -> Value {
    json!({ "resultType": "complete", "content": [{ "type": "text", "text": filling(n, bytes) }] })
}

/// Stands for so many bytes of text, until [`filled`].
fn filling(n: usize, bytes: usize) -> String {
    format!("{n} <{bytes}>")
}

/// Puts the text in where it is to stand. So a large message costs its server a copy, and no printing.
pub(super) fn filled(message: &str) -> String {
    let mut text = String::with_capacity(message.len());
    let mut parts = message.split('<');
    text.extend(parts.next());
    for part in parts {
        match part.split_once('>').and_then(|(bytes, rest)| Some((bytes.parse::<usize>().ok()?, rest))) {
            Some((bytes, rest)) => text.extend([&*"all work and no play ".repeat(bytes / 21), rest]),
            None => text.extend(["<", part]),
        }
    }
    text
}
