//! When servers last answered: exact in memory, shown and kept seldom.

use signalbox_mcp::{Channel, Error, Hint, ServerNews, ServerNotification, SessionEvent};
use signalbox_model::{Breach, Timestamp, Transport};
use signalbox_store::Write;

use super::bench::*;
use crate::{Follow, Input, Intent};

fn heard(bench: &Bench) -> Option<Timestamp> {
    bench.state.rooms.servers.all[&SERVER].server.heard_at
}

#[test]
fn whatever_a_server_says_was_an_answer_and_what_never_came_was_none() {
    let html = Error::NotMcp { status: Some(200), content_type: None, hint: Hint::Page };
    let table = [
        (Ok(working("")), true),
        (Err(rpc(-32603)), true),
        (Err(Error::TooLarge { limit: 1 }), true),
        (Err(Error::Protocol { breach: Breach::UnknownType, raw: None }), true),
        (Err(Error::SignInNeeded { status: 401, challenge: None }), true),
        (Err(Error::SignInNeeded { status: 403, challenge: None }), false),
        (Err(Error::Throttled { status: 429, retry_after: None }), true),
        (Err(Error::Throttled { status: 503, retry_after: None }), false),
        (Err(html), false),
        (Err(lost()), false),
        (Err(unreachable()), false),
        (Err(exited()), false),
        (Err(Error::Timeout { ms: 1 }), false),
        (Err(Error::Closed), false),
    ];
    for (reply, answered) in table {
        let mut bench = Bench::new();
        let call = bench.task();
        let told = format!("{reply:?}");
        bench.until_polled(call);
        let before = heard(&bench);
        bench.pass(3_000);
        bench.reply_poll(call, reply);
        let expected = if answered { Some(bench.now.wall) } else { before };
        assert_eq!(heard(&bench), expected, "{told}");
    }
}

#[test]
fn what_a_server_of_the_legacy_wire_sends_counts_and_the_end_of_its_connection_does_not() {
    let told = ServerNotification {
        news: ServerNews::Log,
        related_task: None,
        channel: Channel::Shared,
        raw: json("{}"),
    };
    let table = [
        (SessionEvent::Notification(Box::new(told)), true),
        (SessionEvent::Missed(3), false),
        (SessionEvent::Ended(lost()), false),
    ];
    for (event, said) in table {
        let mut bench = Bench::new();
        let before = heard(&bench);
        bench.pass(3_000);
        let words = format!("{event:?}");
        bench.feed(Input::Heard { server: SERVER, link: 1, event: Box::new(event), fresh: None });
        assert_eq!(heard(&bench), if said { Some(bench.now.wall) } else { before }, "{words}");
    }
}

#[test]
fn an_answer_every_second_is_shown_twice_a_minute_and_kept_once() {
    let mut bench = Bench::new();
    let call = bench.task();
    let (shown, kept) = (bench.heard.len(), bench.disk.heard);
    let (mut polls, begin) = (0, bench.now);
    while bench.now.steady_ms < begin.steady_ms + 600_000 {
        bench.poll(call, Ok(working("")));
        polls += 1;
        let (_, at) = *bench.heard.last().expect("it was shown");
        let age = bench.now.wall.ms_since(at.expect("it has answered"));
        assert!(age < 60_000, "what is shown of a server that answers never looks old: {age}");
        let age = bench.now.wall.ms_since(bench.disk.servers[&SERVER].heard_at.expect("kept"));
        assert!(age < 100_000, "nor is the row far behind: {age}");
    }
    let (shown, kept) = (bench.heard.len() - shown, bench.disk.heard - kept);
    assert!(polls > 500 && (19..=21).contains(&shown), "{shown} of {polls}");
    assert!((8..=11).contains(&kept), "{kept} of {polls}");
}

#[test]
fn what_is_shown_of_a_silent_server_is_exact() {
    let mut bench = Bench::new();
    let call = bench.task();
    for _ in 0..7 {
        bench.poll(call, Ok(working("")));
    }
    bench.poll(call, Ok(done()));
    let last = bench.now.wall;
    bench.pass(60_000);
    assert_eq!(bench.heard.last(), Some(&(SERVER, Some(last))));
    let shown = bench.heard.len();
    bench.pass(3_600_000);
    assert_eq!(bench.heard.len(), shown, "and a silent server costs nothing");
}

#[test]
fn what_a_person_asks_for_is_shown_at_once() {
    let mut bench = Bench::new();
    for _ in 0..3 {
        bench.pass(1_000);
        bench.feed(Input::Discovered { server: SERVER, reply: Ok(Box::new(found())) });
        assert_eq!(bench.heard.last(), Some(&(SERVER, Some(bench.now.wall))));
    }
}

#[test]
fn an_orderly_end_keeps_the_exact_moment_and_a_start_has_it() {
    let mut bench = Bench::new();
    let call = bench.task();
    bench.poll(call, Ok(working("")));
    let last = bench.now.wall;
    for write in bench.state.last_words() {
        bench.disk.apply(write);
    }
    let bench = bench.restart(3_600_000, Follow::Named);
    assert_eq!(heard(&bench), Some(last), "an hour later");
    let words = bench.state.last_words();
    assert!(!words.iter().any(|write| matches!(write, Write::PutHeard { .. })), "nothing new: {words:?}");
}

#[test]
fn another_address_has_not_answered_yet() {
    let mut bench = Bench::new();
    assert!(heard(&bench).is_some());
    let mut moved = bench.disk.servers[&SERVER].clone();
    moved.transport = Transport::Http { url: "http://127.0.0.1:9/mcp".to_owned(), headers: Vec::new() };
    bench.wish(Intent::PutServer(moved.clone())).unwrap();
    assert_eq!((heard(&bench), bench.disk.servers[&SERVER].heard_at), (None, None));
    assert_eq!(bench.heard.last(), Some(&(SERVER, None)), "nor is it shown");
    // But another name, or being switched off, is no other address.
    bench.feed(Input::Found { server: SERVER, found: Box::new(found()) });
    let last = heard(&bench);
    bench.wish(Intent::PutServer(signalbox_model::Server { enabled: false, ..moved })).unwrap();
    assert_eq!((heard(&bench), last.is_some()), (last, true));
}
