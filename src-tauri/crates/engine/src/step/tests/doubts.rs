//! An answer that is not MCP to one request: the request pays for it, and the server only when it does not say what it
//! is either.

use signalbox_mcp::{Error, Hint};
use signalbox_model::{CallId, Health, Outcome, PayloadKind, RequestState as S, Status, Tracking};

use super::bench::*;
use crate::{Intent, Refusal, step::Gate};

fn odd() -> Vec<Error> {
    let page = |status| Error::NotMcp { status: Some(status), content_type: None, hint: Hint::Page };
    vec![page(431), page(404), page(200), Error::SignInNeeded { status: 403, challenge: None }]
}

fn asked_whether_it_is_there(bench: &Bench) -> usize {
    bench.flights.iter().filter(|flight| **flight == Flight::Discover { server: SERVER }).count()
}

#[test]
fn one_task_that_cannot_be_asked_about_does_not_close_the_line_to_the_others() {
    for error in odd() {
        let mut bench = Bench::new();
        let (bad, good) = (bench.task(), bench.task());
        bench.pass(20_000);
        bench.poll(good, Ok(working("")));
        bench.poll(bad, Err(error.clone()));
        assert_eq!(bench.state.rooms.servers.all[&SERVER].reach.gate, Gate::Open, "{error:?}");
        assert_eq!(asked_whether_it_is_there(&bench), 1, "is it there? {error:?}");
        bench.reply_discover(Ok(found()));
        for _ in 0..4 {
            bench.poll(bad, Err(error.clone()));
            while asked_whether_it_is_there(&bench) > 0 {
                bench.reply_discover(Ok(found()));
            }
            bench.poll(good, Ok(working("")));
        }
        assert_eq!(bench.row(bad).tracking, Tracking::Stalled, "{error:?}");
        assert!(bench.row(bad).note.is_some());
        assert_eq!(bench.row(good).tracking, Tracking::Live);
        assert!(matches!(bench.disk.servers[&SERVER].health, Health::Ok { .. }));
        assert!(bench.until_polled(bad) > 10_000, "and it is asked about more and more seldom");
    }
}

#[test]
fn a_server_that_is_no_more_is_found_out_by_one_question() {
    for error in odd() {
        let mut bench = Bench::new();
        let crowd: Vec<CallId> = (0..8).map(|_| bench.task()).collect();
        bench.pass(20_000);
        for call in crowd {
            bench.reply_poll(call, Err(error.clone()));
        }
        assert_eq!(asked_whether_it_is_there(&bench), 1, "whatever the number of its tasks");
        bench.reply_discover(Err(error.clone()));
        assert_ne!(bench.state.rooms.servers.all[&SERVER].reach.gate, Gate::Open, "{error:?}");
        bench.pass(500);
        assert_eq!(bench.polls(), 0);
    }
}

#[test]
fn odd_answers_to_errands_do_not_close_the_line() {
    for error in odd() {
        let mut bench = Bench::new();
        let (call, ids) = bench.asked_task(&["a"]);
        let wish = bench.task();
        let plain = bench.call();
        bench.answer(ids[0], 0).unwrap();
        bench.wish(bench.cancels(wish)).unwrap();
        bench.reply_update(call, Err(error.clone()));
        bench.reply_cancel(wish, Err(error.clone()));
        bench.reply_call(plain, Err(error.clone()));
        assert_eq!(bench.state.rooms.servers.all[&SERVER].reach.gate, Gate::Open, "{error:?}");
        let definite = matches!(error, Error::NotMcp { status: Some(431), .. });
        assert_eq!(bench.question(ids[0]).state == S::Refused, definite, "{error:?}");
        assert_eq!(bench.row(wish).cancel.is_none(), definite, "{error:?}");
    }
}

#[test]
fn an_absurd_task_id_is_not_followed() {
    let mut bench = Bench::new();
    let long = "x".repeat(8_193);
    let refused = bench.wish(Intent::Track { server: SERVER, task_id: long.clone() });
    assert_eq!(refused, Err(Refusal::TaskIdTooLong { most: 8_192 }));
    let call = bench.call();
    bench.reply_call(
        call,
        Ok(called(&format!(r#"{{"resultType":"task","taskId":"{long}","status":"working"}}"#))),
    );
    let row = bench.row(call);
    assert_eq!((row.status, row.outcome), (Status::Unknown, Some(Outcome::ProtocolError)));
    assert!(bench.disk.payloads[&(call, PayloadKind::Create)].text().contains(&long), "kept as received");
    assert!(bench.wish(Intent::Track { server: SERVER, task_id: "x".repeat(8_192) }).is_ok());
}
