//! The vocabulary of Signalbox: ids, calls, tasks, input requests, servers.
//!
//! Words are the specification's where it has one, and the design's otherwise. No I/O, no clock, no async:
//! anything in here can be made, compared and printed anywhere.

mod activation;
mod alike;
mod answer;
mod attention;
mod call;
mod code;
mod decision;
mod event;
mod exchange;
mod flaw;
mod health;
mod host;
mod id;
mod json;
mod line;
mod look_alikes;
mod note;
mod obstacle;
mod request;
mod sampling;
pub mod sanitise;
mod server;
mod tag;
mod text;
mod time;
mod ways;
mod word;

pub use activation::{ActivationToken, NoToken};
pub use alike::Alike;
pub use answer::{Action, Answer, LONGEST_REMARK, Masked};
pub use attention::{Attention, LAST_CALL_MS, Snooze, Snoozed, last_call};
pub use call::{
    Call, Cancel, Delivery, Origin, Outcome, PayloadKind, ProgressReport, Status, Task, Tracking,
};
pub use code::NoteCode;
pub use decision::{Actor, Decision, DecisionKind};
pub use event::{Event, EventKind};
pub use exchange::{Brought, Exchange, RequestLog, TaskMethod, ToldState};
pub use flaw::{Breach, Part, Stray, Unit};
pub use health::{Health, Missed};
pub use host::{bare_host, is_loopback};
pub use id::{BadId, CallId, ItemRef, RequestId, ServerId};
pub use json::Json;
pub use line::{CallBrief, RequestBrief, RequestLine, RequestText};
pub use look_alikes::{acts, look_alikes};
pub use note::{Gave, Note, Reason, Then, Unconfirmed, Unsent, Variable};
pub use obstacle::{CertificateFlaw, Hindrance, Obstacle};
pub use request::{CloseReason, Earlier, Hosted, Identity, InputRequest, Mode, NO_SCHEMA, RequestState};
pub use sampling::{SamplingMessage, SamplingPart, SamplingView};
pub use server::{
    Access, Peer, Push, Secret, Server, SignIn, Transport, Wire, changes_what_runs, command_line,
    sounds_secret, variables_of_others,
};
pub use tag::{BadTag, Tag, Tags};
pub use text::{LONGEST_TEXT, beginning, cut};
pub use time::{BadTime, Timestamp};
pub use ways::{Accept, Around, ELICITATION, No, ROOTS, SAMPLING, Settled, Ways};
pub use word::Word;

/// What stands where a secret stood.
pub const REDACTED: &str = "[redacted]";
