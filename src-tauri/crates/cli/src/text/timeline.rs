//! A timeline moment by moment: what happened within one second is one line, as in the window.

use std::fmt::Write as _;

use signalbox_model::{Event, EventKind};

use super::event;

/// One line for each moment. `known`: what is said elsewhere, and not repeated here.
pub(super) fn timeline(events: &[Event], known: &[String]) -> String {
    let mut text = String::new();
    for moment in events.chunk_by(|one, next| second(one) == second(next)) {
        let told: Vec<_> = moment.iter().filter_map(|one| told(one, known, moment.len() == 1)).collect();
        if let (Some(first), false) = (moment.first(), told.is_empty()) {
            let _ = writeln!(text, "  {}  {}", first.at, told.join(" · "));
        }
    }
    text
}

fn second(event: &Event) -> i64 {
    event.at.0.div_euclid(1_000)
}

/// What it says. None of a status that says nothing new, where something else happened in the same moment.
fn told(event: &Event, known: &[String], alone: bool) -> Option<String> {
    let is_known = event::said(event).is_some_and(|said| known.contains(&said));
    match (is_known, event.kind) {
        (false, _) => Some(event::told(event)),
        (true, EventKind::Status) if !alone => None,
        (true, _) => Some(event::told(&Event { text: None, note: None, ..event.clone() })),
    }
}
