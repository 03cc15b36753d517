//! A question and its answer, whoever asked: what is known of it beyond what the store keeps, what people may say to it, what
//! becomes of that on its way (`delivery`), and how it ends. This room knows no call, no server and no connection.

mod answer;
mod attend;
mod delivery;
mod lapse;
mod over;
mod roots;
mod visit;
mod ways;
mod wording;

use std::ops::RangeInclusive;

use signalbox_mcp::{QuestionView, ServerRequest};
use signalbox_model::{CallId, Identity, InputRequest, Json, RequestState};
use signalbox_store::Digest;

#[cfg(test)]
pub(crate) use self::delivery::table::{cells_entered, rows_entered};
use self::visit::Visit;
pub(super) use self::{
    answer::{Said, can_be_taken_back, decide, sends, take_back, within},
    attend::{Care, Moment, wanted},
    delivery::{Becomes, Fact, Fate, OfCall},
    lapse::{is_held, lapse, lapse_if_late, release, resume_window},
    over::{Over, close, leave_to_store, shed},
    roots::{answer_roots, roots_of},
    visit::{Opening, begin_visit, opening, page_to_open},
    ways::{content_of, said, take_off},
    wording::{as_asked, reword, was_withdrawn, worded},
};
pub use self::{ways::response_to, wording::asks};
use crate::effect::has_response;

/// How sure it is which call a question belongs to (legacy wire).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Tie {
    /// Any call may have asked it.
    Guess,
    /// The task's status message has the words of the question.
    Words,
    /// The question names its task, or the request on whose stream it came does.
    Certain,
}

/// A question of a live call.
#[derive(Debug, Clone)]
pub(crate) struct Question {
    pub(crate) request: InputRequest,
    /// How many polls since the acknowledgement have still shown the question.
    pub(crate) still_asked: u32,
    /// When the server acknowledged the answer or was seen to take it (steady ms); at the latest the start of this run.
    pub(crate) settled_at: u64,
    /// When the answer may go (steady ms): at the end of its undo window, or of its wait before a further
    /// try.
    pub(crate) release_at: u64,
    /// How often this answer was sent in this run.
    pub(crate) sendings: u32,
    /// What went out of this answer before the sending that is under way, or was the last.
    pub(crate) sent_before: SentBefore,
    /// How many replies with this answer are under way (legacy wire).
    pub(crate) replies: u32,
    /// How often the result of the task had been asked for when the question came (legacy wire).
    pub(crate) asked_on: u32,
    /// When the task that we host for the answer ends (steady ms). After that nobody fetches the answer.
    pub(crate) dies_at: Option<u64>,
    /// How sure it is which call the question belongs to.
    pub(crate) tie: Tie,
    /// Its call came to a result while it was not yet known whether what was sent had arrived (legacy wire). That is true by
    /// itself, whatever went out before.
    pub(crate) went_on: bool,
    /// A browser is being started for its page.
    pub(crate) visit: Option<Visit>,
    /// The id of the server's request, exactly as its JSON has it (legacy wire). Kept apart, since every new
    /// request is compared with all of them.
    pub(crate) rpc: Option<String>,
    /// What the question asks, as a number, while the store alone has its text (legacy wire).
    pub(crate) fingerprint: Option<u64>,
    /// What it asks since it was reworded in this run; none: as the store had it, or as it came.
    pub(crate) reworded: Option<Digest>,
    /// How many bytes of the question the store alone has, and that still count against the room for
    /// questions.
    pub(crate) stored: usize,
}

/// What went out of an answer before its last sending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SentBefore {
    /// Nothing: if the last sending certainly failed, the answer has never been sent.
    Nothing,
    /// It may have arrived, as far as is known.
    Perhaps,
    /// It may have arrived. The log says that nobody knows, and has entered no sending since.
    PerhapsAsTold,
}

impl Question {
    /// Whether it was asked in this round of its call.
    pub(crate) fn of_round(&self, round: u32) -> bool {
        matches!(self.request.identity, Identity::Round { n, .. } if n == round)
    }

    /// Whether it was asked on this connection of the legacy wire, by our numbers for it.
    pub(crate) fn of_connection(&self, numbers: &RangeInclusive<u32>) -> bool {
        matches!(self.request.identity, Identity::Wire { session, .. } if numbers.contains(&session))
    }

    /// Whether its request can be answered on the connection of these numbers: it came on it, or on an earlier one of the
    /// same session, and nobody has given it up.
    pub(crate) fn waits_on(&self, numbers: &RangeInclusive<u32>) -> bool {
        let carried_over = self.request.hosted.is_none() && self.request.closed_at.is_none();
        carried_over || self.of_connection(numbers)
    }

    /// Whether nobody waits for the answer any more. Of an orphaned question that may change.
    pub(crate) fn is_over(&self) -> bool {
        matches!(self.request.state, RequestState::Answered | RequestState::Closed | RequestState::Orphaned)
    }

    /// Whether no answer to it can have reached the server yet, and one still may.
    pub(crate) fn is_unanswered(&self) -> bool {
        match self.request.state {
            RequestState::Open | RequestState::Held | RequestState::Refused => true,
            RequestState::Sending => !self.request.sent(),
            _ => false,
        }
    }

    /// Whether a person said no, and the wire has no shape for a no.
    pub(crate) fn declined(&self) -> bool {
        self.request.state == RequestState::Sending && !has_response(&self.request)
    }

    /// Whether its answer has gone out, and nothing is known to the contrary.
    pub(crate) fn has_gone_out(&self) -> bool {
        match self.request.state {
            RequestState::Answered => true,
            RequestState::Sending => self.request.sent(),
            _ => false,
        }
    }

    /// Whether it is still to be found out which call the question belongs to.
    pub(crate) fn is_loose(&self) -> bool {
        self.tie == Tie::Guess && (self.is_unanswered() || self.request.state == RequestState::Unknown)
    }

    /// What it asks, as a number: another that asks the same has the same.
    pub(crate) fn fingerprint(&self) -> u64 {
        let raw = &self.request.raw;
        self.fingerprint.unwrap_or_else(|| QuestionView::read(raw).fingerprint(raw))
    }

    /// Whether this says more of which call the question belongs to.
    pub(crate) fn learns(&self, call: Option<CallId>, tie: Tie) -> bool {
        tie > self.tie || (self.request.call.is_none() && call.is_some())
    }

    pub(crate) fn new(request: InputRequest) -> Self {
        let of_wire = matches!(request.identity, Identity::Wire { .. });
        // Of a question from an earlier run it is not known on which request it came.
        let guess = of_wire && ServerRequest::named_task(&request.raw).is_none();
        let rpc = if of_wire { rpc_of(&request.raw) } else { None };
        Self {
            tie: if guess { Tie::Guess } else { Tie::Certain },
            went_on: false,
            request,
            still_asked: 0,
            settled_at: 0,
            release_at: 0,
            sendings: 0,
            sent_before: SentBefore::Perhaps,
            replies: 0,
            asked_on: 0,
            dies_at: None,
            visit: None,
            rpc,
            fingerprint: None,
            reworded: None,
            stored: 0,
        }
    }
}

/// The id of a server's request, exactly as its JSON has it.
pub(crate) fn rpc_of(raw: &Json) -> Option<String> {
    #[derive(serde::Deserialize)]
    struct Asked<'a> {
        #[serde(borrow)]
        id: &'a serde_json::value::RawValue,
    }
    raw.read::<Asked<'_>>().ok().map(|asked| asked.id.get().to_owned())
}
