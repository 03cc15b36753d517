//! The table of [`super::next`], row by row: of the rows that fit the first one counts. It is held against every way in which a
//! question can stand, and counts how often the worlds have been in each row, and in each cell: under which promise, in which
//! state, what happened.

use std::sync::atomic::{AtomicU64, Ordering};

use signalbox_model::{CloseReason, RequestState as S};

use super::{Becomes as B, Fact as F, OfCall, Promise, Standing, is_unsent, next};

const TASK: Promise = Promise::AskFirst;
const ROUND: Promise = Promise::WholeRoundOnce;
const WIRE: Promise = Promise::OnceOnThisConnection;
const ALL: &[Promise] = &[TASK, ROUND, WIRE];
const ANY: &[S] =
    &[S::Open, S::Held, S::Sending, S::Answered, S::NotTaken, S::Refused, S::Unknown, S::Orphaned, S::Closed];
const FACTS: [F; 13] = [
    F::Acknowledged,
    F::Refused,
    F::NeverLeft,
    F::NeverLeftAndGone,
    F::Lost,
    F::NotWanted,
    F::StillAsked,
    F::AskedForLong,
    F::Gone,
    F::Disconnected,
    F::CallWentOn,
    F::CallOver,
    F::Restarted,
];
const ENDED: B = B::Closed(CloseReason::TaskEnded);
const ELSEWHERE: B = B::Closed(CloseReason::AnsweredElsewhere);

/// One row: under which promises, in which states, what happened, what else must hold, and what becomes of the question.
struct Row(&'static [Promise], &'static [S], F, fn(&Standing) -> bool, B);

fn always(_: &Standing) -> bool {
    true
}

const ROWS: &[Row] = &[
    // The server took note.
    Row(&[WIRE], &[S::Sending], F::Acknowledged, |s| s.shapeless, B::Closed(CloseReason::DeclinedByUs)),
    Row(&[ROUND], &[S::Sending], F::Acknowledged, always, B::AcknowledgedAndTaken),
    Row(&[TASK, WIRE], &[S::Sending], F::Acknowledged, |s| s.call == OfCall::WentOn, B::AcknowledgedAndTaken),
    Row(&[TASK, WIRE], &[S::Sending], F::Acknowledged, always, B::Acknowledged),
    // It said no.
    Row(&[TASK], &[S::Sending], F::Refused, |s| s.call != OfCall::GoesOn, ENDED),
    Row(&[WIRE], &[S::Sending], F::Refused, |s| s.pending, B::Same),
    Row(&[TASK, WIRE], &[S::Sending], F::Refused, |s| !s.first, B::Unknown),
    Row(ALL, &[S::Sending], F::Refused, always, B::Refused),
    // It did not leave.
    Row(&[TASK], &[S::Sending], F::NeverLeft, |s| s.call != OfCall::GoesOn, ENDED),
    Row(&[WIRE], &[S::Sending], F::NeverLeft, |s| s.sent && !s.pending, B::Unknown),
    Row(ALL, &[S::Sending], F::NeverLeft, always, B::Same),
    Row(&[WIRE], &[S::Sending], F::NeverLeftAndGone, |s| s.sent && !s.pending, B::Unknown),
    Row(&[WIRE], &[S::Sending], F::NeverLeftAndGone, |s| !s.sent, B::Orphaned),
    Row(&[WIRE], &[S::Sending], F::NeverLeftAndGone, always, B::Same),
    // Nobody knows.
    Row(&[TASK, WIRE], &[S::Sending], F::Lost, |s| s.call == OfCall::WentOn, B::Taken),
    Row(&[TASK], &[S::Sending], F::Lost, |s| s.call == OfCall::Over, ENDED),
    Row(&[TASK], &[S::Sending], F::Lost, always, B::Same),
    Row(&[WIRE], &[S::Sending], F::Lost, |s| s.pending, B::Same),
    Row(&[ROUND, WIRE], &[S::Sending], F::Lost, always, B::Unknown),
    // Nobody waits for it.
    Row(&[WIRE], &[S::Sending], F::NotWanted, |s| !s.hosted, ELSEWHERE),
    Row(&[WIRE], &[S::Sending], F::NotWanted, |s| s.sent && !s.pending, B::Unknown),
    Row(&[WIRE], &[S::Sending], F::NotWanted, always, B::Same),
    // A poll shows it.
    Row(&[TASK], &[S::Closed], F::StillAsked, |s| s.withdrawn, B::Open),
    Row(&[TASK], ANY, F::StillAsked, always, B::Same),
    Row(&[TASK], &[S::Answered], F::AskedForLong, always, B::NotTaken),
    // A poll does not show it.
    Row(&[TASK], &[S::Sending], F::Gone, |s| s.sent && s.pending, B::Same),
    Row(&[TASK], &[S::Sending], F::Gone, |s| s.sent, B::Taken),
    Row(&[TASK], &[S::NotTaken, S::Unknown], F::Gone, always, B::Taken),
    Row(&[TASK], &[S::Answered], F::Gone, |s| !s.taken, B::Taken),
    Row(&[TASK], &[S::Answered, S::Closed], F::Gone, always, B::Same),
    Row(&[TASK], ANY, F::Gone, always, ELSEWHERE),
    // Its connection is gone.
    Row(&[WIRE], &[S::Sending], F::Disconnected, |s| s.sent, B::Same),
    Row(&[WIRE], &[S::Unknown, S::Orphaned, S::Answered, S::Closed], F::Disconnected, always, B::Same),
    Row(&[WIRE], ANY, F::Disconnected, always, B::Orphaned),
    // Its call came to a result.
    Row(ALL, &[S::Closed], F::CallWentOn, always, B::Same),
    Row(ALL, &[S::Answered], F::CallWentOn, |s| s.taken, B::Same),
    Row(ALL, &[S::Answered], F::CallWentOn, always, B::Taken),
    Row(&[WIRE], &[S::Sending], F::CallWentOn, |s| s.sent, B::Same),
    Row(ALL, &[S::Sending], F::CallWentOn, |s| s.sent && s.pending, B::Same),
    Row(&[TASK, ROUND], &[S::Sending, S::Unknown], F::CallWentOn, |s| s.sent, B::Taken),
    Row(ALL, ANY, F::CallWentOn, always, ENDED),
    // It came to none.
    Row(ALL, &[S::Closed, S::Answered], F::CallOver, always, B::Same),
    Row(&[WIRE], &[S::Sending], F::CallOver, |s| s.sent, B::Same),
    Row(ALL, &[S::Sending], F::CallOver, |s| s.sent && s.pending, B::Same),
    Row(ALL, ANY, F::CallOver, always, ENDED),
    // We ended.
    Row(&[WIRE], &[S::Sending], F::Restarted, |s| s.sent, B::Unknown),
    Row(&[WIRE], ANY, F::Restarted, always, B::Same),
];

/// Cells of which the types know nothing, and that nothing can bring about: under which promises, in which states, what would
/// have to happen, and why it cannot.
struct Never(&'static [Promise], &'static [S], &'static [F], &'static str);

const ONLY_ON_A_CONNECTION: &str = "only what was asked on a connection can lose it";
const ONLY_A_POLL: &str = "only the polls of a task show that an answer is not taken";
const ALL_OF_A_ROUND: &str = "a round goes with all its answers, and what answers it acknowledges them first";
const ONLY_WHAT_WENT_OUT: &str =
    "of a question to which no answer has gone out, a result tells no more than that its call is over";
const NOBODY_TO_LOSE: &str = "for what is over nobody waits on a connection";
const ROUND_GIVEN_UP: &str = "what was asked in a round closes only when its call is given up";
const NOT_LOADED: &str = "what is closed stays with the store";

const NEVER: &[Never] = &[
    Never(
        &[TASK],
        &[S::Orphaned],
        &[F::StillAsked, F::Gone, F::CallWentOn, F::CallOver],
        ONLY_ON_A_CONNECTION,
    ),
    Never(&[ROUND], &[S::Orphaned], &[F::CallWentOn, F::CallOver], ONLY_ON_A_CONNECTION),
    Never(&[ROUND], &[S::NotTaken], &[F::CallWentOn, F::CallOver], ONLY_A_POLL),
    Never(&[WIRE], &[S::NotTaken], &[F::CallWentOn, F::CallOver, F::Disconnected, F::Restarted], ONLY_A_POLL),
    Never(
        &[ROUND],
        &[S::Open, S::Held, S::Sending, S::Refused, S::Unknown],
        &[F::CallWentOn],
        ALL_OF_A_ROUND,
    ),
    Never(
        &[WIRE],
        &[S::Open, S::Held, S::Refused, S::Unknown, S::Orphaned, S::Closed],
        &[F::CallWentOn],
        ONLY_WHAT_WENT_OUT,
    ),
    Never(&[WIRE], &[S::Answered, S::Orphaned, S::Closed], &[F::Disconnected], NOBODY_TO_LOSE),
    Never(&[ROUND], &[S::Closed], &[F::CallWentOn], ROUND_GIVEN_UP),
    Never(&[WIRE], &[S::Closed], &[F::Restarted], NOT_LOADED),
];

static ROWS_ENTERED: [AtomicU64; ROWS.len()] = [const { AtomicU64::new(0) }; ROWS.len()];
/// Of each promise, each state and each fact.
static CELLS_ENTERED: [[[AtomicU64; FACTS.len()]; ANY.len()]; ALL.len()] =
    [const { [const { [const { AtomicU64::new(0) }; FACTS.len()] }; ANY.len()] }; ALL.len()];

/// How often a cell was entered.
fn cell(promise: Promise, state: S, fact: F) -> &'static AtomicU64 {
    fn at<T: PartialEq>(all: &[T], one: T) -> usize {
        all.iter().position(|other| *other == one).expect("BUG: all of them are listed")
    }
    &CELLS_ENTERED[at(ALL, promise)][at(ANY, state)][at(&FACTS, fact)]
}

/// Why nothing can bring this cell about; none where something can.
fn never(promise: Promise, state: S, fact: F) -> Option<&'static str> {
    let fits = |Never(promises, states, facts, _): &&Never| {
        promises.contains(&promise) && states.contains(&state) && facts.contains(&fact)
    };
    NEVER.iter().find(fits).map(|Never(.., why)| *why)
}

fn row_of(standing: &Standing, fact: F) -> usize {
    let fits = |Row(promises, states, of, holds, _): &Row| {
        *of == fact
            && promises.contains(&standing.promise)
            && states.contains(&standing.state)
            && holds(standing)
    };
    ROWS.iter().position(fits).unwrap_or_else(|| panic!("no row for {standing:?} and {fact:?}"))
}

/// A question met a fact.
pub(super) fn enter(standing: &Standing, fact: F) {
    assert!(fact.can_be_told_of(standing), "no wire tells {fact:?} of {standing:?}");
    let never = never(standing.promise, standing.state, fact);
    assert_eq!(never, None, "and yet it happened: {fact:?} to {standing:?}");
    ROWS_ENTERED[row_of(standing, fact)].fetch_add(1, Ordering::Relaxed);
    cell(standing.promise, standing.state, fact).fetch_add(1, Ordering::Relaxed);
}

/// How often each cell that something can bring about was entered in this process, in words.
pub(crate) fn cells_entered() -> Vec<(String, u64)> {
    let of_promise = |promise: &'static Promise| ANY.iter().map(move |state| (*promise, *state));
    let standings = ALL.iter().flat_map(of_promise);
    let cells = standings.flat_map(|(promise, state)| FACTS.map(|fact| (promise, state, fact)));
    let can_happen = cells.filter(|(promise, state, fact)| {
        fact.is_told(*promise, *state) && never(*promise, *state, *fact).is_none()
    });
    let counted = |(promise, state, fact)| {
        (format!("({promise:?}, {state:?}, {fact:?})"), cell(promise, state, fact).load(Ordering::Relaxed))
    };
    can_happen.map(counted).collect()
}

/// How often each row was entered in this process, in words.
pub(crate) fn rows_entered() -> Vec<(String, u64)> {
    let word = |Row(promises, states, fact, _, becomes): &Row| {
        let state = if states.len() == ANY.len() { "any".to_owned() } else { format!("{states:?}") };
        let promise = if promises.len() == ALL.len() { "any".to_owned() } else { format!("{promises:?}") };
        format!("{fact:?} {promise} {state} -> {becomes:?}")
    };
    ROWS.iter().zip(&ROWS_ENTERED).map(|(row, n)| (word(row), n.load(Ordering::Relaxed))).collect()
}

/// Every way in which a question can stand, and what can be told of it then.
fn cells() -> impl Iterator<Item = (Standing, F)> {
    let facts = |standing: Standing| FACTS.map(|fact| (standing, fact));
    standings().into_iter().flat_map(facts).filter(|(standing, fact)| fact.can_be_told_of(standing))
}

/// Every way in which a question can stand.
fn standings() -> Vec<Standing> {
    let mut all = Vec::new();
    for (promise, state) in ALL.iter().flat_map(|promise| ANY.iter().map(move |state| (*promise, *state))) {
        for call in [OfCall::GoesOn, OfCall::WentOn, OfCall::Over] {
            for bits in 0_u32..1 << 7 {
                let is = |bit: u32| bits & (1 << bit) != 0;
                all.push(Standing {
                    promise,
                    state,
                    sent: is(0),
                    pending: is(1),
                    first: is(2),
                    taken: is(3),
                    shapeless: is(4),
                    withdrawn: is(5),
                    // Only that wire can have us host a task.
                    hosted: is(6) && promise == WIRE,
                    call,
                });
            }
        }
    }
    all
}

#[test]
fn every_cell_has_its_row() {
    let mut met = [false; ROWS.len()];
    for (standing, fact) in cells() {
        let row = row_of(&standing, fact);
        met[row] = true;
        assert_eq!(next(&standing, fact), ROWS[row].4, "{standing:?} and {fact:?}");
    }
    let idle: Vec<usize> = (0..ROWS.len()).filter(|row| !met[*row]).collect();
    assert_eq!(idle, Vec::<usize>::new(), "rows that nothing can enter");
}

#[test]
fn what_nothing_can_bring_about_is_named_once_and_with_its_reason() {
    for Never(promises, states, facts, why) in NEVER {
        assert!(!why.is_empty(), "a reason for {states:?} and {facts:?}");
        for (promise, state) in
            promises.iter().flat_map(|promise| states.iter().map(move |state| (*promise, *state)))
        {
            for fact in *facts {
                assert!(
                    fact.is_told(promise, state),
                    "no wire tells {fact:?} of {promise:?} and {state:?} anyway"
                );
                assert_eq!(
                    never(promise, state, *fact),
                    Some(*why),
                    "named twice: {promise:?}, {state:?}, {fact:?}"
                );
            }
        }
    }
}

#[test]
fn what_cannot_be_told_of_a_question_changes_nothing() {
    for standing in standings() {
        for fact in FACTS.into_iter().filter(|fact| !fact.can_be_told_of(&standing)) {
            assert_eq!(next(&standing, fact), B::Same, "{standing:?} and {fact:?}");
        }
    }
}

#[test]
fn what_must_never_become_of_an_answer() {
    for mut standing in standings() {
        for fact in FACTS {
            let unsent = is_unsent(&standing, fact);
            standing.sent &= !unsent;
            let becomes = next(&standing, fact);
            let what = || format!("{standing:?} and {fact:?}: {becomes:?}");
            let last = standing.promise == ROUND || !standing.pending;
            if standing.promise != TASK && standing.state == S::Sending && fact == F::Lost && last {
                assert_ne!(becomes, B::Same, "only a task's answer goes again by itself: {}", what());
            }
            if standing.state == S::Closed {
                assert!(matches!(becomes, B::Same | B::Open), "what is over stays so: {}", what());
            }
            let may_have_arrived = standing.sent && [S::Sending, S::Unknown].contains(&standing.state);
            if may_have_arrived {
                assert_ne!(becomes, B::Orphaned, "that it may have arrived is not forgotten: {}", what());
                assert_ne!(becomes, B::Open, "nor is it asked as if it had not: {}", what());
            }
            let is_unanswered = [S::Open, S::Held].contains(&standing.state);
            if is_unanswered {
                let taken = [B::Taken, B::Acknowledged, B::AcknowledgedAndTaken, B::Unknown, B::Refused];
                assert!(!taken.contains(&becomes), "nothing went out: {}", what());
            }
            if unsent {
                assert!(![B::Unknown, B::Taken].contains(&becomes), "it never left: {}", what());
            }
        }
    }
}
