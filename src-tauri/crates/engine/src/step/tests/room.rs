//! How many bytes of questions are taken, and what becomes of the others. Longer than most: both wires share one room.

use signalbox_mcp::{CallReply, Called, SessionReply};
use signalbox_model::{
    CallId, CloseReason, EventKind, Json, LONGEST_TEXT, Outcome, Reason, RequestId, RequestState as S,
    Tracking,
};

use super::super::turn::LONGEST_TOLD;
use super::{bench::*, legacy::asks};
use crate::{
    Follow,
    room::{Closed, Room},
};

const MIB: usize = 1 << 20;

/// A task that asks for these keys, in words of so many bytes each. They stand in a question's raw JSON alone.
fn asking_long(keys: &[&str], bytes: usize) -> Json {
    let words = "x".repeat(bytes);
    json(&asking(keys).text().replace("Really?", &words))
}

fn round_long(keys: &[&str], bytes: usize) -> Called {
    called(&asking_long(keys, bytes).text().replacen('{', r#"{"resultType":"input_required","#, 1))
}

fn note(bench: &Bench, call: CallId) -> Option<NoteCode> {
    bench.row(call).note.as_ref().map(|note| note.code)
}

/// What a task weighs in memory.
fn weight(bench: &Bench, call: CallId) -> usize {
    bench.state.shared.room.of(SERVER, Some(call))
}

/// What the questions of a task have on the disk, in bytes.
fn kept(bench: &Bench, call: CallId) -> usize {
    bench.questions(call).into_iter().map(crate::room::weight).sum()
}

fn taken(bench: &mut Bench, call: CallId, request: RequestId) {
    bench.answer(request, 0).unwrap();
    bench.reply_update(call, Ok(json("{}")));
}

#[test]
fn what_does_not_fit_is_left_and_looked_for_again() {
    let mut bench = Bench::new();
    let call = bench.task();
    bench.poll(call, Ok(asking_long(&["a", "b", "c"], 10 * MIB)));
    assert_eq!(bench.states(call), [S::Open], "two of ten MiB each do not fit into sixteen");
    assert!(weight(&bench, call) <= Room::OF_TASK);
    assert_eq!(
        (note(&bench, call), bench.left),
        (Some(NoteCode::AsksTooMuch), 2),
        "it is said: at the task and its server"
    );
    let (first, writes) = (bench.questions(call)[0].id, bench.disk.writes);
    bench.poll(call, Ok(asking_long(&["a", "b", "c"], 10 * MIB)));
    assert_eq!(bench.disk.writes, writes, "while there is no room nothing changes");

    taken(&mut bench, call, first);
    bench.poll(call, Ok(asking_long(&["b", "c"], 10 * MIB)));
    assert_eq!(bench.states(call), [S::Answered, S::Open], "what was taken made room");
    assert_eq!((note(&bench, call), bench.left), (Some(NoteCode::AsksTooMuch), 1));
    bench.poll(call, Ok(asking_long(&["c"], 10 * MIB)));
    assert_eq!(bench.states(call), [S::Answered, S::Closed, S::Open]);
    assert_eq!(
        (note(&bench, call), bench.left),
        (None, 0),
        "all is taken, and it says nothing else any more"
    );
    let told = bench.disk.story(call).iter().filter(|kind| **kind == EventKind::LeftOut).count();
    assert_eq!(told, 1, "it was told once");
}

#[test]
fn that_questions_are_left_is_said_as_long_as_they_are() {
    let mut bench = Bench::new();
    let call = bench.task();
    let state = asking_long(&["a", "b"], 10 * MIB);
    bench.poll(call, Ok(state.clone()));
    bench.wish(bench.cancels(call)).unwrap();
    bench.reply_cancel(call, Err(rpc(-32603)));
    assert_eq!(bench.row(call).cancel, None, "that wish is over");
    assert_eq!(note(&bench, call), Some(NoteCode::AsksTooMuch), "and the questions are left as before");
    assert!(bench.disk.story(call).contains(&EventKind::Trouble), "its timeline has why");

    while bench.row(call).tracking == Tracking::Live {
        bench.poll(call, Err(rpc(-32603)));
    }
    assert_eq!(note(&bench, call), Some(NoteCode::ServerError), "worse comes first");
    bench.poll(call, Ok(state));
    assert_eq!(note(&bench, call), Some(NoteCode::AsksTooMuch), "and when it is over");
}

#[test]
fn a_small_one_does_not_wait_behind_one_that_never_fits() {
    let mut bench = Bench::new();
    let call = bench.task();
    let both = asking(&["huge", "small"]).text().replacen("Really?", &"x".repeat(17 * MIB), 1);
    bench.poll(call, Ok(json(&both)));
    assert_eq!(bench.questions(call).len(), 1);
    assert_eq!((bench.questions(call)[0].identity.key(), bench.left), ("small", 1));
}

#[test]
fn the_tasks_of_a_server_share_its_room_and_get_it_without_news() {
    let mut bench = Bench::new();
    let large: Vec<CallId> = (0..8).map(|_| bench.task()).collect();
    for call in &large {
        // The next poll of it comes in an hour: none waits for its answer meanwhile.
        let state = asking_long(&["a"], 15 * MIB).text().replace("1000", "3600000");
        bench.poll(*call, Ok(json(&state)));
    }
    let last = bench.task();
    let state = asking_long(&["a", "b"], 12 * MIB);
    bench.poll(last, Ok(state.clone()));
    assert_eq!(bench.states(last), [], "its own sixteen MiB are free, but not the server's");
    assert_eq!((note(&bench, last), bench.left), (Some(NoteCode::AsksTooMuch), 2));
    assert!(bench.state.shared.room.of(SERVER, None) <= Room::OF_SERVER);
    for call in &large {
        assert_eq!(bench.states(*call), [S::Open], "what is open makes no room");
    }
    bench.poll(large[0], Ok(done()));
    bench.poll(last, Ok(state));
    assert_eq!(bench.states(last), [S::Open], "the same bytes as before, and there is room for one");
    assert_eq!(bench.left, 1);
    bench.forget(last).unwrap();
    assert_eq!(bench.left, 0, "what was forgotten asks nothing");
}

#[test]
fn a_round_that_does_not_fit_ends_its_call_and_says_why() {
    let mut bench = Bench::new();
    let call = bench.call();
    bench.reply_call(call, Ok(round_long(&["a", "b"], 10 * MIB)));
    let row = bench.row(call);
    assert_eq!(row.outcome, Some(Outcome::ProtocolError));
    let note = row.note.as_ref().unwrap();
    assert_eq!((note.code, &note.reason), (NoteCode::AsksTooMuch, &Reason::RoundTooLarge));
    assert!(bench.questions(call).is_empty() && bench.disk.rounds.is_empty(), "and nothing of it is kept");
    let (call, _) = bench.asked_round(&["a", "b"]);
    assert_eq!(bench.states(call), [S::Open, S::Open], "one that fits is asked");
}

#[test]
fn what_a_round_carries_beside_its_questions_is_bounded_too() {
    let asks = |state: usize, more: usize| {
        let more = "x".repeat(more);
        let mut called = called(&format!(r#"{{"resultType":"input_required","more":"{more}"}}"#));
        if let CallReply::InputRequired { request_state, .. } = &mut called.reply {
            *request_state = Some("x".repeat(state));
        }
        called
    };
    let cases = [(MIB, 0, true), (MIB + 1, 0, false), (1, 15 * MIB, true), (1, 16 * MIB, false)];
    for (state, more, fits) in cases {
        let mut bench = Bench::new();
        let call = bench.call();
        bench.reply_call(call, Ok(asks(state, more)));
        assert_eq!(note(&bench, call), (!fits).then_some(NoteCode::AsksTooMuch), "{state} and {more} bytes");
        assert_eq!(bench.disk.rounds.is_empty(), !fits, "{state} and {more} bytes");
    }
}

#[test]
fn on_the_legacy_wire_it_is_refused_at_once() {
    let mut bench = Bench::legacy();
    let call = bench.task();
    let words = "x".repeat(10 * MIB);
    bench.hear(asks("1", &words, Some("task-1")));
    assert_eq!(bench.states(call), [S::Open]);
    bench.hear(asks("2", &words, Some("task-1")));
    assert_eq!(bench.states(call), [S::Open], "what is open stays");
    let (rpc, reply, _) = bench.wire_replies.last().unwrap();
    assert!(matches!(reply, SessionReply::Error { code: -32603, .. }) && rpc == "2", "{rpc}: {reply:?}");
    assert_eq!((note(&bench, call), bench.left), (Some(NoteCode::AsksTooMuch), 1));
    bench.hear(asks("1", &words, Some("task-1")));
    assert_eq!(bench.states(call), [S::Open], "the same again is the same question");
    assert_eq!(bench.wire_replies.len(), 1);
    bench.hear(asks("3", "Really?", Some("task-1")));
    assert_eq!(bench.states(call), [S::Open, S::Open], "there is room for a short one");
    assert_eq!((note(&bench, call), bench.left), (None, 0), "it is over");
}

#[test]
fn on_the_legacy_wire_an_answered_one_makes_room() {
    let mut bench = Bench::legacy();
    let call = bench.task();
    let words = "x".repeat(10 * MIB);
    for rpc in ["1", "2", "3"] {
        bench.hear(asks(rpc, &words, Some("task-1")));
        let asked = bench.disk.requests.values().last().unwrap();
        let (id, state) = (asked.id, asked.state);
        assert_eq!(state, S::Open, "{rpc}");
        bench.answer(id, 0).unwrap();
        bench.feed(crate::Input::Replied {
            server: SERVER,
            request: id,
            reply: Ok(signalbox_mcp::SessionReplied::Delivered),
        });
        assert!(bench.question(id).raw.text().contains(&words), "its words stay with the answer");
    }
    assert_eq!(bench.states(call), [S::Answered; 3]);
    assert!(weight(&bench, call) < MIB, "memory has no more than who they are");
}

#[test]
fn new_keys_at_each_poll_fill_neither_memory_nor_disk() {
    let mut bench = Bench::new();
    let call = bench.task();
    let mut decided = None;
    for poll in 0..100 {
        let keys: Vec<String> = (0..5).map(|n| format!("{poll}/{n}")).collect();
        let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
        bench.poll(call, Ok(asking_long(&keys, MIB / 2)));
        assert_eq!(bench.row(call).open_requests, 5, "what closed has made room");
        assert!(weight(&bench, call) < 4 * MIB, "only what is open weighs");
        assert!(kept(&bench, call) < Closed::BYTES + 5 * MIB, "of what nobody answered the last stays");
        if poll == 0 {
            let id = bench.questions(call)[0].id;
            taken(&mut bench, call, id);
            decided = Some(id);
        }
    }
    let decided = bench.question(decided.unwrap());
    assert_eq!(decided.state, S::Answered);
    assert!(decided.raw.text().len() > MIB / 2, "what was decided on stays");
    let timeline: usize =
        bench.disk.events.iter().filter_map(|event| event.text.as_ref()).map(String::len).sum();
    assert!(timeline < 4 * MIB, "the timeline says no more than how it begins: {timeline}");

    let before = bench.questions(call).len();
    let mut bench = bench.restart(0, Follow::All);
    assert_eq!(bench.questions(call).len(), before);
    assert!(weight(&bench, call) < 4 * MIB, "nor does a start take it into memory");
    bench.forget(call).unwrap();
    assert_eq!((bench.state.shared.room.len(), bench.state.shared.room.of(SERVER, None)), (0, 0));
}

/// A task that asks for the roots of its server under this key, with so many bytes beside.
fn asking_roots(key: &str, bytes: usize) -> Json {
    let more = "x".repeat(bytes);
    let asked = format!(r#""{key}":{{"method":"roots/list","params":{{"_meta":{{"x":"{more}"}}}}}}"#);
    json(&format!(
        r#"{{"status":"input_required","pollIntervalMs":1000,"ttlMs":null,"inputRequests":{{{asked}}}}}"#
    ))
}

#[test]
fn roots_that_we_told_leave_nothing_long_behind() {
    let mut bench = Bench::new();
    let call = bench.task();
    for poll in 0..50 {
        // The next poll shows that the answer before was taken.
        bench.poll(call, Ok(asking_roots(&poll.to_string(), MIB)));
        bench.reply_update(call, Ok(json("{}")));
        assert!(weight(&bench, call) < 3 * MIB && kept(&bench, call) < 3 * MIB, "poll {poll}");
    }
    bench.poll(call, Ok(asking_roots("short", 10)));
    bench.reply_update(call, Ok(json("{}")));
    bench.poll(call, Ok(working("")));
    let told = bench.questions(call);
    assert_eq!(told.len(), 51);
    for question in &told {
        let content = question.answer.as_ref().and_then(|answer| answer.content.as_ref());
        assert_eq!((question.state, content.map(Json::text)), (S::Answered, Some(r#"{"roots":[]}"#)));
        let is_short = question.identity.key() == "short";
        assert_eq!(!question.is_bare(), is_short, "{:?}: a short one stays as it came", question.identity);
    }
    let story = bench.disk.story(call);
    assert_eq!(story.iter().filter(|kind| **kind == EventKind::Taken).count(), 51);
}

#[test]
fn roots_that_a_server_refuses_to_be_told_leave_nothing_long_behind_either() {
    let mut bench = Bench::new();
    let call = bench.task();
    for n in 0..20 {
        bench.poll(call, Ok(asking_roots(&n.to_string(), MIB)));
        bench.reply_update(call, Err(rpc(-32603)));
        assert!(weight(&bench, call) < 3 * MIB && kept(&bench, call) < 3 * MIB, "poll {n}");
    }
    bench.poll(call, Ok(asking_roots("0", MIB)));
    let again = bench.questions(call)[0];
    assert_eq!((again.identity.key(), again.state), ("0", S::Sending), "asked again, it is told again");
    assert!(again.raw.text().len() > MIB, "with its words");
}

#[test]
fn an_answer_that_is_not_taken_needs_room_for_what_is_asked_then() {
    let mut bench = Bench::new();
    let call = bench.task();
    bench.poll(call, Ok(asking_long(&["a", "b"], 7 * MIB)));
    let ids: Vec<RequestId> = bench.questions(call).iter().map(|question| question.id).collect();
    taken(&mut bench, call, ids[0]);
    let asks = |of_a: usize| {
        let of_b = asking_long(&["b"], 7 * MIB).text().to_owned();
        let a = asking_long(&["a"], of_a).text().to_owned();
        let member = |state: &str| {
            let begin = state.find(r#""inputRequests":{"#).unwrap() + r#""inputRequests":{"#.len();
            state[begin..state.len() - 2].to_owned()
        };
        json(&of_b.replace(r#""inputRequests":{"#, &format!(r#""inputRequests":{{{},"#, member(&a))))
    };
    for _ in 0..10 {
        bench.pass(10_000);
        bench.poll(call, Ok(asks(12 * MIB)));
        assert!(weight(&bench, call) <= Room::OF_TASK, "{}", weight(&bench, call));
    }
    assert_eq!(bench.states(call), [S::Answered, S::Open], "in these words there is no room for it");
    assert_eq!((note(&bench, call), bench.left), (Some(NoteCode::AsksTooMuch), 1), "and that is said");
    bench.poll(call, Ok(asks(8 * MIB)));
    assert_eq!(bench.states(call), [S::NotTaken, S::Open], "what it weighed before makes room");
    assert_eq!((note(&bench, call), bench.left), (None, 0));
    assert!(bench.question(ids[0]).raw.text().len() > 8 * MIB, "as it is asked now");
    assert!(weight(&bench, call) <= Room::OF_TASK);
}

#[test]
fn a_timeline_says_how_a_long_text_begins() {
    let mut bench = Bench::new();
    let call = bench.task();
    bench.poll(call, Ok(asking_long(&["a"], MIB)));
    let asked = bench.disk.events.iter().find(|event| event.kind == EventKind::Asked).unwrap();
    let (told, notice) = (asked.text.as_ref().unwrap(), &bench.notices.last().unwrap().text);
    assert_eq!((told.len(), notice.len()), (LONGEST_TOLD, LONGEST_TOLD), "and the sign that it goes on");
    assert!(told.ends_with("x…"), "{}", &told[LONGEST_TOLD - 5..]);
    let question = bench.questions(call)[0];
    assert_eq!(question.message.len(), LONGEST_TEXT, "its row has how it begins");
    assert!(question.raw.text().len() > MIB, "all of it is with the question");
}

#[test]
fn that_some_are_left_is_said_no_longer_than_it_is_so() {
    let mut bench = Bench::new();
    let (ends, goes_on) = (bench.task(), bench.task());
    for call in [ends, goes_on] {
        bench.poll(call, Ok(asking_long(&["a", "b"], 10 * MIB)));
        assert_eq!(note(&bench, call), Some(NoteCode::AsksTooMuch));
    }
    assert_eq!(bench.left, 2);
    bench.poll(ends, Ok(json(r#"{"status":"failed"}"#)));
    assert_eq!((bench.row(ends).outcome, note(&bench, ends)), (Some(Outcome::ProtocolError), None));
    assert_eq!(bench.left, 1, "what has ended asks nothing");
    let mut bench = bench.restart(0, Follow::All);
    bench.poll(goes_on, Ok(working("")));
    assert_eq!((note(&bench, goes_on), bench.left), (None, 0), "nor does it outlive a restart");
}

#[test]
fn what_is_asked_again_is_the_same_question_and_needs_room_again() {
    let mut bench = Bench::new();
    let call = bench.task();
    bench.poll(call, Ok(asking_long(&["a"], 10 * MIB)));
    let id = bench.questions(call)[0].id;
    bench.poll(call, Ok(asking_long(&["b"], 10 * MIB)));
    assert_eq!(bench.states(call), [S::Closed, S::Open]);
    bench.poll(call, Ok(asking_long(&["a", "b"], 10 * MIB)));
    assert_eq!(bench.states(call), [S::Closed, S::Open], "there is no room for it");
    assert_eq!((bench.question(id).reason, bench.left), (Some(CloseReason::AnsweredElsewhere), 1));
    bench.poll(call, Ok(asking_long(&["a"], 10 * MIB)));
    assert_eq!((bench.states(call), bench.left), (vec![S::Open, S::Closed], 0), "the same question");
    assert!(bench.question(id).raw.text().len() > 10 * MIB, "with its words");
    bench.poll(call, Ok(asking(&["a"])));
    bench.poll(call, Ok(asking(&["b"])));
    bench.poll(call, Ok(asking(&["a"])));
    assert_eq!(bench.question(id).message, "Really?", "as it is asked now");
    assert_eq!(bench.answer(id, 0), Ok(crate::Granted::Done));
}

#[test]
fn a_wish_that_cannot_be_kept_gives_back_no_room() {
    let mut bench = Bench::new();
    let call = bench.task();
    bench.poll(call, Ok(asking_long(&["a", "b"], 10 * MIB)));
    let (before, left) = (weight(&bench, call), bench.left);
    bench.full = true;
    assert!(bench.forget(call).is_err());
    assert!(bench.answer(bench.questions(call)[0].id, 0).is_err());
    assert_eq!((weight(&bench, call), bench.left), (before, left), "all is as it was");
}

#[test]
fn of_what_closed_unanswered_the_last_are_kept() {
    let mut closed = Closed::default();
    let mut gone = Vec::new();
    for id in 0..Closed::MOST + 2 {
        gone.extend(closed.keep(RequestId(u32::try_from(id).unwrap()), 1));
    }
    assert_eq!(gone, [RequestId(0), RequestId(1)], "the oldest go first");
    closed.open_again(RequestId(2));
    assert!(closed.keep(RequestId(5_000), 1).is_empty(), "what was asked again has no place there");
    let gone = closed.keep(RequestId(5_001), Closed::BYTES);
    assert_eq!(gone.len(), Closed::MOST, "a long one takes the place of many");
    assert!(
        closed.keep(RequestId(5_002), Closed::BYTES + 1).contains(&RequestId(5_002)),
        "and one may be too long"
    );
}
