//! What becomes of an answer on its way: one table for tasks, for rounds and for the legacy wire.
//!
//! A wire says which [`Fact`] happened, and nothing else. What that means follows from how the question stands and from the
//! [`Promise`] under which its answer goes: that is [`next`], which is pure, and whose every cell has its row in the tests.

#[cfg(test)]
pub(crate) mod table;

use signalbox_model::{CloseReason, EventKind, Identity, Note, RequestState, Unsent};

use super::{
    super::{Beside, Turn},
    Question, SentBefore, close, shed, take_off,
};
use crate::effect::has_response;

/// What a wire promises of the answers that go over it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::step) enum Promise {
    /// `tasks/update`: it goes again, but only after a poll has shown that it is still asked.
    AskFirst,
    /// A round on the call itself: all of it goes together, and once.
    WholeRoundOnce,
    /// A reply to a request of the server: it goes once on this connection.
    OnceOnThisConnection,
}

/// What happened to an answer, or to whoever waits for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::step) enum Fact {
    /// The server acknowledged the answer; or, where its wire has no acknowledgement, the answer was
    /// delivered.
    Acknowledged,
    /// A definite no to this very request.
    Refused,
    /// What was under way certainly did not leave, and can go again …
    NeverLeft,
    /// … or it cannot: its connection is gone.
    NeverLeftAndGone,
    /// It went out, and nobody knows whether it arrived.
    Lost,
    /// Nobody waits for it any more, and nothing was sent.
    NotWanted,
    /// A poll that came since shows the question.
    StillAsked,
    /// … and has shown it for longer than an answer that was taken would.
    AskedForLong,
    /// A poll that came since does not show it.
    Gone,
    /// The connection is gone that it was asked on.
    Disconnected,
    /// Its call came to a result: it got what it asked for.
    CallWentOn,
    /// Its call is over, and nobody knows whether it had a use for the answer.
    CallOver,
    /// The run ended in which it was under way.
    Restarted,
}

impl Fact {
    /// Under which promises the fact can happen, and in which state of the question where not in any.
    fn told_of(self) -> (&'static [Promise], Option<RequestState>) {
        use Promise::{AskFirst, OnceOnThisConnection, WholeRoundOnce};
        use RequestState::{Answered, Sending};
        match self {
            Self::Acknowledged | Self::Refused | Self::NeverLeft | Self::Lost => {
                (&[AskFirst, WholeRoundOnce, OnceOnThisConnection], Some(Sending))
            }
            Self::NeverLeftAndGone | Self::NotWanted => (&[OnceOnThisConnection], Some(Sending)),
            Self::StillAsked | Self::Gone => (&[AskFirst], None),
            Self::AskedForLong => (&[AskFirst], Some(Answered)),
            Self::Disconnected | Self::Restarted => (&[OnceOnThisConnection], None),
            Self::CallWentOn | Self::CallOver => (&[AskFirst, WholeRoundOnce, OnceOnThisConnection], None),
        }
    }

    fn can_be_told_of(self, standing: &Standing) -> bool {
        self.is_told(standing.promise, standing.state)
    }

    /// Whether it can happen to a question under this promise and in this state.
    fn is_told(self, promise: Promise, state: RequestState) -> bool {
        let (promises, only) = self.told_of();
        promises.contains(&promise) && only.is_none_or(|only| only == state)
    }
}

/// What becomes of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::step) enum Becomes {
    /// What it was.
    Same,
    /// Open: it is asked again.
    Open,
    /// Answered: the server has the answer …
    Acknowledged,
    /// … and went on with it, as an acknowledgement and what followed say …
    AcknowledgedAndTaken,
    /// … or as only what followed says.
    Taken,
    /// The server has shown that it did not take it.
    NotTaken,
    /// The server said no.
    Refused,
    /// Whether the answer arrived, nobody knows.
    Unknown,
    /// Nobody can be answered for now.
    Orphaned,
    /// Over without an answer.
    Closed(CloseReason),
}

/// How its call stands, for what is told of an answer afterwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::step) enum OfCall {
    /// It goes on.
    GoesOn,
    /// It came to a result.
    WentOn,
    /// It ended without one.
    Over,
}

/// How a question stands when something happens. Each is a fact by itself: the table has a word for every combination, also
/// for those that no wire brings about.
#[derive(Debug, Clone, Copy)]
pub(in crate::step) struct Standing {
    promise: Promise,
    state: RequestState,
    /// Something of its answer may have gone out.
    sent: bool,
    /// What becomes of something that is under way is still to be told.
    pending: bool,
    /// Nothing of this answer went out before what is under way now.
    first: bool,
    /// It was acknowledged, and seen to be taken.
    taken: bool,
    /// The answer is a no for which the wire has no shape.
    shapeless: bool,
    /// The server stopped asking it, and may ask again.
    withdrawn: bool,
    /// We host a task for its answer: another may come and fetch it.
    hosted: bool,
    call: OfCall,
}

/// Whether, after what just failed, certainly nothing of the answer has gone out.
fn is_unsent(standing: &Standing, fact: Fact) -> bool {
    use Fact::{NeverLeft, NeverLeftAndGone, NotWanted};
    let failed = matches!(fact, NeverLeft | NeverLeftAndGone | NotWanted);
    failed && standing.state == RequestState::Sending && standing.first && !standing.pending
}

/// The table. `standing.sent` is as the fact leaves it ([`is_unsent`]). A fact that cannot happen to a
/// question changes nothing.
fn next(standing: &Standing, fact: Fact) -> Becomes {
    use Becomes::*;
    use Fact as F;
    use Promise::*;
    use RequestState as S;
    let Standing { promise, state, sent, pending, first, .. } = *standing;
    let on_its_way = state == S::Sending && sent;
    match fact {
        _ if !fact.can_be_told_of(standing) => Same,
        F::Acknowledged => match promise {
            OnceOnThisConnection if standing.shapeless => Closed(CloseReason::DeclinedByUs),
            WholeRoundOnce => AcknowledgedAndTaken,
            _ if standing.call == OfCall::WentOn => AcknowledgedAndTaken,
            _ => Acknowledged,
        },
        F::Refused => match promise {
            AskFirst if standing.call != OfCall::GoesOn => Closed(CloseReason::TaskEnded),
            OnceOnThisConnection if pending => Same,
            // The answer went out before. That first sending may have arrived, or may yet.
            AskFirst | OnceOnThisConnection if !first => Unknown,
            _ => Refused,
        },
        F::Lost => lost(standing),
        F::NeverLeft => match promise {
            AskFirst if standing.call != OfCall::GoesOn => Closed(CloseReason::TaskEnded),
            OnceOnThisConnection if !pending && sent => Unknown,
            _ => Same,
        },
        F::NeverLeftAndGone => match sent {
            true if pending => Same,
            true => Unknown,
            false => Orphaned,
        },
        F::NotWanted => match standing.hosted {
            // This request for it was given up: the next one gets it.
            true if !pending && sent => Unknown,
            true => Same,
            false => Closed(CloseReason::AnsweredElsewhere),
        },
        F::StillAsked => match state {
            S::Closed if standing.withdrawn => Open,
            _ => Same,
        },
        F::AskedForLong => NotTaken,
        F::Gone => gone(standing),
        F::Disconnected => match state {
            // It may have arrived: that is not to be forgotten.
            S::Unknown | S::Orphaned | S::Answered | S::Closed => Same,
            _ if on_its_way => Same,
            _ => Orphaned,
        },
        F::CallWentOn | F::CallOver => over(standing, fact == F::CallWentOn),
        F::Restarted if on_its_way => Unknown,
        F::Restarted => Same,
    }
}

/// What it means that nobody knows whether what was under way arrived.
fn lost(standing: &Standing) -> Becomes {
    use Promise::{AskFirst, OnceOnThisConnection};
    match (standing.promise, standing.call) {
        (AskFirst | OnceOnThisConnection, OfCall::WentOn) => Becomes::Taken,
        (AskFirst, OfCall::Over) => Becomes::Closed(CloseReason::TaskEnded),
        // The next poll tells, and only then is it sent again.
        (AskFirst, OfCall::GoesOn) => Becomes::Same,
        // Several requests may fetch one answer: it is enough that one gets it.
        (OnceOnThisConnection, _) if standing.pending => Becomes::Same,
        _ => Becomes::Unknown,
    }
}

/// What it means that a poll does not show a question any more.
fn gone(standing: &Standing) -> Becomes {
    use RequestState as S;
    match standing.state {
        S::Sending if standing.sent && standing.pending => Becomes::Same,
        S::NotTaken | S::Unknown => Becomes::Taken,
        S::Sending if standing.sent => Becomes::Taken,
        S::Answered if !standing.taken => Becomes::Taken,
        S::Answered | S::Closed => Becomes::Same,
        _ => Becomes::Closed(CloseReason::AnsweredElsewhere),
    }
}

/// What the end of a call means to its question.
fn over(standing: &Standing, went_on: bool) -> Becomes {
    use RequestState as S;
    let on_wire = standing.promise == Promise::OnceOnThisConnection;
    match standing.state {
        S::Closed => Becomes::Same,
        // Its acknowledgement is still to come, and decides.
        S::Sending if standing.sent && (standing.pending || on_wire) => Becomes::Same,
        S::Answered if went_on && !standing.taken => Becomes::Taken,
        // A task that was cancelled or failed, or is gone, may have had no use for it: only that it was acknowledged is
        // certain.
        S::Answered => Becomes::Same,
        S::Sending | S::Unknown if standing.sent && went_on && !on_wire => Becomes::Taken,
        _ => Becomes::Closed(CloseReason::TaskEnded),
    }
}

/// What the timeline and the log say of a fact.
#[derive(Debug, Default)]
pub(in crate::step) struct Fate {
    /// The reason that the server gave for its no.
    pub(in crate::step) refusal: Option<Note>,
    /// Why it happened, for the timeline and the log.
    pub(in crate::step) why: Option<Note>,
}

impl Question {
    fn standing(&self, pending: bool, call: OfCall) -> Standing {
        let request = &self.request;
        let promise = match request.identity {
            Identity::Task { .. } => Promise::AskFirst,
            Identity::Round { .. } => Promise::WholeRoundOnce,
            Identity::Wire { .. } => Promise::OnceOnThisConnection,
        };
        let answer = request.answer.as_ref();
        Standing {
            promise,
            state: request.state,
            sent: request.sent(),
            pending,
            first: self.sent_before == SentBefore::Nothing,
            taken: answer.is_some_and(|answer| answer.taken_at.is_some()),
            shapeless: answer.is_some() && !has_response(request),
            withdrawn: super::was_withdrawn(request),
            hosted: request.hosted.is_some(),
            call,
        }
    }

    /// Something has happened to its answer, or to whoever waits for it. `pending`: what becomes of more of it is still to be
    /// told. Says what became of the question, which is kept as it stands then.
    pub(in crate::step) fn meets(
        &mut self,
        turn: &mut Turn<'_>,
        fact: Fact,
        (pending, call): (bool, OfCall),
        said: Fate,
    ) -> Becomes {
        let mut standing = self.standing(pending, call);
        let unsent = is_unsent(&standing, fact);
        if unsent && let Some(answer) = &mut self.request.answer {
            standing.sent = false;
            answer.sent_at = None;
        }
        let becomes = next(&standing, fact);
        // It may have arrived: from now on no other failure means that nothing of it went out.
        if fact == Fact::Lost && self.sent_before == SentBefore::Nothing {
            self.sent_before = SentBefore::Perhaps;
        }
        #[cfg(test)]
        table::enter(&standing, fact);
        if becomes == Becomes::Same {
            if unsent {
                turn.keep(&self.request);
            }
            return becomes;
        }
        self.turn_into(turn, becomes, said);
        becomes
    }

    fn turn_into(&mut self, turn: &mut Turn<'_>, becomes: Becomes, Fate { refusal, why }: Fate) {
        let now = turn.now;
        if let (Some(refusal), Some(answer)) = (refusal, &mut self.request.answer) {
            answer.refusal = Some(refusal);
        }
        match becomes {
            Becomes::Same => {}
            Becomes::Acknowledged => self.acknowledged(turn),
            Becomes::AcknowledgedAndTaken => {
                if self.request.sent() {
                    self.acknowledged(turn);
                }
                close(self, EventKind::Taken, CloseReason::TaskEnded, turn);
            }
            Becomes::Taken => close(self, EventKind::Taken, CloseReason::TaskEnded, turn),
            Becomes::Closed(reason) => {
                if reason == CloseReason::DeclinedByUs
                    && let Some(answer) = &mut self.request.answer
                {
                    answer.acknowledged_at = Some(now.wall);
                }
                close(self, EventKind::Closed, reason, turn);
            }
            Becomes::Refused => self.stands(turn, RequestState::Refused, EventKind::Refused, why),
            Becomes::Unknown => {
                self.request.state = RequestState::Unknown;
                turn.keep(&self.request);
                // A server may fetch the answer of a task that we host again and again, and lose each: it is told once for
                // each sending that was entered, so that the log ends as the answer stands.
                let is_told = self.sent_before == SentBefore::PerhapsAsTold;
                if self.request.hosted.is_some() {
                    self.sent_before = SentBefore::PerhapsAsTold;
                }
                if !is_told {
                    turn.fate(&self.request, EventKind::Unknown, why);
                }
            }
            Becomes::NotTaken => {
                self.request.closed_at = None;
                self.stands(turn, RequestState::NotTaken, EventKind::NotTaken, why);
            }
            Becomes::Open => {
                self.request.reason = None;
                self.request.closed_at = None;
                self.request.answer = None;
                self.stands(turn, RequestState::Open, EventKind::Asked, why);
            }
            Becomes::Orphaned => self.orphaned(turn),
        }
    }

    fn stands(&mut self, turn: &mut Turn<'_>, state: RequestState, kind: EventKind, why: Option<Note>) {
        self.request.state = state;
        turn.keep(&self.request);
        turn.fate(&self.request, kind, why);
    }

    fn acknowledged(&mut self, turn: &mut Turn<'_>) {
        self.still_asked = 0;
        self.settled_at = turn.now.steady_ms;
        let request = &mut self.request;
        request.state = RequestState::Answered;
        request.closed_at = Some(turn.now.wall);
        if let Some(answer) = &mut request.answer {
            answer.acknowledged_at = Some(turn.now.wall);
        }
        turn.keep(request);
        turn.fate(request, EventKind::Acknowledged, Beside::Nothing);
        shed(self, turn);
    }

    /// Its connection is gone, and with it whoever waited for the answer. What was not sent is kept as a draft, for when the
    /// server asks again.
    fn orphaned(&mut self, turn: &mut Turn<'_>) {
        let request = &mut self.request;
        if !matches!(request.state, RequestState::Held | RequestState::Sending) {
            // The answer that was there before matters only while the new one may still be taken back.
            request.earlier = None;
        }
        // The entry names the answer that did not go.
        let fate = request.clone();
        take_off(request);
        if request.state == RequestState::Unknown {
            // The answer before it may have arrived: that is not to be forgotten.
            if request.hosted.is_none() {
                request.closed_at = Some(turn.now.wall);
            }
            turn.keep(request);
            return turn.fate(&fate, EventKind::Lapsed, Unsent::ConnectionGone);
        }
        request.answer = None;
        request.state = RequestState::Orphaned;
        request.reason = None;
        request.closed_at = Some(turn.now.wall);
        turn.keep(request);
        turn.fate(&fate, EventKind::Orphaned, Beside::Nothing);
    }
}
