//! Every value of `tracking`, `outcome`, a question's `state` and why it closed: what leads there, when and why, and
//! what happens next. A value that is added breaks these matches until somebody has thought about it.
//!
//! Longer than most: the matches are one table, to be read against each other.

use signalbox_mcp::Error;
use signalbox_model::{CallId, CloseReason, Health, Outcome, RequestId, RequestState, Tracking};

use super::bench::*;
use crate::{schedule::Due, schedule::SLOT, step::Gate};

/// What happens next by itself.
#[derive(Debug, PartialEq, Eq)]
enum Next {
    /// A poll, in about so many ms (and a tenth more at most, in the next slot).
    Poll(u64),
    /// A question whether the server is there, in about so many ms.
    Probe(u64),
    /// The undo window ends, in so many ms.
    Send(u64),
    /// The answer to what is on the wire.
    Reply,
    /// Nothing, before a person acts or because nothing is left.
    Nothing,
}

/// How a value is reached on the modern wire; or which of these tests tells its story.
enum Way<T> {
    There(T),
    In(&'static str),
}

use Way::{In, There};

fn next(bench: &Bench, call: CallId) -> Next {
    let wait = |due| bench.state.shared.schedule.at(due).map(|at| at - bench.now.steady_ms);
    let about = |ms: u64| ms - ms / 11;
    if let Some(ms) = wait(Due::Send(call)) {
        return Next::Send(ms);
    }
    let station = &bench.state.rooms.servers.all[&SERVER];
    if bench.state.rooms.calls.live.contains_key(&call) && !bench.flights.is_empty() {
        return Next::Reply;
    }
    match (wait(Due::Poll(call)), wait(Due::Probe(SERVER))) {
        (Some(ms), _) if station.reach.gate == Gate::Open => Next::Poll(about(ms.saturating_sub(SLOT - 1))),
        (_, Some(ms)) => Next::Probe(about(ms)),
        _ => Next::Nothing,
    }
}

/// About `expected`, since jitter adds up to a tenth.
fn comes_next(bench: &Bench, call: CallId, expected: &Next, told: &str) {
    let found = next(bench, call);
    let near = |found: u64, expected: u64| found <= expected && found * 11 >= expected * 9;
    let fits = match (&found, expected) {
        (Next::Poll(a), Next::Poll(b)) | (Next::Probe(a), Next::Probe(b)) => near(*a, *b),
        (a, b) => a == b,
    };
    assert!(fits, "{told}: next is {found:?}, not {expected:?}");
}

fn with_ttl(bench: &mut Bench) -> CallId {
    let call = bench.call();
    let made = r#"{"resultType":"task","taskId":"T","status":"working","ttlMs":20000,"pollIntervalMs":1000}"#;
    bench.reply_call(call, Ok(called(made)));
    call
}

/// The story that leads to it, its note's code, what comes next, and the value after this one.
type Story = (fn(&mut Bench) -> CallId, Option<NoteCode>, Next);

fn tracking(value: Tracking) -> (Story, Option<Tracking>) {
    match value {
        Tracking::Live => ((Bench::task, None, Next::Poll(1_000)), Some(Tracking::Stalled)),
        Tracking::Stalled => {
            let story: Story = (
                |bench| {
                    let call = bench.task();
                    (0..3).for_each(|_| bench.poll(call, Err(rpc(-32603))));
                    call
                },
                Some(NoteCode::ServerError),
                // Polled more and more seldom.
                Next::Poll(8_000),
            );
            (story, Some(Tracking::Unreachable))
        }
        Tracking::Unreachable => {
            let story: Story = (
                |bench| {
                    let call = bench.task();
                    bench.poll(call, Err(unreachable()));
                    call
                },
                None,
                Next::Probe(1_000),
            );
            (story, Some(Tracking::SignInNeeded))
        }
        Tracking::SignInNeeded => {
            let story: Story = (
                |bench| {
                    let call = bench.task();
                    bench.poll(call, Err(Error::SignInNeeded { status: 401, challenge: None }));
                    call
                },
                None,
                Next::Nothing,
            );
            (story, Some(Tracking::Expired))
        }
        Tracking::Expired => {
            let story: Story = (
                |bench| {
                    let call = with_ttl(bench);
                    bench.poll(call, Err(Error::SignInNeeded { status: 401, challenge: None }));
                    let left =
                        bench.state.rooms.calls.live[&call].polling.dies_at.unwrap() - bench.now.steady_ms;
                    bench.pass(left + 250);
                    call
                },
                Some(NoteCode::UnknownItem),
                // A sign-in, and then a poll that tells.
                Next::Nothing,
            );
            (story, Some(Tracking::NotFound))
        }
        Tracking::NotFound => {
            let story: Story = (
                |bench| {
                    let call = bench.task();
                    bench.poll(call, Ok(working("")));
                    bench.poll(call, Err(rpc(-32602)));
                    call
                },
                Some(NoteCode::ServerError),
                // Once may be a mistake.
                Next::Poll(1_000),
            );
            (story, Some(Tracking::Done))
        }
        Tracking::Done => {
            let story: Story = (
                |bench| {
                    let call = bench.task();
                    bench.poll(call, Ok(done()));
                    call
                },
                None,
                Next::Nothing,
            );
            (story, None)
        }
    }
}

#[test]
fn every_tracking() {
    let mut value = Some(Tracking::Live);
    while let Some(expected) = value {
        let ((story, code, then), following) = tracking(expected);
        let mut bench = Bench::new();
        let call = story(&mut bench);
        let row = bench.row(call);
        let health = &bench.disk.servers[&SERVER].health;
        // What holds for all tasks of a server is kept once, at the server: rows say it when they are read.
        match expected {
            Tracking::Unreachable => {
                let Health::Unreachable { since, retry_at, .. } = health else { panic!("{health:?}") };
                let next = bench.state.shared.schedule.at(Due::Probe(SERVER)).unwrap() - bench.now.steady_ms;
                assert_eq!(
                    (*since, *retry_at),
                    (bench.now.wall, bench.now.plus_ms(next).wall),
                    "when, and when again"
                );
            }
            Tracking::SignInNeeded => assert_eq!(*health, Health::SignInNeeded { since: bench.now.wall }),
            _ => assert_eq!(row.tracking, expected),
        }
        assert_eq!(row.note.as_ref().map(|note| note.code), code, "{expected:?}: why");
        let last = bench.disk.events.iter().rfind(|event| event.call == call).unwrap();
        let at_server = matches!(expected, Tracking::Unreachable | Tracking::SignInNeeded);
        assert!(at_server || last.at == bench.now.wall, "{expected:?}: when");
        comes_next(&bench, call, &then, &format!("{expected:?}"));
        value = following;
    }
}

fn outcome(value: Outcome) -> (Story, Option<Outcome>) {
    fn ending(bench: &mut Bench, state: &str) -> CallId {
        let call = bench.task();
        bench.poll(call, Ok(json(state)));
        call
    }
    let (story, code, following): (fn(&mut Bench) -> CallId, _, _) = match value {
        Outcome::Ok => (|bench| ending(bench, done().text()), None, Some(Outcome::ToolError)),
        Outcome::ToolError => (
            |bench| ending(bench, r#"{"status":"completed","result":{"isError":true}}"#),
            None,
            Some(Outcome::ProtocolError),
        ),
        Outcome::ProtocolError => (
            |bench| ending(bench, r#"{"status":"failed","error":{"code":-1,"message":"no"}}"#),
            Some(NoteCode::ServerError),
            Some(Outcome::Cancelled),
        ),
        Outcome::Cancelled => (
            |bench| {
                let call = bench.task();
                bench.wish(bench.cancels(call)).unwrap();
                bench.reply_cancel(call, Ok(json("{}")));
                assert_eq!(bench.row(call).outcome, None, "requested, until the server says");
                bench.poll(call, Ok(json(r#"{"status":"cancelled"}"#)));
                call
            },
            None,
            Some(Outcome::Expired),
        ),
        Outcome::Expired => (
            |bench| {
                let call = with_ttl(bench);
                while bench.now.steady_ms < 20_000 {
                    bench.poll(call, Ok(json(r#"{"status":"working","ttlMs":20000,"pollIntervalMs":1000}"#)));
                }
                bench.poll(call, Err(rpc(-32602)));
                call
            },
            Some(NoteCode::UnknownItem),
            Some(Outcome::Lost),
        ),
        Outcome::Lost => (
            |bench| {
                let call = bench.task();
                bench.poll(call, Err(rpc(-32602)));
                bench.poll(call, Err(rpc(-32602)));
                call
            },
            Some(NoteCode::UnknownItem),
            Some(Outcome::Unknown),
        ),
        Outcome::Unknown => (
            |bench| {
                let call = bench.call();
                bench.reply_call(call, Err(lost()));
                call
            },
            Some(NoteCode::Lost),
            None,
        ),
    };
    ((story, code, Next::Nothing), following)
}

#[test]
fn every_outcome() {
    let mut value = Some(Outcome::Ok);
    while let Some(expected) = value {
        let ((story, code, then), following) = outcome(expected);
        let mut bench = Bench::new();
        let call = story(&mut bench);
        let row = bench.row(call);
        assert_eq!((row.outcome, row.ended_at), (Some(expected), Some(bench.now.wall)), "when");
        assert_eq!(row.note.as_ref().map(|note| note.code), code, "{expected:?}: why");
        let tracking = match expected {
            Outcome::Expired => Tracking::Expired,
            Outcome::Lost => Tracking::NotFound,
            _ => Tracking::Done,
        };
        assert_eq!((row.tracking, row.next_poll_at), (tracking, None), "{expected:?}");
        comes_next(&bench, call, &then, &format!("{expected:?}"));
        bench.pass(3_000_000);
        assert_eq!(bench.flights, [], "nothing follows {expected:?}");
        value = following;
    }
}

type Asked = (fn(&mut Bench, CallId, RequestId), Next);

fn state(value: RequestState) -> (Way<Asked>, Option<RequestState>) {
    use RequestState::*;
    fn held(bench: &mut Bench, _: CallId, id: RequestId) {
        bench.answer(id, 5_000).unwrap();
    }
    fn sending(bench: &mut Bench, _: CallId, id: RequestId) {
        bench.answer(id, 0).unwrap();
    }
    fn answered(bench: &mut Bench, call: CallId, id: RequestId) {
        bench.answer(id, 0).unwrap();
        bench.reply_update(call, Ok(json("{}")));
    }
    match value {
        Open => (There((|_, _, _| {}, Next::Poll(1_000))), Some(Held)),
        Held => (There((held, Next::Send(5_000))), Some(Sending)),
        Sending => (There((sending, Next::Reply)), Some(Answered)),
        Answered => (There((answered, Next::Poll(1_000))), Some(NotTaken)),
        NotTaken => {
            let story: Asked = (
                |bench, call, id| {
                    answered(bench, call, id);
                    (0..31).for_each(|_| bench.poll(call, Ok(asking(&["a"]))));
                },
                Next::Poll(1_000),
            );
            (There(story), Some(Refused))
        }
        Refused => {
            let story: Asked = (
                |bench, call, id| {
                    bench.answer(id, 0).unwrap();
                    bench.reply_update(call, Err(rpc(-32602)));
                },
                Next::Poll(1_000),
            );
            (There(story), Some(Closed))
        }
        Closed => {
            let story: Asked = (|bench, call, _| bench.poll(call, Ok(working(""))), Next::Poll(1_000));
            (There(story), Some(Orphaned))
        }
        Orphaned => {
            let story = "legacy::a_connection_that_ends_orphans_its_questions_until_they_are_asked_again";
            (In(story), Some(Unknown))
        }
        Unknown => {
            // Of a round; whether to send it once more is the person's to say.
            let story: Asked = (
                |bench, call, id| {
                    sending(bench, call, id);
                    bench.reply_call(call, Err(lost()));
                },
                Next::Nothing,
            );
            (There(story), None)
        }
    }
}

#[test]
fn every_state_of_a_question() {
    let mut value = Some(RequestState::Open);
    while let Some(expected) = value {
        let (way, following) = state(expected);
        value = following;
        let (story, then) = match way {
            There(there) => there,
            In(test) => {
                assert!(stands_there(test), "{test}");
                continue;
            }
        };
        let mut bench = Bench::new();
        let (call, ids) = match expected {
            RequestState::Unknown => bench.asked_round(&["a"]),
            _ => bench.asked_task(&["a"]),
        };
        story(&mut bench, call, ids[0]);
        let row = bench.question(ids[0]);
        assert_eq!(row.state, expected);
        let over = matches!(expected, RequestState::Answered | RequestState::Closed);
        assert_eq!(row.closed_at, over.then_some(bench.now.wall), "{expected:?}: when it was over");
        if let Some(answer) = &row.answer {
            let now = Some(bench.now.wall);
            let sent = !matches!(expected, RequestState::Held);
            assert!(answer.sent_at.is_some() == sent && answer.decided_at <= bench.now.wall, "{answer:?}");
            assert_eq!(answer.acknowledged_at == now, expected == RequestState::Answered, "{expected:?}");
            assert_eq!(answer.refusal.is_some(), expected == RequestState::Refused, "{expected:?}: why");
        }
        let waits = u32::from(row.needs_person());
        assert_eq!(bench.row(call).open_requests, waits, "{expected:?}: whether a person is needed");
        comes_next(&bench, call, &then, &format!("{expected:?}"));
    }
}

/// Whether there is a story of this name on the legacy wire, or of answers that go back to drafts.
fn stands_there(test: &str) -> bool {
    let name = test.trim_start_matches("legacy::").trim_start_matches("lapsing::");
    [
        include_str!("legacy/questions.rs"),
        include_str!("legacy/sessions.rs"),
        include_str!("legacy/put_away.rs"),
        include_str!("lapsing.rs"),
    ]
    .iter()
    .any(|stories| stories.contains(&format!("fn {name}()")))
}

type Closing = fn(&mut Bench, CallId);

fn reason(value: CloseReason) -> (Way<Closing>, Option<CloseReason>) {
    match value {
        CloseReason::TaskEnded => {
            (There(|bench, call| bench.poll(call, Ok(done()))), Some(CloseReason::AnsweredElsewhere))
        }
        CloseReason::AnsweredElsewhere => {
            (There(|bench, call| bench.poll(call, Ok(working("")))), Some(CloseReason::Superseded))
        }
        CloseReason::Superseded => {
            let story = "legacy::an_id_that_is_used_again_is_another_question_and_a_flood_is_refused";
            (In(story), Some(CloseReason::DeclinedByUs))
        }
        CloseReason::DeclinedByUs => {
            let story = "legacy::roots_are_the_persons_list_and_declining_to_sample_is_an_error";
            (In(story), Some(CloseReason::PutAway))
        }
        CloseReason::PutAway => (In("legacy::what_is_put_away_is_over_for_good"), Some(CloseReason::Lapsed)),
        CloseReason::Lapsed => (In("lapsing::a_clean_end_takes_back_what_is_held_and_nothing_else"), None),
    }
}

#[test]
fn every_reason_why_a_question_closes() {
    let mut value = Some(CloseReason::TaskEnded);
    while let Some(expected) = value {
        let (way, following) = reason(expected);
        value = following;
        let story = match way {
            There(there) => there,
            In(test) => {
                assert!(stands_there(test), "{test}");
                continue;
            }
        };
        for answered in [false, true] {
            let mut bench = Bench::new();
            let (call, ids) = bench.asked_task(&["a"]);
            if answered {
                bench.answer(ids[0], 60_000).unwrap();
            }
            story(&mut bench, call);
            let row = bench.question(ids[0]);
            let when = (row.state, row.reason, row.closed_at);
            assert_eq!(when, (RequestState::Closed, Some(expected), Some(bench.now.wall)));
            assert_eq!(row.answer.is_some(), answered, "what was decided stays to be seen");
            bench.pass(100_000);
            assert!(bench.updates(call).is_empty(), "and is sent to nobody");
        }
    }
}
