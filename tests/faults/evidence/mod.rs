//! What a round left behind, as plain data: what the servers wrote down, what the proxies saw, what the store held each
//! time its owner was gone, and what people were told. Nothing here or in `check` shares code with the engine, the
//! store or the demo server: files are read as what they are, SQLite and JSON lines.

mod forgotten;
pub(crate) mod journal;
pub(crate) mod store;

use serde_json::Value;

use crate::plan::Wire;

pub(crate) use journal::answered;

/// What stands for the method of a reply, which has none (legacy).
pub(crate) const REPLY: &str = "a reply";

/// Everything about one round.
#[derive(Debug, Clone, Default)]
pub(crate) struct Evidence {
    pub(crate) servers: Vec<Server>,
    /// Every request that the owners sent, in the order it was seen on the way (over HTTP) or by the server (stdio).
    pub(crate) sent: Vec<Sent>,
    /// What the servers behind proxies pushed, and an owner had.
    pub(crate) told: Vec<Told>,
    /// The owners, one after the other.
    pub(crate) lives: Vec<Life>,
    /// What the store held at the end of each life.
    pub(crate) kept: Vec<Kept>,
    pub(crate) wishes: Vec<Wish>,
    /// Calls that a host was shown with a task, and in which life.
    pub(crate) shown: Vec<(usize, u32)>,
    /// Questions that somebody read, and the calls they are of.
    pub(crate) asked: Vec<(u32, u32)>,
    /// What was put into the arguments of tasks that somebody else made.
    pub(crate) elsewhere: Vec<String>,
    /// What the product itself has to say against its log of decisions.
    pub(crate) log: Vec<String>,
    /// The wall clock jumped ahead by more than an hour, as it does over a sleep.
    pub(crate) slept: bool,
}

/// A server's own record.
#[derive(Debug, Clone, Default)]
pub(crate) struct Server {
    pub(crate) name: String,
    pub(crate) wire: Wire,
    /// Whether a proxy stands before it. If none does, nobody knows what became of its answers.
    pub(crate) proxied: bool,
    pub(crate) journal: Vec<Entry>,
    /// The tasks it made, one list for each of its memories: it forgot all but the last.
    pub(crate) made: Vec<Vec<Made>>,
    /// The calls without a task that it remembers: its id of each, and which of the workload it is.
    pub(crate) plain: Vec<(String, String)>,
}

/// A line of a server's journal.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Entry {
    Request {
        method: String,
        params: Value,
    },
    /// `task` is a call's own id where there is no task.
    Taken {
        task: String,
        key: String,
        response: Value,
    },
    /// A call was answered with questions; `state` comes back with the answers.
    Round {
        call: String,
        state: String,
    },
    /// A call came again with answers and this state.
    Retried {
        state: String,
    },
    /// It asked by a request of its own (legacy).
    Asked {
        session: String,
        id: Value,
        /// Its own name for that, which the request carries: unlike any other.
        ask: String,
        task: String,
        key: String,
    },
    /// Such a request was answered; null by an error.
    Reply {
        session: String,
        id: Value,
        response: Value,
    },
}

/// A task that a server made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Made {
    pub(crate) task: String,
    pub(crate) nonce: String,
    pub(crate) tool: String,
}

/// A request on its way.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sent {
    /// Index into [`Evidence::servers`].
    pub(crate) server: usize,
    /// The life in which its connection was made, or in which a program noted it. It may be read later.
    pub(crate) life: usize,
    /// When (ms of the round).
    pub(crate) at: u64,
    /// The session that it belongs to (legacy).
    pub(crate) session: Option<String>,
    /// Its JSON-RPC id; of a reply the one that it answers.
    pub(crate) id: Value,
    pub(crate) method: String,
    /// Of a reply its result; null for an error.
    pub(crate) params: Value,
    /// How often the server was handed it.
    pub(crate) arrived: usize,
    /// It was told a definite no: on the way, where it went no further, or because its session is over.
    pub(crate) refused: bool,
    /// What the server answered the first time.
    pub(crate) answer: Option<String>,
    /// When the owner had all of that answer (ms of the round); none if it never had.
    pub(crate) passed: Option<u64>,
}

/// A message that a server sent unasked, and the owner had all of.
#[derive(Debug, Clone)]
pub(crate) struct Told {
    pub(crate) life: usize,
    /// When (ms of the round).
    pub(crate) at: u64,
    pub(crate) message: String,
}

/// One owner, from its start to its end (ms of the round).
#[derive(Debug, Clone, Default)]
pub(crate) struct Life {
    pub(crate) ended: u64,
    /// Since when its disk was full at some time.
    pub(crate) full: Option<u64>,
    /// It ended although nobody ended it.
    pub(crate) by_itself: bool,
}

/// What the store held.
#[derive(Debug, Clone, Default)]
pub(crate) struct Kept {
    pub(crate) calls: Vec<Call>,
    pub(crate) requests: Vec<Request>,
    /// The log of decisions, which only grows, and outlives what it is about.
    pub(crate) log: Vec<Decided>,
}

/// An entry of the log of decisions.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Decided {
    pub(crate) kind: String,
    pub(crate) call: Option<u32>,
    pub(crate) request: Option<u32>,
    /// The exact JSON of it: of an answer the response, without the note of its task.
    pub(crate) json: Option<Value>,
    /// What it says besides.
    pub(crate) text: Option<String>,
}

/// A row of `calls` with its payloads.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Call {
    pub(crate) id: u32,
    pub(crate) server: String,
    pub(crate) tool: String,
    /// What our workload put into its arguments.
    pub(crate) nonce: String,
    pub(crate) status: String,
    pub(crate) outcome: Option<String>,
    pub(crate) note: Option<String>,
    pub(crate) task: Option<String>,
    pub(crate) cancel_wished: bool,
    /// Whether the server's answer to `tools/call` is kept.
    pub(crate) answered: bool,
    pub(crate) result: Option<String>,
    pub(crate) error: Option<String>,
}

/// A row of `requests`.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Request {
    pub(crate) id: u32,
    /// None: nobody knows of which call it is (legacy).
    pub(crate) call: Option<u32>,
    pub(crate) key: String,
    /// The server's own name for it as it was asked last (legacy).
    pub(crate) ask: Option<String>,
    /// `task`, `round` or `wire`.
    pub(crate) identity: String,
    pub(crate) state: String,
    pub(crate) reason: Option<String>,
    /// The answer as it goes over the wire.
    pub(crate) response: Option<Value>,
    /// What a person had filled in.
    pub(crate) draft: Option<Value>,
    /// Whether it is said that the server took it.
    pub(crate) taken: bool,
}

/// What a person wanted, and what came of it.
#[derive(Debug, Clone)]
pub(crate) struct Wish {
    pub(crate) what: What,
    pub(crate) said: Said,
    /// The life in which that was said.
    pub(crate) life: usize,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum What {
    Start { server: usize, nonce: String },
    Answer { request: u32, response: Value, held: bool },
    Undo { request: u32 },
    Cancel { call: u32 },
    Track { task: String },
    Forget { call: u32 },
}

/// What a person was told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Said {
    /// Done; of a start its call.
    Done(Option<u32>),
    /// Kept, and delivered when that can be done.
    Queued,
    /// Not kept, for want of room.
    NoRoom,
    /// Not done, for this reason.
    Refused(String),
    /// Somebody else answered, and nothing of this was sent: so it was said.
    Meanwhile(String),
    /// The owner went away in the middle.
    Unsure,
}

impl Said {
    /// Whether the person may rely on it from now on.
    pub(crate) fn promised(&self) -> bool {
        matches!(self, Self::Done(_) | Self::Queued)
    }
}

impl Evidence {
    /// The store as it was in the end.
    pub(crate) fn last(&self) -> &Kept {
        const NOTHING: &Kept = &Kept { calls: Vec::new(), requests: Vec::new(), log: Vec::new() };
        self.kept.last().unwrap_or(NOTHING)
    }

    /// Everything that was ever kept, each as it was kept last: also what was forgotten since.
    pub(crate) fn ever(&self) -> Kept {
        let mut ever = self.last().clone();
        for kept in self.kept.iter().rev() {
            let calls = kept.calls.iter().filter(|call| ever.call(call.id).is_none());
            let calls: Vec<Call> = calls.cloned().collect();
            let requests = kept.requests.iter().filter(|request| ever.request(request.id).is_none());
            let requests: Vec<Request> = requests.cloned().collect();
            ever.calls.extend(calls);
            ever.requests.extend(requests);
        }
        ever
    }

    /// Every task, with its server.
    pub(crate) fn made(&self) -> impl Iterator<Item = (&Server, &Made)> {
        self.servers.iter().flat_map(|server| server.made.iter().flatten().map(move |made| (server, made)))
    }

    /// Every answer that a server took: server, task, key, response.
    pub(crate) fn taken(&self) -> impl Iterator<Item = (&Server, &str, &str, &Value)> {
        self.servers.iter().flat_map(|server| {
            server.journal.iter().filter_map(move |entry| match entry {
                Entry::Taken { task, key, response } => Some((server, task.as_str(), key.as_str(), response)),
                _ => None,
            })
        })
    }
}

impl Decided {
    /// Whether it says that something of a call other than an answer went to its server: a wish to cancel.
    pub(crate) fn sends_for_call(&self, call: u32) -> bool {
        self.kind == "sent" && self.call == Some(call) && self.request.is_none()
    }
}

impl Kept {
    pub(crate) fn call(&self, id: u32) -> Option<&Call> {
        self.calls.iter().find(|call| call.id == id)
    }

    pub(crate) fn of_nonce(&self, nonce: &str) -> Option<&Call> {
        self.calls.iter().find(|call| call.nonce == nonce)
    }

    pub(crate) fn of_task(&self, task: &str) -> Option<&Call> {
        self.calls.iter().find(|call| call.task.as_deref() == Some(task))
    }

    pub(crate) fn request(&self, id: u32) -> Option<&Request> {
        self.requests.iter().find(|request| request.id == id)
    }

    /// What the log says about a question, in its order.
    pub(crate) fn log_of(&self, request: u32) -> impl Iterator<Item = &Decided> + Clone {
        self.log.iter().filter(move |entry| entry.request == Some(request))
    }

    /// Whether the log has such an entry about a call.
    pub(crate) fn has_of_call(&self, kind: &str, call: u32) -> bool {
        self.log.iter().any(|entry| entry.kind == kind && entry.call == Some(call))
    }

    /// Whether the log has such an entry about a question, with this JSON.
    pub(crate) fn has(&self, kind: &str, request: u32, json: &Value) -> bool {
        self.log_of(request).any(|entry| entry.kind == kind && entry.json.as_ref() == Some(json))
    }
}

impl Sent {
    /// The task it is about.
    pub(crate) fn task(&self) -> Option<&str> {
        self.params["taskId"].as_str()
    }

    /// All tasks that it names: a subscription names several.
    pub(crate) fn tasks(&self) -> impl Iterator<Item = &str> {
        let subscribed = self.params["notifications"]["taskIds"].as_array();
        subscribed.into_iter().flatten().filter_map(Value::as_str).chain(self.task())
    }

    /// Which call of the workload it makes, or goes on with.
    pub(crate) fn nonce(&self) -> Option<&str> {
        let calls = self.method == "tools/call";
        calls.then(|| self.params["arguments"]["nonce"].as_str()).flatten()
    }

    /// Whether it goes on with a call after a round of questions.
    pub(crate) fn goes_on(&self) -> bool {
        self.params["inputResponses"].is_object() || self.params["requestState"].is_string()
    }

    /// The response it carries for a question.
    pub(crate) fn response(&self, key: &str) -> Option<&Value> {
        let carries = self.method == "tasks/update" || self.method == "tools/call";
        carries.then(|| self.params["inputResponses"].get(key)).flatten()
    }
}
