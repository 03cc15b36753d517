//! What a line of a timeline says.

use signalbox_model::{Event, EventKind};

use super::{sanitise, words};

/// The kind, or a sentence where a word says too little; then what others said about it.
pub(crate) fn told(event: &Event) -> String {
    let what = sentence(event.kind).map_or_else(|| words(&event.kind), str::to_owned);
    let about = event.request.map(|id| format!(" {id}")).unwrap_or_default();
    let said = event.text.as_deref().map(|text| format!("  {}", sanitise::line(text))).unwrap_or_default();
    format!("{what}{about}{said}")
}

fn sentence(kind: EventKind) -> Option<&'static str> {
    match kind {
        EventKind::LeftOut => {
            Some("the server asks more than Signalbox takes: what does not fit is left out for now")
        }
        EventKind::NoResult => Some("the server says completed, but gives no result"),
        EventKind::TtlPassed => Some("its time to live passed while the server could not be asked"),
        EventKind::AnswerTimePassed => Some("the server wanted the answer within a time that has passed"),
        EventKind::RequestRefused => {
            Some("the server sent a request that Signalbox does not take; it was refused")
        }
        EventKind::TimelineFull => {
            Some("the server has said so much that what else it says is left out here")
        }
        EventKind::Called
        | EventKind::Adopted
        | EventKind::TaskCreated
        | EventKind::Status
        | EventKind::Asked
        | EventKind::Answered
        | EventKind::Undone
        | EventKind::Lapsed
        | EventKind::Acknowledged
        | EventKind::Taken
        | EventKind::NotTaken
        | EventKind::Refused
        | EventKind::Closed
        | EventKind::CancelRequested
        | EventKind::CancelAcknowledged
        | EventKind::Trouble
        | EventKind::Recovered
        | EventKind::Ended
        | EventKind::Orphaned
        | EventKind::Unknown => None,
    }
}

#[cfg(test)]
mod tests {
    use signalbox_model::{CallId, Timestamp};

    use super::*;

    fn line(kind: EventKind, text: Option<&str>) -> String {
        let text = text.map(str::to_owned);
        told(&Event { call: CallId(1), at: Timestamp(1), kind, request: None, text })
    }

    #[test]
    fn a_kind_of_ours_is_a_sentence_here_and_what_others_said_stands_behind_it() {
        assert!(line(EventKind::NoResult, None).ends_with("gives no result"));
        assert!(
            line(EventKind::RequestRefused, Some("future/ask {}")).ends_with("it was refused  future/ask {}")
        );
    }

    #[test]
    fn an_entry_of_an_earlier_version_shows_its_own_words() {
        let said = "The server says completed, but gives no result";
        assert_eq!(line(EventKind::Trouble, Some(said)), format!("trouble  {said}"));
    }
}
