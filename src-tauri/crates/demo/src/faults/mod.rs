//! What goes wrong on demand: a table of rules, each for the next N messages of a method.

mod gate;
mod oddities;
mod spoil;

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use jiff::Timestamp;
use serde_json::Value;

pub use gate::Gate;
pub use oddities::{Carrier, Leaves, Oddity, ParseOddityError};
pub(crate) use spoil::{Hits, Outgoing};

/// One thing that can go wrong. Several rules may hit one message.
///
/// A rule's method is that of the request whose answer suffers, or of a request or notification that this server itself
/// sends. `GET` and `DELETE` stand for those HTTP requests.
#[derive(Debug, Clone)]
pub enum Fault {
    /// HTTP: answered with this status and no JSON-RPC body, before anything is done. Not on stdio.
    Refuse {
        /// The HTTP status.
        status: u16,
        /// The `Retry-After` header: seconds or a date.
        retry_after: Option<String>,
    },
    /// The request waits here before anything is done.
    Hold(Gate),
    /// Everything is done, and the answer waits here.
    HoldReply(Gate),
    /// The answer to a question is acknowledged and dropped: `tasks/update`, or a retry of `tools/call` (modern).
    LoseUpdate,
    /// `subscriptions/listen` is acknowledged without the ids asked for, and stays open (modern).
    RefuseIds,
    /// `tools/call` is answered by a round that asks nothing: the client is to come back at once (modern).
    ComeBack,
    /// Everything is done; the answer breaks off in the middle. HTTP: the connection is cut. Stdio: the server ends.
    Cut,
    /// HTTP: the connection of an event stream ends in good order before message number N of it (from 0). A legacy
    /// stream goes on behind it and can be resumed; a modern request is cancelled by it.
    HangUp(usize),
    /// Everything is done; the answer never comes. HTTP: its body ends without it.
    Silent,
    /// Everything is done; the answer is replaced by bytes that are no JSON.
    Garbage,
    /// Everything is done; the answer is replaced by an HTML page, with HTTP status 200.
    HtmlPage,
    /// Everything is done; the answer is replaced by an error without an id.
    NoId,
    /// Instead of anything being done: this JSON-RPC error.
    Error(Value),
    /// The task that `tools/call` makes has this id, made from the one it would have.
    TaskId(fn(&str) -> String),
    /// Everything is done; the message is replaced by this text, in which `$ID` is the request's id.
    Say(String),
    /// HTTP: the answer, if it is no event, has this `Content-Type`.
    Kind(&'static str),
    /// HTTP: a refusal, or an answer that is no event, has this header, too.
    Header(&'static str, &'static str),
    /// `tasks/get` says something else every time: the status message is the moment of the answer (µs since the epoch).
    Chatty,
    /// The result's content gets a text block of this many bytes more.
    Huge(usize),
    /// The message, unless it is an error, is changed before it goes out.
    Edit(fn(&mut Value)),
    /// Its bytes are changed before they go out.
    Bytes(fn(Vec<u8>) -> Vec<u8>),
    /// This message goes out before it; on HTTP that takes an event stream.
    Extra(Value),
    /// It goes out twice; on HTTP that takes an event stream.
    Twice,
    /// HTTP: the answer comes with this status.
    Status(u16),
    /// HTTP: the answer comes as an event, and events are written like this.
    Events(Style),
    /// Stdio: this line is written before the answer. Not on HTTP.
    Junk(String),
}

/// How an event stream is written. All of these mean the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// `event: message`, `data: …`, lines ended by LF.
    Plain,
    /// Lines ended by CR LF.
    CrLf,
    /// Lines ended by CR alone.
    Cr,
    /// No `event` field, no blank after the colon, a byte order mark at the beginning.
    Bare,
    /// Comments and unknown fields everywhere.
    Comments,
    /// The JSON broken into several `data` lines.
    ManyLines,
}

/// What is to go wrong, set while the server runs.
#[derive(Debug, Default)]
pub struct Faults {
    rules: Mutex<Vec<Rule>>,
    legacy_only: AtomicBool,
}

#[derive(Debug)]
struct Rule {
    method: String,
    left: usize,
    fault: Fault,
}

impl Faults {
    /// With each of these once.
    pub(crate) fn of(odd: &[Oddity]) -> Self {
        let faults = Self::default();
        odd.iter().for_each(|oddity| faults.odd(1, oddity));
        faults
    }

    /// `fault` for the next `times` messages of `method`; `"*"` is every method.
    pub fn next(&self, times: usize, method: &str, fault: Fault) {
        self.rules().push(Rule { method: method.into(), left: times, fault });
    }

    /// One of [`Oddity::all`] for the next `times` messages that it is about.
    pub fn odd(&self, times: usize, oddity: &Oddity) {
        for fault in oddity.faults(Timestamp::now()) {
            self.next(times, oddity.method, fault);
        }
    }

    /// Hold every request of `method` before anything is done, until the gate is opened.
    pub fn hold(&self, method: &str) -> Gate {
        let gate = Gate::default();
        self.next(usize::MAX, method, Fault::Hold(gate.clone()));
        gate
    }

    /// Do what requests of `method` ask, and hold the answers until the gate is opened.
    pub fn hold_reply(&self, method: &str) -> Gate {
        let gate = Gate::default();
        self.next(usize::MAX, method, Fault::HoldReply(gate.clone()));
        gate
    }

    /// Be a server that speaks only the legacy wire, whatever was set up.
    pub fn set_legacy_only(&self, legacy: bool) {
        self.legacy_only.store(legacy, Ordering::SeqCst);
    }

    /// Nothing more goes wrong, and everything held goes on.
    pub fn clear(&self) {
        self.set_legacy_only(false);
        for rule in self.rules().drain(..) {
            if let Fault::Hold(gate) | Fault::HoldReply(gate) = rule.fault {
                gate.open();
            }
        }
    }

    pub(crate) fn legacy_only(&self) -> bool {
        self.legacy_only.load(Ordering::SeqCst)
    }

    /// The faults of this message; each rule that hits is used up by one.
    pub(crate) fn take(&self, method: &str) -> Hits {
        let mut hits = Vec::new();
        self.rules().retain_mut(|rule| {
            if matches!(&rule.fault, Fault::Hold(gate) | Fault::HoldReply(gate) if gate.is_open()) {
                return false;
            }
            if rule.left > 0 && (rule.method == "*" || rule.method == method) {
                rule.left -= 1;
                hits.push(rule.fault.clone());
            }
            rule.left > 0
        });
        Hits(hits)
    }

    fn rules(&self) -> std::sync::MutexGuard<'_, Vec<Rule>> {
        self.rules.lock().expect("BUG: nothing panics while it holds the rules")
    }
}
