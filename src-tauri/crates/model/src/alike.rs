//! Which questions are alike, so that one answer can be given to all of them together.
//!
//! They are alike where the same server asks for the same tool with a schema that is the same byte for byte. Two
//! spellings of one schema count as different: whoever asks in another way may mean another thing. What they say may
//! differ, and so may their tasks; that is shown before they are answered.
//!
//! Some are like no other, whatever they ask: a page, since each is a place of its own; what a model would be asked; a
//! question whose tool nobody knows; one of a round of several, which goes out with the others; one that has an answer;
//! and one that was put off, since its person did not want to decide.

use crate::{Attention, ELICITATION, InputRequest, Json, Mode, RequestState, ServerId};

/// What alike questions have in common.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alike {
    /// The server that asks.
    pub server: ServerId,
    /// The tool that it asks for.
    pub tool: String,
    /// The schema as received.
    pub schema: Option<Json>,
}

impl Alike {
    /// What a question has in common with those that are like it; none where it is like no other. `alone`: no other question
    /// is of its round.
    #[must_use]
    pub fn of(request: &InputRequest, tool: &str, alone: bool) -> Option<Self> {
        let is_open = request.state == RequestState::Open && request.answer.is_none();
        let is_form = request.mode == Mode::Form && request.method == ELICITATION;
        let is_put_off = request.attention() == Attention::Snoozed;
        (is_open && is_form && !is_put_off && alone && !tool.is_empty()).then(|| Self {
            server: request.server,
            tool: tool.to_owned(),
            schema: request.schema.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Action, Answer, CallId, Identity, RequestId, SAMPLING, Snooze, Snoozed, Timestamp};

    const SCHEMA: &str = r#"{"type":"object","properties":{"approved":{"type":"boolean"}}}"#;

    fn asked() -> InputRequest {
        let identity = Identity::Task { call: CallId(1), key: "approval".to_owned() };
        InputRequest {
            method: ELICITATION.to_owned(),
            mode: Mode::Form,
            message: "Deploy?".to_owned(),
            schema: Json::parse(SCHEMA).ok(),
            ..InputRequest::new(RequestId(1), ServerId(1), identity, Timestamp(0))
        }
    }

    fn alike(request: &InputRequest) -> Option<Alike> {
        Alike::of(request, "deploy", true)
    }

    #[test]
    fn the_same_server_tool_and_schema_are_alike_whatever_is_said() {
        let first = alike(&asked());
        assert!(first.is_some());
        let identity = Identity::Task { call: CallId(2), key: "other".to_owned() };
        let other = InputRequest { identity, message: "Deploy the other?".to_owned(), ..asked() };
        assert_eq!(alike(&other), first, "another task, key and message");
        let drafted = InputRequest { draft: Json::parse("{}").ok(), ..asked() };
        assert_eq!(alike(&drafted), first, "what was typed changes nothing of what is asked");
        let expiring = InputRequest { wants: Attention::Expiring, ..asked() };
        assert_eq!(alike(&expiring), first);
    }

    #[test]
    fn another_server_tool_or_schema_is_another_question() {
        let first = alike(&asked());
        let spaced = SCHEMA.replacen(':', ": ", 1);
        let schema = |text: &str| InputRequest { schema: Json::parse(text).ok(), ..asked() };
        for (other, why) in [
            (InputRequest { server: ServerId(2), ..asked() }, "server"),
            (schema(r#"{"type":"object"}"#), "schema"),
            (schema(&spaced), "spelling"),
            (InputRequest { schema: None, ..asked() }, "no schema"),
        ] {
            assert!(alike(&other).is_some_and(|other| Some(other) != first), "{why}");
        }
        assert_ne!(Alike::of(&asked(), "destroy", true), first, "tool");
    }

    #[test]
    fn some_are_like_no_other() {
        let answer = Answer::new(Action::Decline, Timestamp(1));
        let until = Snooze::Change;
        let in_state = |state| InputRequest { state, answer: Some(answer.clone()), ..asked() };
        for (other, why) in [
            (InputRequest { mode: Mode::Url, ..asked() }, "a page"),
            (InputRequest { mode: Mode::Other, ..asked() }, "an unknown kind"),
            (InputRequest { method: SAMPLING.to_owned(), ..asked() }, "for a model"),
            (InputRequest { method: "future/ask".to_owned(), ..asked() }, "an unknown method"),
            (
                InputRequest {
                    snoozed: Some(Snoozed { until, task_seen_at: None }),
                    wants: Attention::Snoozed,
                    ..asked()
                },
                "put off",
            ),
            (InputRequest { state: RequestState::Closed, ..asked() }, "closed"),
            (InputRequest { state: RequestState::Orphaned, ..asked() }, "no longer asked"),
            (in_state(RequestState::Held), "held"),
            (in_state(RequestState::Sending), "on its way"),
            (in_state(RequestState::Answered), "answered"),
            (in_state(RequestState::NotTaken), "may have been answered"),
            (in_state(RequestState::Refused), "refused once"),
            (in_state(RequestState::Unknown), "may have been answered"),
        ] {
            assert_eq!(alike(&other), None, "{why}");
        }
        assert_eq!(Alike::of(&asked(), "", true), None, "of an adopted handle the tool is not known");
        assert_eq!(Alike::of(&asked(), "deploy", false), None, "it goes out with the others of its round");
    }
}
