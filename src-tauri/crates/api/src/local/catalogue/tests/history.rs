//! Any history of commits: tasks and questions come, change and go, and servers are renamed and signed out.

use proptest::{collection::vec, prelude::*, sample::select};
use signalbox_model::Health;

use super::{
    plain::{self, SERVERS, Unit},
    *,
};

/// Numbers of tasks and of questions stay below these.
pub(super) const CALLS: u32 = 10;
pub(super) const QUESTIONS: u32 = 12;

/// Hours: no bound of a filter is passed while a test runs.
pub(super) const HOUR: Unit = Unit { ms: 3_600_000, letter: 'h' };

/// What rows are around, some minutes off whole hours from now.
pub(super) fn around() -> i64 {
    wall().0 - HOUR.ms / 6
}

pub(super) fn servers() -> Vec<Write> {
    SERVERS.zip(["ci", "Dev box", "lab"]).map(|(id, name)| signed(id, name, false)).collect()
}

pub(super) fn signed(id: u32, name: &str, away: bool) -> Write {
    let mut write = server(id, name);
    if let (Write::PutServer(server), true) = (&mut write, away) {
        server.health = Health::SignInNeeded { since: Timestamp(0) };
    }
    write
}

/// What a question shows of its task never changes.
fn named(call: Call) -> Call {
    let tool = ["deploy", "Build", "build", "test_failed", ""][call.id.0 as usize % 5];
    let summary = ["Deploy api-gateway", "", "ÜBERSICHT done", "needs you"][call.id.0 as usize % 4];
    Call { tool: tool.to_owned(), summary: summary.to_owned(), ..call }
}

fn op() -> impl Strategy<Value = Write> {
    let put = plain::call(CALLS, around(), HOUR).prop_map(|call| put(named(call)));
    let asked = plain::question(QUESTIONS, CALLS, around(), HOUR);
    let names = select(vec!["ci", "Dev box", "ci-2", "s2"]);
    prop_oneof![
        6 => put,
        6 => asked.prop_map(|request| Write::PutRequest(Box::new(request))),
        1 => (1..CALLS).prop_map(|id| Write::ForgetCall(CallId(id))),
        1 => (1..QUESTIONS).prop_map(|id| Write::DropRequest(RequestId(id))),
        1 => (1..QUESTIONS).prop_map(|id| Write::DropAsked(RequestId(id))),
        2 => (1..CALLS, plain::tags()).prop_map(|(id, tags)| Write::PutTags { call: CallId(id), tags }),
        2 => (1_u32..4, names, any::<bool>()).prop_map(|(id, name, away)| signed(id, name, away)),
    ]
}

/// What is committed between two looks, each by itself.
pub(super) fn commits() -> impl Strategy<Value = Vec<Write>> {
    vec(op(), 0..6)
}

/// Hands them in one by one. What the store refuses, such as a question of a task that is not there, changes nothing.
pub(super) fn commit_each(submit: impl Fn(Batch) -> Result<(), Closed>, writes: Vec<Write>) {
    for write in writes {
        let _ = hand_in(&submit, vec![write]).recv().unwrap();
    }
}
