//! What can be said to an input request as it stands. Decided here once: the engine takes nothing else, and every host
//! offers exactly this.
//!
//! What needs a person is counted by the same rule: it is the number of questions to which something can be said.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use crate::{Identity, InputRequest, Mode, RequestState};

/// The method of questions to people.
pub const ELICITATION: &str = "elicitation/create";
/// The method of questions to a model.
pub const SAMPLING: &str = "sampling/createMessage";
/// The method of questions that need no person.
pub const ROOTS: &str = "roots/list";

/// What can be said to an input request now. At least one of its members says something.
#[skip_serializing_none]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct Ways {
    /// How to say yes.
    pub accept: Option<Accept>,
    /// What a no means for the server.
    pub decline: Option<No>,
    /// What a dismissal, which decides nothing, means for the server.
    pub dismiss: Option<No>,
    /// The answer has not gone out, and can be taken back.
    pub take_back: bool,
    /// Nobody waits for an answer, and the person can put it away.
    pub put_away: bool,
    /// Why nothing can be decided now; none where something can.
    pub settled: Option<Settled>,
}

/// How to say yes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Accept {
    /// With content that fits the schema.
    Content,
    /// By opening a page; nothing goes with it.
    Page,
    /// With what a model would say.
    Text,
}

/// What a no means for the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum No {
    /// The server is told.
    Told,
    /// The server gets an error: its wire has no other way to say no to this.
    Error,
    /// The whole call is given up: its wire has no way to say no to this alone.
    GivesUp,
    /// The server hears nothing, as its wire has no way to say no to this. Its task waits until the person cancels it.
    Unsaid,
}

impl No {
    /// What it means for the server, in words.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::Told => "the server is told",
            Self::Error => "the server gets an error, as there is no other way to say no to this question",
            Self::GivesUp => {
                "the whole call is given up, as there is no way to say no to this question alone"
            }
            Self::Unsaid => "the server hears nothing, and its task waits until you cancel it",
        }
    }
}

/// Why nothing can be decided now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Settled {
    /// It is answered, and the answer is within its undo window.
    Held,
    /// It is answered, and the answer is on its way or waits to go.
    OnItsWay,
    /// The server has the answer.
    Answered,
    /// It is over without an answer.
    Closed,
    /// Its connection is gone. It can be answered again when the server asks again.
    Orphaned,
    /// Its answer was sent, and the connection is gone on which another one could go.
    CutOff,
}

impl Settled {
    /// The reason in words.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::Held => "it is answered, and the answer is held for a moment before it goes",
            Self::OnItsWay => "it is answered, and the answer is on its way or waits to go",
            Self::Answered => "it has been answered",
            Self::Closed => "it is over",
            Self::Orphaned => "its connection is gone; if the server asks again, it can be answered",
            Self::CutOff => {
                "an answer was sent, and its connection is gone: whether it arrived is not known; if the server asks again, \
                 that is a new question, with what was said as its draft"
            }
        }
    }
}

/// What of the call of an input request matters to what can be said to it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Around {
    /// The server refused the call before pages were visited (-32042), and wants the call made again, without an answer.
    pub paged: bool,
    /// The round is going out: the call is being made again.
    pub under_way: bool,
}

impl Ways {
    /// What can be said.
    #[must_use]
    pub fn of(request: &InputRequest, around: Around) -> Self {
        let settled = match request.state {
            RequestState::Open | RequestState::NotTaken | RequestState::Refused => None,
            RequestState::Unknown if request.stranded() => Some(Settled::CutOff),
            RequestState::Unknown => None,
            RequestState::Held => Some(Settled::Held),
            RequestState::Sending => Some(Settled::OnItsWay),
            RequestState::Answered => Some(Settled::Answered),
            RequestState::Closed => Some(Settled::Closed),
            RequestState::Orphaned => Some(Settled::Orphaned),
        };
        if settled.is_some() {
            return Self {
                take_back: request.can_be_taken_back() && !around.under_way,
                put_away: request.stranded(),
                settled,
                ..Self::default()
            };
        }
        let no = no(request, around.paged);
        Self {
            accept: accept(request),
            decline: Some(no),
            // What the server is not told in so many words is one no, however it is called.
            dismiss: (no == No::Told).then_some(no),
            ..Self::default()
        }
    }
}

fn accept(request: &InputRequest) -> Option<Accept> {
    match (request.method.as_str(), request.mode) {
        (_, Mode::Other) | (ROOTS, _) => None,
        (_, Mode::Url) => Some(Accept::Page),
        (SAMPLING, Mode::Form) => Some(Accept::Text),
        (_, Mode::Form) => Some(Accept::Content),
    }
}

fn no(request: &InputRequest, paged: bool) -> No {
    let has_shape = request.method == ELICITATION && !paged;
    match &request.identity {
        _ if has_shape => No::Told,
        Identity::Wire { .. } => No::Error,
        Identity::Round { .. } => No::GivesUp,
        Identity::Task { .. } => No::Unsaid,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CallId, RequestId, ServerId, Timestamp};

    fn identities() -> [Identity; 3] {
        let (call, key) = (CallId(1), "k".to_owned());
        [
            Identity::Task { call, key: key.clone() },
            Identity::Round { call, n: 1, key },
            Identity::Wire { session: 1, rpc: "1".to_owned() },
        ]
    }

    fn asked(identity: Identity, method: &str, mode: Mode, state: RequestState) -> InputRequest {
        let new = InputRequest::new(RequestId(1), ServerId(1), identity, Timestamp(0));
        InputRequest { method: method.to_owned(), mode, state, ..new }
    }

    #[test]
    fn to_every_question_something_can_be_said_or_there_is_a_reason_why_not() {
        for identity in identities() {
            for method in [ELICITATION, SAMPLING, ROOTS, "future/ask", ""] {
                for mode in [Mode::Form, Mode::Url, Mode::Other] {
                    for state in RequestState::ALL {
                        for (paged, closed_at) in [(false, None), (true, None), (false, Some(Timestamp(1)))] {
                            let asked =
                                InputRequest { closed_at, ..asked(identity.clone(), method, mode, state) };
                            let ways = Ways::of(&asked, Around { paged, under_way: false });
                            let can_decide = ways.accept.is_some() || ways.decline.is_some();
                            assert_ne!(can_decide, ways.settled.is_some(), "{asked:?}");
                            assert_eq!(
                                can_decide,
                                asked.needs_person(),
                                "a badge counts what can be decided: {asked:?}"
                            );
                            assert_eq!(ways.put_away, asked.stranded(), "{asked:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_no_is_what_the_wire_has_for_it() {
        let no = |method: &str, mode, paged| {
            identities().map(|identity| {
                let around = Around { paged, under_way: false };
                let ways = Ways::of(&asked(identity, method, mode, RequestState::Open), around);
                (ways.decline.expect("there is always a no"), ways.dismiss.is_some())
            })
        };
        let told = [(No::Told, true); 3];
        assert_eq!(no(ELICITATION, Mode::Form, false), told);
        assert_eq!(no(ELICITATION, Mode::Url, false), told);
        assert_eq!(no(ELICITATION, Mode::Other, false), told, "a mode that nobody knows can be declined");
        let shapeless = [(No::Unsaid, false), (No::GivesUp, false), (No::Error, false)];
        assert_eq!(no(SAMPLING, Mode::Form, false), shapeless);
        assert_eq!(no("future/ask", Mode::Other, false), shapeless);
        assert_eq!(
            no(ELICITATION, Mode::Url, true)[1],
            (No::GivesUp, false),
            "the call goes again without answers"
        );
    }

    #[test]
    fn what_has_not_left_can_be_taken_back() {
        let mut kept = asked(identities()[1].clone(), ELICITATION, Mode::Form, RequestState::Sending);
        kept.answer = Some(crate::Answer::new(crate::Action::Accept, Timestamp(0)));
        let alone = Around::default();
        assert!(Ways::of(&kept, alone).take_back, "it waits for the others of its round");
        let going = Around { under_way: true, ..alone };
        assert!(!Ways::of(&kept, going).take_back, "the call is being made again with it, or for it");
        kept.answer.as_mut().expect("just given").sent_at = Some(Timestamp(1));
        assert!(!Ways::of(&kept, alone).take_back);
        let rule = asked(identities()[1].clone(), ROOTS, Mode::Other, RequestState::Sending);
        assert!(!Ways::of(&rule, alone).take_back, "no person gave it");
    }
}
