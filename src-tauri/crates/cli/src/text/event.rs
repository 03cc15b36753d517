//! What a line of a timeline says.

use signalbox_api::words::note;
use signalbox_model::{Event, EventKind, Unsent};

use super::{sanitise, words};

/// The kind, or a sentence where a word says too little; then what others said about it.
pub(crate) fn told(event: &Event) -> String {
    let what = sentence(event.kind).map_or_else(|| words(&event.kind), str::to_owned);
    let about = event.request.map(|id| format!(" {id}")).unwrap_or_default();
    let said = said(event).map(|text| format!("  {}", sanitise::line(&text))).unwrap_or_default();
    format!("{what}{about}{said}")
}

/// What stands beside its kind: what others said, or why. Not made safe for a terminal yet.
pub(crate) fn said(event: &Event) -> Option<String> {
    let note = event.note.as_ref().map(note);
    note.or_else(|| {
        let text = event.text.as_deref()?;
        let unsent = matches!(event.kind, EventKind::Lapsed | EventKind::Undone)
            .then(|| Unsent::from_word(text))
            .flatten();
        Some(unsent.map(why_unsent).unwrap_or(text).to_owned())
    })
}

fn why_unsent(unsent: Unsent) -> &'static str {
    match unsent {
        Unsent::TooLate => "it was due more than an hour ago",
        Unsent::ClosedInWindow => "Signalbox was closed while it could still be undone",
        Unsent::ConnectionGone => "its connection is gone",
        Unsent::EarlierTaken => "the server took the earlier answer",
        Unsent::NothingLeft => "nothing of it had been sent",
    }
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
        told(&Event { call: CallId(1), at: Timestamp(1), kind, request: None, text, note: None })
    }

    #[test]
    fn why_an_answer_was_not_sent_is_a_sentence_here() {
        let told = line(EventKind::Lapsed, Some("connection_gone"));
        assert!(told.ends_with("  its connection is gone"), "{told}");
        let before = line(EventKind::Lapsed, Some("Its connection was gone"));
        assert!(before.ends_with("  Its connection was gone"), "an entry of before: {before}");
        assert!(line(EventKind::Status, Some("too_late")).ends_with("  too_late"), "a server may say that");
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
