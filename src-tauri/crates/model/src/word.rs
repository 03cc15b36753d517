//! Enums as words, the same on every boundary. They are part of the file format: never change one, only add (a new variant
//! does not compile without its word).

use crate::{
    Action, Actor, Attention, CloseReason, DecisionKind, Delivery, EventKind, Mode, Origin, Outcome,
    PayloadKind, RequestState, Status, Tracking, Wire,
};

/// An enum that is written as a word.
pub trait Word: Copy + 'static {
    /// All words, in the order of the variants.
    const WORDS: &'static [&'static str];

    /// The word of this variant.
    fn word(self) -> &'static str;

    /// What this word means; none where it is no word of this kind.
    fn from_word(word: &str) -> Option<Self>;
}

macro_rules! words {
    ($($name:ident { $($variant:ident = $word:literal),* $(,)? })*) => {$(
        impl Word for $name {
            const WORDS: &'static [&'static str] = &[$($word),*];

            fn word(self) -> &'static str {
                match self { $(Self::$variant => $word),* }
            }

            fn from_word(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)* _ => None }
            }
        }
    )*};
}

words! {
    Wire { Modern = "modern", Legacy = "legacy" }
    Origin { Started = "started", Adopted = "adopted" }
    Delivery { Queued = "queued", Sent = "sent", Answered = "answered" }
    Status {
        Working = "working", InputRequired = "input_required", Completed = "completed", Failed = "failed",
        Cancelled = "cancelled", Unknown = "unknown",
    }
    Outcome {
        Ok = "ok", ToolError = "tool_error", ProtocolError = "protocol_error", Cancelled = "cancelled",
        Expired = "expired", Lost = "lost", Unknown = "unknown",
    }
    Tracking {
        Live = "live", Stalled = "stalled", Unreachable = "unreachable", SignInNeeded = "sign_in_needed",
        Expired = "expired", NotFound = "not_found", Done = "done",
    }
    PayloadKind { Arguments = "arguments", Create = "create", Last = "last", Result = "result", Error = "error" }
    EventKind {
        Called = "called", Adopted = "adopted", TaskCreated = "task_created", Status = "status", Asked = "asked",
        Answered = "answered", Undone = "undone", Lapsed = "lapsed", Acknowledged = "acknowledged", Taken = "taken",
        NotTaken = "not_taken", Refused = "refused", Closed = "closed", CancelRequested = "cancel_requested",
        CancelAcknowledged = "cancel_acknowledged", Trouble = "trouble", LeftOut = "left_out",
        NoResult = "no_result", TtlPassed = "ttl_passed", AnswerTimePassed = "answer_time_passed",
        RequestRefused = "request_refused", TimelineFull = "timeline_full", Recovered = "recovered", Ended = "ended",
        Orphaned = "orphaned", Unknown = "unknown",
    }
    Mode { Form = "form", Url = "url", Other = "other" }
    RequestState {
        Open = "open", Held = "held", Sending = "sending", Answered = "answered", NotTaken = "not_taken",
        Refused = "refused", Closed = "closed", Orphaned = "orphaned", Unknown = "unknown",
    }
    Attention { NeedsYou = "needs_you", Expiring = "expiring", Snoozed = "snoozed", None = "none" }
    CloseReason {
        TaskEnded = "task_ended", AnsweredElsewhere = "answered_elsewhere", Superseded = "superseded",
        DeclinedByUs = "declined_by_us", PutAway = "put_away", Lapsed = "lapsed",
    }
    Actor { Person = "person", Server = "server", Signalbox = "signalbox" }
    DecisionKind {
        Called = "called", Adopted = "adopted", Answered = "answered", Undone = "undone", Lapsed = "lapsed", Sent = "sent",
        NotSent = "not_sent",
        Acknowledged = "acknowledged", Taken = "taken", NotTaken = "not_taken", Refused = "refused",
        Closed = "closed", CancelRequested = "cancel_requested", CancelAcknowledged = "cancel_acknowledged",
        CancelRefused = "cancel_refused", Unknown = "unknown", Forgotten = "forgotten",
        Restored = "restored", Salvaged = "salvaged",
    }
    Action { Accept = "accept", Decline = "decline", Cancel = "cancel" }
}
