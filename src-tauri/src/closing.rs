//! How far closing has come, and who asks the person about it: the page, or the system where that hears nothing.

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::{sync::watch, time::Instant};

/// Closing twice within this time closes without an answer of the person.
const INSISTING: Duration = Duration::from_secs(5);

/// How far closing has come.
#[derive(Default)]
pub(crate) struct Closing {
    step: Mutex<Step>,
    /// Says when the page has done what it can to save what was typed last, and whether all of it is saved.
    pub(crate) saved: watch::Sender<bool>,
}

#[derive(Clone, Copy, Default)]
pub(crate) enum Step {
    #[default]
    Open,
    /// The person was asked then, and has not answered since. Whether the page has heard of it.
    Asked { at: Instant, heard: bool },
    /// The system asks the person, since the page has not heard of it.
    AskedNatively,
    /// `serve` is about to follow the tasks. Leaving before it does would leave them to nobody.
    HandingOver,
}

impl Closing {
    /// The UI does not hang: closing again is a new question, however soon.
    pub(crate) fn answered(&self) {
        self.set(Step::Open);
    }

    /// What was typed last is saved, or is with the page alone.
    pub(crate) fn saved(&self, all: bool) {
        self.saved.send_replace(all);
    }

    /// The page asks the person.
    pub(crate) fn heard(&self) {
        if let Step::Asked { heard, .. } = &mut *self.step() {
            *heard = true;
        }
    }

    /// Whether the page knows nothing of a question that was put then: from now on the system asks it.
    pub(crate) fn is_unheard(&self, then: Instant) -> bool {
        let mut step = self.step();
        let unheard = matches!(*step, Step::Asked { at, heard: false } if at == then);
        if unheard {
            *step = Step::AskedNatively;
        }
        unheard
    }

    /// The person answered the system. Whether that still counts: the page may have come back, and heard something else.
    pub(crate) fn answered_natively(&self) -> bool {
        let mut step = self.step();
        let counts = matches!(*step, Step::AskedNatively);
        if counts {
            *step = Step::Open;
        }
        counts
    }

    /// Whether the person is to be asked now (from now on they have been), or has asked for the end.
    pub(crate) fn ask(&self, now: Instant) -> Ask {
        let mut step = self.step();
        match *step {
            Step::HandingOver | Step::AskedNatively => Ask::Wait,
            Step::Asked { at, .. } if now - at < INSISTING => Ask::Insists,
            Step::Open | Step::Asked { .. } => {
                *step = Step::Asked { at: now, heard: false };
                Ask::Now
            }
        }
    }

    pub(crate) fn is_handing_over(&self) -> bool {
        matches!(*self.step(), Step::HandingOver)
    }

    pub(crate) fn set(&self, step: Step) {
        *self.step() = step;
    }

    fn step(&self) -> MutexGuard<'_, Step> {
        self.step.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Ask {
    Now,
    Insists,
    Wait,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closing_twice_in_a_row_is_insisting_and_an_hour_later_is_not() {
        let (closing, now) = (Closing::default(), Instant::now());
        assert_eq!(closing.ask(now), Ask::Now);
        assert_eq!(closing.ask(now + INSISTING / 2), Ask::Insists, "the person asked again: the UI may hang");
        assert_eq!(closing.ask(now + Duration::from_secs(3_600)), Ask::Now, "the person had stayed");
    }

    #[test]
    fn who_answered_is_asked_anew_however_soon() {
        let (closing, now) = (Closing::default(), Instant::now());
        assert_eq!(closing.ask(now), Ask::Now);
        closing.answered();
        assert_eq!(closing.ask(now), Ask::Now, "an answer is proof that the UI does not hang");
        assert_eq!(closing.ask(now), Ask::Insists);
    }

    #[test]
    fn a_page_that_hears_is_left_to_ask() {
        let (closing, now) = (Closing::default(), Instant::now());
        assert_eq!(closing.ask(now), Ask::Now);
        closing.heard();
        assert!(!closing.is_unheard(now), "the page asks");
        assert_eq!(closing.ask(now), Ask::Insists, "twice in a row is insisting all the same");
        closing.answered();
        assert!(!closing.is_unheard(now), "nothing is asked any more");
    }

    #[test]
    fn the_system_asks_once_in_the_place_of_a_page_that_hears_nothing() {
        let (closing, now) = (Closing::default(), Instant::now());
        assert_eq!(closing.ask(now), Ask::Now);
        assert!(closing.is_unheard(now), "the system asks");
        assert_eq!(closing.ask(now + INSISTING), Ask::Wait, "one dialog is enough");
        assert!(closing.answered_natively());
        assert_eq!(closing.ask(now), Ask::Now, "who stayed is asked anew");
        assert!(closing.is_unheard(now));
        closing.set(Step::HandingOver);
        assert!(!closing.answered_natively(), "in the page the person decided otherwise");
        assert!(closing.is_handing_over(), "and that goes on");
    }

    #[test]
    fn closing_again_while_handing_over_quits_nothing() {
        let (closing, now) = (Closing::default(), Instant::now());
        assert_eq!(closing.ask(now), Ask::Now);
        closing.set(Step::HandingOver);
        assert_eq!(closing.ask(now), Ask::Wait, "serve does not follow the tasks yet");
        assert_eq!(closing.ask(now + Duration::from_secs(3_600)), Ask::Wait);
        closing.answered();
        assert_eq!(closing.ask(now), Ask::Now, "serve did not take over, and the window stayed");
    }
}
