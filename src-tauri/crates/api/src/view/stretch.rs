//! What a call's time went into, drawn out of its timeline: waiting for a person, or all else. It is told as seen from here: a
//! question counts from when it came to Signalbox until somebody decided.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use signalbox_model::{Event, EventKind, RequestId, Timestamp, Unsent};

/// A stretch of a call's time.
#[skip_serializing_none]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct Stretch {
    /// What it went into.
    pub spent: Spent,
    /// When it began, by our clock.
    pub from: Timestamp,
    /// When it was over; none while it goes on.
    pub until: Option<Timestamp>,
}

/// What time went into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Spent {
    /// No question waited for a person.
    Working,
    /// At least one question waited for a person.
    Waiting,
    /// The timeline no longer has it.
    Unseen,
}

/// How much of a call's time went into what, in ms.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TimeSpent {
    /// No question waited for a person.
    pub working: u64,
    /// At least one question waited for a person.
    pub waiting: u64,
    /// The timeline no longer has it.
    pub unseen: u64,
}

impl TimeSpent {
    /// The sums of these stretches, of which the last may go on until now.
    #[must_use]
    pub fn of(stretches: &[Stretch], now: Timestamp) -> Self {
        let mut sums = Self::default();
        for stretch in stretches {
            let sum = match stretch.spent {
                Spent::Working => &mut sums.working,
                Spent::Waiting => &mut sums.waiting,
                Spent::Unseen => &mut sums.unseen,
            };
            let ms = stretch.until.unwrap_or(now).ms_since(stretch.from);
            *sum = sum.saturating_add(u64::try_from(ms).unwrap_or(0));
        }
        sums
    }
}

/// The time of a call from its start to its end, or until now. `open` are the questions that wait now: where the timeline has
/// lost its beginning, it may have lost when they came.
pub(crate) fn stretches(
    (started, ended): (Timestamp, Option<Timestamp>),
    timeline: &[Event],
    open: impl Iterator<Item = RequestId>,
) -> Vec<Stretch> {
    let mut drawn = Drawn { at: started, spent: Spent::Working, stretches: Vec::new() };
    let mut waiting = HashSet::new();
    let is_cut =
        timeline.first().is_none_or(|first| !matches!(first.kind, EventKind::Called | EventKind::Adopted));
    if is_cut {
        drawn.spent = Spent::Unseen;
        waiting = waiting_before(timeline, open);
    }
    for event in timeline {
        if event.kind == EventKind::Ended {
            break;
        }
        if let (Some(request), Some(waits)) = (event.request, waits(event)) {
            if waits {
                waiting.insert(request)
            } else {
                waiting.remove(&request)
            };
        }
        drawn.goes_on(event.at, if waiting.is_empty() { Spent::Working } else { Spent::Waiting });
    }
    drawn.until(ended)
}

/// The questions that must have waited when the first line that is left was written.
fn waiting_before(timeline: &[Event], open: impl Iterator<Item = RequestId>) -> HashSet<RequestId> {
    let (mut told, mut before) = (HashSet::new(), HashSet::new());
    for event in timeline {
        let Some(request) = event.request else { continue };
        if told.insert(request) && matches!(event.kind, EventKind::Answered | EventKind::Closed) {
            before.insert(request);
        }
    }
    before.extend(open.filter(|request| !told.contains(request)));
    before
}

/// Whether its question waits for a person from here on; none where this changes nothing about that.
fn waits(event: &Event) -> Option<bool> {
    let gone = Some(Unsent::ConnectionGone);
    match event.kind {
        EventKind::Lapsed if event.text.as_deref().and_then(Unsent::from_word) == gone => Some(false),
        EventKind::Asked
        | EventKind::Undone
        | EventKind::Lapsed
        | EventKind::NotTaken
        | EventKind::Refused
        | EventKind::Unknown => Some(true),
        EventKind::Answered
        | EventKind::Acknowledged
        | EventKind::Taken
        | EventKind::Closed
        | EventKind::Orphaned => Some(false),
        EventKind::Called
        | EventKind::Adopted
        | EventKind::TaskCreated
        | EventKind::Status
        | EventKind::CancelRequested
        | EventKind::CancelAcknowledged
        | EventKind::Trouble
        | EventKind::LeftOut
        | EventKind::NoResult
        | EventKind::TtlPassed
        | EventKind::AnswerTimePassed
        | EventKind::RequestRefused
        | EventKind::TimelineFull
        | EventKind::Recovered
        | EventKind::Ended => None,
    }
}

/// Stretches in the making.
struct Drawn {
    at: Timestamp,
    spent: Spent,
    stretches: Vec<Stretch>,
}

impl Drawn {
    /// From here on it goes into this. A clock that was set back takes no time away.
    fn goes_on(&mut self, at: Timestamp, spent: Spent) {
        if spent == self.spent {
            return;
        }
        let from = self.at;
        let at = at.max(from);
        if at > from {
            self.stretches.push(Stretch { spent: self.spent, from, until: Some(at) });
        }
        (self.at, self.spent) = (at, spent);
        // What took no time is forgotten, and what it parted is one.
        if let Some(last) = self.stretches.pop_if(|last| last.spent == spent) {
            self.at = last.from;
        }
    }

    fn until(mut self, ended: Option<Timestamp>) -> Vec<Stretch> {
        let until = ended.map(|ended| ended.max(self.at));
        if until != Some(self.at) {
            self.stretches.push(Stretch { spent: self.spent, from: self.at, until });
        }
        self.stretches
    }
}

#[cfg(test)]
mod tests {
    use signalbox_model::CallId;

    use super::*;
    use Spent::{Unseen, Waiting, Working};

    /// An entry: when, what, about which question.
    type Line = (i64, EventKind, Option<u32>);

    fn event((at, kind, request): &Line) -> Event {
        let request = request.map(RequestId);
        Event { call: CallId(1), at: Timestamp(*at), kind: *kind, request, text: None, note: None }
    }

    /// What the time from 0 went into: with its beginning, and its end where it is over.
    fn drawn(lines: &[Line], ended: Option<i64>, open: &[u32]) -> Vec<(Spent, i64, Option<i64>)> {
        let timeline: Vec<_> = lines.iter().map(event).collect();
        let open = open.iter().copied().map(RequestId);
        let all = stretches((Timestamp(0), ended.map(Timestamp)), &timeline, open);
        let plain = |one: &Stretch| (one.spent, one.from.0, one.until.map(|until| until.0));
        all.iter().map(plain).collect()
    }

    const CALLED: Line = (0, EventKind::Called, None);

    #[test]
    fn a_question_counts_until_somebody_decides() {
        let lines = [
            CALLED,
            (10, EventKind::Asked, Some(1)),
            (30, EventKind::Answered, Some(1)),
            (35, EventKind::Taken, Some(1)),
        ];
        let told = [(Working, 0, Some(10)), (Waiting, 10, Some(30)), (Working, 30, Some(50))];
        assert_eq!(drawn(&lines, Some(50), &[]), told);
        assert_eq!(
            drawn(&lines[..2], None, &[1]),
            [(Working, 0, Some(10)), (Waiting, 10, None)],
            "it goes on"
        );
    }

    #[test]
    fn of_several_questions_the_last_decision_counts() {
        let lines = [
            CALLED,
            (10, EventKind::Asked, Some(1)),
            (20, EventKind::Asked, Some(2)),
            (30, EventKind::Answered, Some(1)),
            (40, EventKind::Closed, Some(2)),
        ];
        let told = [(Working, 0, Some(10)), (Waiting, 10, Some(40)), (Working, 40, None)];
        assert_eq!(drawn(&lines, None, &[]), told, "no moment counts twice");
    }

    #[test]
    fn an_answer_that_did_not_count_is_waited_for_once_more() {
        for kind in [
            EventKind::Undone,
            EventKind::Lapsed,
            EventKind::NotTaken,
            EventKind::Refused,
            EventKind::Unknown,
        ] {
            let lines = [
                CALLED,
                (10, EventKind::Asked, Some(1)),
                (20, EventKind::Answered, Some(1)),
                (30, kind, Some(1)),
            ];
            let told = [
                (Working, 0, Some(10)),
                (Waiting, 10, Some(20)),
                (Working, 20, Some(30)),
                (Waiting, 30, None),
            ];
            assert_eq!(drawn(&lines, None, &[1]), told, "{kind:?}");
        }
        let gone = Event { text: Some("connection_gone".into()), ..event(&(30, EventKind::Lapsed, Some(1))) };
        assert_eq!(waits(&gone), Some(false), "nobody can answer it then");
    }

    #[test]
    fn what_took_no_time_is_none() {
        let lines = [CALLED, (10, EventKind::Asked, Some(1)), (10, EventKind::Answered, Some(1))];
        assert_eq!(
            drawn(&lines, Some(20), &[]),
            [(Working, 0, Some(20))],
            "Signalbox answered it itself, at once"
        );
        assert_eq!(drawn(&[CALLED], Some(0), &[]), []);
        let back = [CALLED, (10, EventKind::Asked, Some(1)), (5, EventKind::Answered, Some(1))];
        assert_eq!(drawn(&back, Some(7), &[]), [(Working, 0, Some(7))], "the clock was set back");
    }

    #[test]
    fn what_a_timeline_has_lost_is_not_known() {
        let lines = [(100, EventKind::Status, None), (120, EventKind::Answered, Some(1))];
        let told = [(Unseen, 0, Some(100)), (Waiting, 100, Some(120)), (Working, 120, Some(150))];
        assert_eq!(drawn(&lines, Some(150), &[]), told, "what is answered had been asked");
        assert_eq!(drawn(&lines[..1], None, &[4]), [(Unseen, 0, Some(100)), (Waiting, 100, None)]);
        assert_eq!(drawn(&[], None, &[]), [(Unseen, 0, None)]);
    }

    #[test]
    fn sums_go_on_until_now() {
        let lines = [CALLED, (10, EventKind::Asked, Some(1))];
        let timeline: Vec<_> = lines.iter().map(event).collect();
        let all = stretches((Timestamp(0), None), &timeline, std::iter::empty());
        assert_eq!(TimeSpent::of(&all, Timestamp(25)), TimeSpent { working: 10, waiting: 15, unseen: 0 });
        assert_eq!(TimeSpent::of(&all, Timestamp(5)).waiting, 0, "the clock was set back");
    }
}
