//! The checker can fail: a sound round is held against every law, and each law is broken once by doctored evidence.
//!
//! Longer than most: all of it doctors the same sound round.

use serde_json::{Value, json};
use signalbox_model::Unsent;

use super::{Finding, Law, check};
use crate::evidence::{
    Call, Decided, Entry, Evidence, Kept, Life, Made, REPLY, Request, Said, Sent, Server, Told, What, Wish,
};
use crate::plan::Wire;

const RESULT: &str = r#"{"content":[],  "isError":false}"#;

fn yes() -> Value {
    json!({ "action": "accept", "content": { "approved": true } })
}

fn request(method: &str, params: &Value) -> Entry {
    Entry::Request { method: method.into(), params: params.clone() }
}

fn sent(life: usize, at: u64, method: &str, params: &Value, answer: &str) -> Sent {
    Sent {
        server: 0,
        life,
        at,
        method: method.into(),
        params: params.clone(),
        arrived: 1,
        answer: Some(answer.into()),
        passed: Some(at + 1),
        ..Sent::default()
    }
}

fn entry(kind: &str, request: u32, json: Option<&Value>) -> Decided {
    Decided { kind: kind.into(), request: Some(request), json: json.cloned(), ..Decided::default() }
}

fn of_call(kind: &str, call: u32) -> Decided {
    Decided { kind: kind.into(), call: Some(call), ..Decided::default() }
}

/// What the log says of an answer that went its way.
fn logged(request: u32, response: &Value) -> Vec<Decided> {
    let exact = ["answered", "sent"].map(|kind| entry(kind, request, Some(response)));
    exact.into_iter().chain([entry("taken", request, None)]).collect()
}

/// One call, one question, one answer, two owners. The first dies after it has asked for the task once.
fn sound() -> Evidence {
    let call = json!({ "name": "deploy", "arguments": { "nonce": "c1" } });
    let about = json!({ "taskId": "task-1" });
    let answer = json!({ "taskId": "task-1", "inputResponses": { "approval": yes() } });
    let ended =
        format!(r#"{{"id":5,"result":{{"taskId":"task-1","status":"completed","result":{RESULT}}}}}"#);
    let working = r#"{"id":2,"result":{"taskId":"task-1","status":"input_required"}}"#;
    let early = Call {
        id: 1,
        server: "north".into(),
        tool: "deploy".into(),
        nonce: "c1".into(),
        status: "input_required".into(),
        task: Some("task-1".into()),
        answered: true,
        ..Call::default()
    };
    let late = Call {
        status: "completed".into(),
        outcome: Some("ok".into()),
        result: Some(RESULT.into()),
        ..early.clone()
    };
    let asked = Request {
        id: 1,
        call: Some(1),
        key: "approval".into(),
        identity: "task".into(),
        state: "open".into(),
        ..Request::default()
    };
    let answered = Request { state: "answered".into(), response: Some(yes()), taken: true, ..asked.clone() };
    let start = What::Start { server: 0, nonce: "c1".into() };
    let given = What::Answer { request: 1, response: yes(), held: false };
    Evidence {
        servers: vec![Server {
            name: "north".into(),
            wire: Wire::Modern,
            proxied: true,
            journal: vec![
                request("tools/call", &call),
                request("tasks/get", &about),
                request("tasks/update", &answer),
                Entry::Taken { task: "task-1".into(), key: "approval".into(), response: yes() },
                request("tasks/get", &about),
            ],
            made: vec![vec![Made { task: "task-1".into(), nonce: "c1".into(), tool: "deploy".into() }]],
            plain: vec![],
        }],
        sent: vec![
            sent(0, 10, "tools/call", &call, r#"{"id":1,"result":{"taskId":"task-1","status":"working"}}"#),
            sent(0, 20, "tasks/get", &about, working),
            sent(1, 40, "tasks/update", &answer, r#"{"id":4,"result":{}}"#),
            sent(1, 50, "tasks/get", &about, &ended),
        ],
        lives: vec![Life { ended: 30, ..Life::default() }, Life { ended: 90, ..Life::default() }],
        kept: vec![
            Kept { calls: vec![early], requests: vec![asked], log: vec![] },
            Kept { calls: vec![late], requests: vec![answered], log: logged(1, &yes()) },
        ],
        wishes: vec![
            Wish { what: start, said: Said::Done(Some(1)), life: 0 },
            Wish { what: given, said: Said::Done(None), life: 1 },
        ],
        shown: vec![(0, 1), (1, 1)],
        ..Evidence::default()
    }
}

/// A call whose answer was cut: made by the server, and unknown to us.
fn cut() -> Evidence {
    let mut evidence = sound();
    let call = json!({ "name": "build", "arguments": { "nonce": "c2" } });
    let mut lost =
        sent(1, 60, "tools/call", &call, r#"{"id":6,"result":{"taskId":"task-2","status":"working"}}"#);
    lost.passed = None;
    evidence.sent.push(lost);
    evidence.servers[0].journal.push(request("tools/call", &call));
    let made = Made { task: "task-2".into(), nonce: "c2".into(), tool: "build".into() };
    evidence.servers[0].made[0].push(made);
    evidence.kept[1].calls.push(Call {
        id: 2,
        server: "north".into(),
        tool: "build".into(),
        nonce: "c2".into(),
        status: "unknown".into(),
        outcome: Some("unknown".into()),
        note: Some("lost".into()),
        ..Call::default()
    });
    evidence
}

/// The laws that doctored evidence breaks.
fn broken(mut evidence: Evidence, doctor: impl FnOnce(&mut Evidence)) -> Vec<Law> {
    let sound = check(&evidence).findings;
    assert_eq!(sound, [] as [Finding; 0], "nothing is wrong before it is doctored");
    doctor(&mut evidence);
    let mut laws: Vec<Law> = check(&evidence).findings.into_iter().map(|finding| finding.law).collect();
    laws.sort();
    laws.dedup();
    laws
}

fn last(evidence: &mut Evidence) -> &mut Kept {
    evidence.kept.last_mut().unwrap()
}

#[test]
fn a_sound_round_is_held_against_every_law() {
    let verdict = check(&cut());
    assert_eq!(verdict.findings, []);
    for law in Law::ALL {
        assert!(
            verdict.looked.get(&law).is_some_and(|looked| *looked > 0),
            "{law:?} was held against nothing"
        );
    }
}

#[test]
fn a_lost_handle() {
    let laws = broken(sound(), |evidence| last(evidence).calls[0].task = None);
    assert!(laws.contains(&Law::HandlesKept), "{laws:?}");
    let laws = broken(sound(), |evidence| last(evidence).calls.clear());
    assert!(laws.contains(&Law::HandlesKept), "{laws:?}");
    let laws = broken(cut(), |evidence| {
        evidence.kept[1].calls.pop();
    });
    assert!(laws.contains(&Law::HandlesKept), "also of a call whose answer was cut: {laws:?}");
    let laws = broken(cut(), |evidence| last(evidence).calls[1].task = Some("task-9".into()));
    assert!(laws.contains(&Law::HandlesKept), "a handle that no server gave out: {laws:?}");
}

#[test]
fn a_handle_that_was_used_or_shown_before_it_was_kept() {
    let laws = broken(sound(), |evidence| evidence.kept[0].calls[0].task = None);
    assert_eq!(laws, [Law::DurableFirst], "the first owner had asked about it");
    let laws = broken(sound(), |evidence| {
        evidence.sent[1].life = 1;
        evidence.kept[0].calls[0].task = None;
    });
    assert_eq!(laws, [Law::DurableFirst], "the first owner had shown it");
    let laws = broken(sound(), |evidence| {
        let stray = json!({ "name": "build", "arguments": { "nonce": "c7" } });
        evidence.servers[0].journal.push(request("tools/call", &stray));
    });
    assert_eq!(laws, [Law::DurableFirst], "a call that was sent and never kept");
}

#[test]
fn a_call_that_is_sent_twice() {
    let laws = broken(sound(), |evidence| {
        let again = evidence.sent[0].clone();
        evidence.sent.push(again);
    });
    assert_eq!(laws, [Law::SentOnce]);
}

#[test]
fn an_answer_that_is_sent_again() {
    fn again(evidence: &mut Evidence, cut: bool, poll: bool) {
        if cut {
            evidence.sent[2].passed = None;
        }
        let mut again = vec![evidence.sent[2].clone()];
        again[0].at = 48;
        if poll {
            let mut poll = evidence.sent[1].clone();
            (poll.life, poll.at, poll.passed) = (1, 44, Some(46));
            again.insert(0, poll);
        }
        evidence.sent.splice(3..3, again);
    }
    assert_eq!(broken(sound(), |evidence| again(evidence, true, true)), [], "after a poll it may be");
    let refused = |evidence: &mut Evidence| {
        evidence.sent[2].answer = Some(r#"{"id":4,"error":{"code":-32602,"message":"no"}}"#.into());
        again(evidence, false, false);
    };
    assert_eq!(broken(sound(), refused), [], "after a refusal there is another answer");
    assert_eq!(broken(sound(), |evidence| again(evidence, true, false)), [Law::SentOnce], "without a poll");
    assert_eq!(
        broken(sound(), |evidence| again(evidence, false, true)),
        [Law::SentOnce],
        "though acknowledged"
    );
}

#[test]
fn an_answer_that_is_taken_twice() {
    let laws = broken(sound(), |evidence| {
        let taken = evidence.servers[0].journal[3].clone();
        evidence.servers[0].journal.push(taken);
    });
    assert_eq!(laws, [Law::TakenOnce]);
}

#[test]
fn a_lost_answer() {
    let laws = broken(sound(), |evidence| {
        evidence.servers[0].journal.remove(3);
    });
    assert_eq!(laws, [Law::AnswersKept], "said to be taken, and no server took it");
    let laws = broken(sound(), |evidence| {
        evidence.servers[0].journal.remove(3);
        last(evidence).requests[0].taken = false;
    });
    assert_eq!(laws, [], "acknowledged, and without effect, is no lie");
    let laws = broken(sound(), |evidence| {
        evidence.servers[0].journal.remove(3);
        last(evidence).requests[0].taken = false;
        evidence.sent[2].passed = None;
    });
    assert_eq!(laws, [Law::AnswersKept], "shown as answered, and no server acknowledged or took it");
    let laws = broken(sound(), |evidence| last(evidence).requests[0].state = "sending".into());
    assert_eq!(laws, [Law::AnswersKept], "still on its way in the end");
    let laws = broken(sound(), |evidence| last(evidence).requests.clear());
    assert_eq!(laws, [Law::AnswersKept], "its question is gone");
    let laws = broken(sound(), |evidence| {
        last(evidence).requests[0].response = Some(json!({ "action": "decline" }))
    });
    assert_eq!(laws, [Law::AnswersKept], "another answer is shown than was taken");
    let laws = broken(sound(), |evidence| evidence.wishes[1].life = 0);
    assert_eq!(laws, [Law::AnswersKept], "it was promised in a life after which it was not there");
    let laws = broken(sound(), |evidence| {
        last(evidence).requests[0].state = "closed".into();
        evidence.servers[0].journal.remove(3);
    });
    assert_eq!(laws, [Law::AnswersKept], "closed, and nobody says why");
    let laws = broken(sound(), |evidence| {
        let request = &mut last(evidence).requests[0];
        (request.state, request.reason) = ("closed".into(), Some("task_ended".into()));
    });
    assert_eq!(laws, [Law::AnswersKept], "taken, and shown as not");
}

#[test]
fn an_answer_that_was_taken_back_and_sent_all_the_same() {
    let laws = broken(sound(), |evidence| {
        let undo = Wish { what: What::Undo { request: 1 }, said: Said::Done(None), life: 1 };
        evidence.wishes[1].what = What::Answer { request: 1, response: yes(), held: true };
        evidence.wishes.push(undo);
    });
    assert_eq!(laws, [Law::WishesKept]);
    let laws = broken(sound(), |evidence| {
        let what = What::Answer { request: 1, response: json!({ "action": "decline" }), held: false };
        let said = Said::Refused("already_closed: The answer to r1 did not go out: it is open again".into());
        let undo = Wish { what: What::Undo { request: 1 }, said: Said::Done(None), life: 1 };
        evidence.wishes[1].what = What::Answer { request: 1, response: yes(), held: true };
        evidence.wishes.extend([Wish { what, said, life: 1 }, undo]);
        let other = json!({ "action": "decline" });
        last(evidence).log.splice(0..0, [entry("answered", 1, Some(&other)), entry("undone", 1, None)]);
    });
    assert_eq!(laws, [], "what was taken back may be the other one, which waited for a connection");
}

#[test]
fn a_held_answer_that_is_a_draft_again() {
    let lapse = |evidence: &mut Evidence, slept: bool| {
        evidence.slept = slept;
        evidence.wishes[1].what = What::Answer { request: 1, response: yes(), held: true };
        let request = &mut last(evidence).requests[0];
        (request.response, request.draft) = (None, yes().get("content").cloned());
    };
    let lapsed = |slept: bool| {
        let mut evidence = sound();
        lapse(&mut evidence, slept);
        let findings = check(&evidence).findings;
        findings.iter().filter(|finding| finding.to_string().contains("was answered with")).count()
    };
    assert_eq!((lapsed(false), lapsed(true)), (1, 0), "only over a sleep");
}

#[test]
fn a_late_poll() {
    let poll = |evidence: &mut Evidence, life: usize, at: u64| {
        let mut poll = evidence.sent[3].clone();
        (poll.life, poll.at, poll.passed) = (life, at, Some(at + 1));
        evidence.sent.push(poll);
    };
    assert_eq!(broken(sound(), |evidence| poll(evidence, 1, 70)), [Law::EndedForGood], "by the same owner");
    let laws = broken(sound(), |evidence| {
        evidence.kept[0] = evidence.kept[1].clone();
        evidence.sent[3].life = 0;
        poll(evidence, 1, 70);
    });
    assert_eq!(laws, [Law::EndedForGood], "by the next one");
}

#[test]
fn an_end_that_does_not_last() {
    let laws = broken(sound(), |evidence| {
        evidence.kept[0] = evidence.kept[1].clone();
        evidence.kept[0].calls[0].outcome = Some("cancelled".into());
        evidence.sent[3].life = 0;
    });
    assert_eq!(laws, [Law::EndedForGood]);
}

#[test]
fn a_result_that_is_not_what_came() {
    let laws = broken(sound(), |evidence| {
        last(evidence).calls[0].result = Some(RESULT.replace("  ", " "));
    });
    assert_eq!(laws, [Law::ResultsWhole], "equal to a parser, and not byte for byte");
    let laws = broken(sound(), |evidence| last(evidence).calls[0].result = None);
    assert_eq!(laws, [Law::ResultsWhole], "a good end without its result");
}

#[test]
fn an_unknown_that_is_not_shown_as_unknown() {
    type Doctor = fn(&mut Call);
    let doctored: [(&str, Doctor); 4] = [
        ("claims that it was not sent", |call| call.outcome = Some("protocol_error".into())),
        ("another status", |call| call.status = "failed".into()),
        ("does not say why", |call| call.note = None),
        ("not over", |call| call.outcome = None),
    ];
    for (what, doctor) in doctored {
        let laws = broken(cut(), |evidence| doctor(&mut last(evidence).calls[1]));
        assert!(laws.contains(&Law::UnknownSaid), "{what}: {laws:?}");
    }
}

#[test]
fn an_unknown_that_could_be_known() {
    let laws = broken(cut(), |evidence| evidence.sent[4].passed = Some(61));
    assert_eq!(laws, [Law::HandlesKept, Law::UnknownSaid], "the answer came, with all the time to keep it");
    let laws = broken(cut(), |evidence| {
        evidence.sent[4].passed = Some(61);
        evidence.lives[1].full = Some(55);
    });
    assert_eq!(laws, [], "a full disk excuses it");
    let laws = broken(sound(), |evidence| {
        let call = &mut last(evidence).calls[0];
        call.outcome = Some("lost".into());
        call.result = None;
    });
    assert!(laws.contains(&Law::UnknownSaid), "the server remembers it: {laws:?}");
}

#[test]
fn a_promise_that_is_not_kept() {
    let laws = broken(cut(), |evidence| {
        let start = What::Start { server: 0, nonce: "c2".into() };
        evidence.wishes.push(Wish { what: start, said: Said::Done(Some(2)), life: 0 });
    });
    assert_eq!(laws, [Law::WishesKept], "begun in the first life, kept in the second only");
    let laws = broken(cut(), |evidence| {
        let start = What::Start { server: 0, nonce: "c2".into() };
        evidence.wishes.push(Wish { what: start, said: Said::NoRoom, life: 1 });
    });
    assert_eq!(laws, [Law::WishesKept], "refused for want of room, and made all the same");
    let laws = broken(sound(), |evidence| {
        let cancel = Wish { what: What::Cancel { call: 9 }, said: Said::Queued, life: 1 };
        evidence.wishes.push(cancel);
    });
    assert_eq!(laws, [Law::WishesKept], "a wish to cancel what is gone");
}

#[test]
fn an_owner_that_ends_by_itself() {
    assert_eq!(broken(sound(), |evidence| evidence.lives[0].by_itself = true), [Law::OwnerLives]);
}

/// A task that somebody else made, adopted in the first life; the workload's call is forgotten in the second.
fn elsewhere() -> Evidence {
    let mut evidence = sound();
    let made = Made { task: "task-3".into(), nonce: "e3".into(), tool: "build".into() };
    evidence.servers[0].made[0].push(made);
    let call = json!({ "name": "build", "arguments": { "nonce": "e3" } });
    evidence.servers[0].journal.push(request("tools/call", &call));
    evidence.elsewhere.push("e3".into());
    let adopted = Call {
        id: 3,
        server: "north".into(),
        status: "cancelled".into(),
        outcome: Some("cancelled".into()),
        task: Some("task-3".into()),
        ..Call::default()
    };
    evidence.kept[0].calls.push(Call { status: "working".into(), outcome: None, ..adopted.clone() });
    evidence.kept[1].calls.push(adopted);
    let track = What::Track { task: "task-3".into() };
    evidence.wishes.push(Wish { what: track, said: Said::Done(Some(3)), life: 0 });
    evidence
}

#[test]
fn a_handle_that_was_adopted() {
    let laws = broken(elsewhere(), |evidence| last(evidence).calls[1].task = Some("task-9".into()));
    assert!(laws.contains(&Law::HandlesKept), "another handle: {laws:?}");
    let laws = broken(elsewhere(), |evidence| {
        evidence.kept[0].calls.pop();
    });
    assert_eq!(laws, [Law::HandlesKept], "it was promised before it was there");
    let laws = broken(elsewhere(), |evidence| {
        if let Some(wish) = evidence.wishes.last_mut() {
            wish.said = Said::NoRoom;
        }
    });
    assert_eq!(laws, [Law::WishesKept], "refused for want of room, and adopted all the same");
}

#[test]
fn what_was_forgotten() {
    let forget = |evidence: &mut Evidence| {
        let forget = What::Forget { call: 1 };
        evidence.wishes.push(Wish { what: forget, said: Said::Done(None), life: 1 });
        last(evidence).log.push(of_call("forgotten", 1));
    };
    let gone = |evidence: &mut Evidence| {
        forget(evidence);
        last(evidence).calls.clear();
        last(evidence).requests.clear();
    };
    assert_eq!(broken(sound(), gone), [], "nothing of it need be there");
    assert_eq!(broken(sound(), forget), [Law::WishesKept], "it is still there");
    let laws = broken(sound(), |evidence| {
        gone(evidence);
        let log = last(evidence).log.clone();
        evidence.kept.push(Kept { log, ..Kept::default() });
        evidence.lives.push(Life { ended: 120, ..Life::default() });
        let mut poll = evidence.sent[1].clone();
        (poll.life, poll.at, poll.passed) = (2, 100, None);
        evidence.sent.push(poll);
    });
    assert_eq!(laws, [Law::EndedForGood], "asked about in a later life");
}

#[test]
fn an_answer_that_was_refused_on_the_way() {
    let again = |refused: bool| {
        move |evidence: &mut Evidence| {
            let (mut first, at) = (evidence.sent[2].clone(), evidence.sent[2].at);
            (first.at, first.answer, first.passed, first.refused) = (at - 5, None, None, refused);
            evidence.sent.insert(2, first);
        }
    };
    assert_eq!(broken(sound(), again(true)), [], "what follows is another");
    assert_eq!(broken(sound(), again(false)), [Law::SentOnce], "lost, and sent again without a poll");
}

/// A call without a task that asked in one round.
fn round() -> Evidence {
    let mut evidence = sound();
    let call = json!({ "name": "confirm", "arguments": { "nonce": "c4" } });
    let mut back = call.clone();
    back["requestState"] = "p.0".into();
    back["inputResponses"] = json!({ "sure": yes() });
    let asked = r#"{"id":7,"result":{"resultType":"input_required","requestState":"p.0"}}"#;
    let done = format!(r#"{{"id":8,"result":{RESULT}}}"#);
    evidence.sent.push(sent(1, 60, "tools/call", &call, asked));
    evidence.sent.push(sent(1, 70, "tools/call", &back, &done));
    evidence.servers[0].journal.extend([
        request("tools/call", &call),
        Entry::Round { call: "p".into(), state: "p.0".into() },
        request("tools/call", &back),
        Entry::Retried { state: "p.0".into() },
        Entry::Taken { task: "p".into(), key: "sure".into(), response: yes() },
    ]);
    last(&mut evidence).calls.push(Call {
        id: 4,
        server: "north".into(),
        tool: "confirm".into(),
        nonce: "c4".into(),
        status: "completed".into(),
        outcome: Some("ok".into()),
        answered: true,
        result: Some(RESULT.into()),
        ..Call::default()
    });
    last(&mut evidence).requests.push(Request {
        id: 4,
        call: Some(4),
        key: "sure".into(),
        identity: "round".into(),
        state: "answered".into(),
        response: Some(yes()),
        taken: true,
        ..Request::default()
    });
    last(&mut evidence).log.extend(logged(4, &yes()));
    let given = What::Answer { request: 4, response: yes(), held: false };
    evidence.wishes.push(Wish { what: given, said: Said::Done(None), life: 1 });
    evidence
}

#[test]
fn a_round_that_is_answered_twice() {
    let again = |evidence: &mut Evidence| {
        let again = evidence.sent.last().unwrap().clone();
        evidence.sent.push(again);
    };
    assert_eq!(broken(round(), again), [Law::SentOnce], "nobody decided again");
    let laws = broken(round(), |evidence| {
        again(evidence);
        let given = What::Answer { request: 4, response: yes(), held: false };
        evidence.wishes.push(Wish { what: given, said: Said::Queued, life: 1 });
    });
    assert_eq!(laws, [], "somebody decided again");
    let laws =
        broken(round(), |evidence| evidence.servers[0].journal.push(Entry::Retried { state: "p.1".into() }));
    assert_eq!(laws, [Law::SentOnce], "with another state than was given out");
    let laws = broken(round(), |evidence| last(evidence).requests.last_mut().unwrap().state = "open".into());
    assert_eq!(laws, [Law::AnswersKept], "taken, and shown as still asked");
}

/// A question of the legacy wire that was asked on two connections under the same id, and answered on the second.
fn legacy() -> Evidence {
    let mut evidence = sound();
    let asked = |session: &str, ask: &str| Entry::Asked {
        session: session.into(),
        id: json!(0),
        ask: ask.into(),
        task: "task-5".into(),
        key: "approval".into(),
    };
    let call = json!({ "name": "deploy", "arguments": { "nonce": "c5" } });
    let about = json!({ "taskId": "task-5" });
    let on = |session: &str, sent: Sent| Sent { server: 1, session: Some(session.into()), ..sent };
    let made = r#"{"id":1,"result":{"task":{"taskId":"task-5","status":"working"}}}"#;
    let completed = r#"{"id":4,"result":{"taskId":"task-5","status":"completed"}}"#;
    let result = format!(r#"{{"id":5,"result":{RESULT}}}"#);
    evidence.sent.extend([
        on("s1", sent(0, 10, "tools/call", &call, made)),
        on("s2", Sent { id: json!(0), answer: None, ..sent(1, 50, REPLY, &yes(), "") }),
        on("s2", sent(1, 60, "tasks/get", &about, completed)),
        on("s2", sent(1, 62, "tasks/get", &about, completed)),
        on("s2", sent(1, 64, "tasks/result", &about, &result)),
    ]);
    evidence.servers.push(Server {
        name: "south".into(),
        wire: Wire::Legacy,
        proxied: true,
        journal: vec![
            request("tools/call", &call),
            asked("s1", "a1"),
            asked("s2", "a2"),
            Entry::Reply { session: "s2".into(), id: json!(0), response: yes() },
            Entry::Taken { task: "task-5".into(), key: "approval".into(), response: yes() },
        ],
        made: vec![vec![Made { task: "task-5".into(), nonce: "c5".into(), tool: "deploy".into() }]],
        plain: vec![],
    });
    let call = Call {
        id: 5,
        server: "south".into(),
        tool: "deploy".into(),
        nonce: "c5".into(),
        status: "working".into(),
        task: Some("task-5".into()),
        answered: true,
        ..Call::default()
    };
    evidence.kept[0].calls.push(call.clone());
    last(&mut evidence).calls.push(Call {
        status: "completed".into(),
        outcome: Some("ok".into()),
        result: Some(RESULT.into()),
        ..call
    });
    last(&mut evidence).requests.push(Request {
        id: 5,
        call: Some(5),
        key: "0".into(),
        ask: Some("a2".into()),
        identity: "wire".into(),
        state: "answered".into(),
        response: Some(yes()),
        taken: true,
        ..Request::default()
    });
    last(&mut evidence).log.extend(logged(5, &yes()));
    let given = What::Answer { request: 5, response: yes(), held: false };
    evidence.wishes.push(Wish { what: given, said: Said::Done(None), life: 1 });
    evidence
}

fn no() -> Value {
    json!({ "action": "decline" })
}

#[test]
fn a_question_of_the_legacy_wire_is_known_by_its_own_name() {
    let laws = broken(legacy(), |evidence| last(evidence).requests[1].ask = Some("a9".into()));
    assert!(laws.contains(&Law::AnswersKept), "under the same id something else was asked: {laws:?}");
    let laws = broken(legacy(), |evidence| last(evidence).requests[1].response = Some(no()));
    assert_eq!(laws, [Law::AnswersKept], "another answer is shown than was taken");
    let laws = broken(legacy(), |evidence| last(evidence).requests[1].state = "orphaned".into());
    assert_eq!(laws, [Law::AnswersKept], "taken, and shown as never sent");
}

#[test]
fn a_reply_that_is_sent_twice() {
    let again = |evidence: &mut Evidence| {
        let reply = evidence.sent.iter().find(|sent| sent.method == REPLY).unwrap().clone();
        evidence.sent.push(reply);
    };
    assert_eq!(broken(legacy(), again), [Law::SentOnce], "nobody decided again");
    let twice = |evidence: &mut Evidence, said: Said| {
        again(evidence);
        let given = What::Answer { request: 5, response: yes(), held: false };
        evidence.wishes.push(Wish { what: given, said, life: 1 });
    };
    assert_eq!(broken(legacy(), |evidence| twice(evidence, Said::Queued)), [], "somebody decided again");
    let laws = broken(legacy(), |evidence| twice(evidence, Said::NoRoom));
    assert_eq!(laws, [Law::SentOnce], "somebody did, and it was not kept");
    let laws = broken(legacy(), |evidence| {
        again(evidence);
        evidence.sent.last_mut().unwrap().refused = true;
    });
    assert_eq!(laws, [], "its session was over, and it came to nothing");
}

#[test]
fn a_reply_that_came_when_its_session_was_over_did_not_go_out() {
    let rival = |refused: bool| {
        move |evidence: &mut Evidence| {
            let first = evidence.sent.iter().find(|sent| sent.method == REPLY).unwrap().clone();
            evidence.sent.push(Sent { params: no(), refused, ..first });
            let what = What::Answer { request: 5, response: no(), held: false };
            let said = Said::Meanwhile("r5 was answered".into());
            evidence.wishes.push(Wish { what, said, life: 1 });
        }
    };
    assert_eq!(broken(legacy(), rival(true)), [], "nothing of it was sent, they were told");
    assert!(broken(legacy(), rival(false)).contains(&Law::TruthTold), "and it was");
}

#[test]
fn a_reply_that_goes_to_another_question() {
    let laws = broken(legacy(), |evidence| {
        let reply = evidence.sent.iter_mut().find(|sent| sent.method == REPLY).unwrap();
        reply.params = no();
    });
    assert!(laws.contains(&Law::SentOnce), "what nobody decided about this one: {laws:?}");
    let laws = broken(legacy(), |evidence| {
        let reply = evidence.sent.iter_mut().find(|sent| sent.method == REPLY).unwrap();
        reply.session = Some("s3".into());
    });
    assert!(laws.contains(&Law::SentOnce), "on a connection that never asked: {laws:?}");
}

#[test]
fn which_of_several_decisions_was_taken_need_not_be_known() {
    let other = |evidence: &mut Evidence| {
        last(evidence).requests[1].response = Some(no());
        let first = evidence.sent.iter().find(|sent| sent.method == REPLY).unwrap().clone();
        evidence.sent.push(Sent { params: no(), ..first });
        last(evidence).log.extend(logged(5, &no()));
        let given = What::Answer { request: 5, response: no(), held: false };
        evidence.wishes.push(Wish { what: given, said: Said::Queued, life: 1 });
    };
    assert_eq!(broken(legacy(), other), [], "the first was taken, the last is shown");
    let laws = broken(legacy(), |evidence| {
        other(evidence);
        for entry in &mut evidence.servers[1].journal {
            if let Entry::Taken { response, .. } = entry {
                *response = json!({ "action": "cancel" });
            }
        }
    });
    assert!(laws.contains(&Law::AnswersKept), "but it was one of them: {laws:?}");
}

#[test]
fn an_answer_whose_connection_was_gone_before_it_left() {
    let given_back = |state: &'static str, draft: Value| {
        move |evidence: &mut Evidence| {
            let early = Request {
                state: state.into(),
                response: None,
                draft: Some(draft),
                taken: false,
                ask: Some("a1".into()),
                ..evidence.kept[1].requests[1].clone()
            };
            evidence.kept[0].requests.push(early);
            evidence.wishes.last_mut().unwrap().life = 0;
        }
    };
    let filled_in = json!({ "approved": true });
    assert_eq!(broken(legacy(), given_back("orphaned", filled_in.clone())), [], "what was filled in is kept");
    assert_eq!(broken(legacy(), given_back("open", filled_in)), [], "and there when it is asked again");
    let laws = broken(legacy(), given_back("orphaned", json!({})));
    assert_eq!(laws, [Law::AnswersKept], "what was filled in is lost");
}

#[test]
fn a_reply_that_a_program_never_read() {
    let unread = |evidence: &mut Evidence| {
        evidence.servers[1].proxied = false;
        evidence.servers[1]
            .journal
            .retain(|entry| matches!(entry, Entry::Asked { .. } | Entry::Request { .. }));
        evidence.sent.retain(|sent| sent.method != REPLY);
        let request = &mut last(evidence).requests[1];
        (request.taken, request.ask) = (false, Some("a1".into()));
    };
    assert_eq!(broken(legacy(), unread), [], "it was asked again");
    let laws = broken(legacy(), |evidence| {
        unread(evidence);
        evidence.servers[1].journal.pop();
    });
    assert_eq!(laws, [Law::AnswersKept], "nobody asked again, and the task went on all the same");
    let laws = broken(legacy(), |evidence| {
        unread(evidence);
        evidence.servers[1].proxied = true;
    });
    assert_eq!(laws, [Law::AnswersKept, Law::TruthTold], "over HTTP it was acknowledged, they say");
}

#[test]
fn a_look_after_a_result_was_fetched_or_an_end_was_pushed() {
    let poll = |evidence: &mut Evidence, at: u64| {
        let poll = evidence.sent.iter().rfind(|sent| sent.method == "tasks/get").unwrap().clone();
        evidence.sent.push(Sent { at, ..poll });
    };
    assert_eq!(broken(legacy(), |evidence| poll(evidence, 70)), [], "one may have been under way");
    assert_eq!(broken(legacy(), |evidence| poll(evidence, 4_000)), [Law::EndedForGood]);
    let message = format!(
        r#"{{"method":"notifications/tasks","params":{{"taskId":"task-1","status":"completed","result":{RESULT}}}}}"#
    );
    let pushed = |evidence: &mut Evidence| {
        evidence.sent.remove(3);
        evidence.told.push(Told { life: 1, at: 50, message });
    };
    assert_eq!(broken(sound(), pushed), [], "its result came that way");
}

#[test]
fn a_handle_that_was_subscribed_to_before_it_was_kept() {
    let laws = broken(sound(), |evidence| {
        let wanted = json!({ "notifications": { "taskIds": ["task-1", "task-8"] } });
        evidence.sent.push(sent(1, 60, "subscriptions/listen", &wanted, "{}"));
    });
    assert_eq!(laws, [Law::DurableFirst]);
}

#[test]
fn a_log_that_does_not_hold() {
    assert_eq!(broken(sound(), |evidence| evidence.log.push("entry 3 is broken".into())), [Law::LogHolds]);
}

#[test]
fn a_person_who_is_told_what_is_not_so() {
    let no = || json!({ "action": "accept", "content": { "approved": false } });
    let rival = |said: Said| {
        move |evidence: &mut Evidence| {
            let what = What::Answer { request: 1, response: no(), held: false };
            evidence.wishes.push(Wish { what, said, life: 1 });
        }
    };
    let told = || Said::Meanwhile("r1 was answered".to_owned());
    assert_eq!(broken(sound(), rival(told())), [], "theirs was never sent");
    let sent_too = |evidence: &mut Evidence| {
        rival(told())(evidence);
        let params = json!({ "taskId": "task-1", "inputResponses": { "approval": no() } });
        evidence.sent.insert(2, sent(0, 25, "tasks/update", &params, r#"{"id":9,"error":{}}"#));
    };
    assert_eq!(broken(sound(), sent_too), [Law::TruthTold], "nothing of it was sent, they were told");
    let told_to_count = |evidence: &mut Evidence| {
        rival(Said::Done(None))(evidence);
        last(evidence).log.push(entry("answered", 1, Some(&no())));
        evidence.wishes.remove(1);
    };
    assert_eq!(
        broken(sound(), told_to_count),
        [Law::AnswersKept, Law::TruthTold, Law::OneWins],
        "it arrived, they were told, and it never left"
    );
    let sent = |entry: &Decided| entry.kind == "sent";
    let laws = broken(sound(), |evidence| last(evidence).log.retain(|entry| !sent(entry)));
    assert_eq!(laws, [Law::TruthTold], "the log does not have what went");
    let laws = broken(round(), |evidence| last(evidence).log.retain(|e| !sent(e) || e.request != Some(4)));
    assert_eq!(laws, [Law::TruthTold], "the same of a round");
    let laws = broken(legacy(), |evidence| last(evidence).log.retain(|e| !sent(e) || e.request != Some(5)));
    assert_eq!(laws, [Law::TruthTold], "the same of a reply");
    let laws = broken(sound(), |evidence| last(evidence).log.retain(|entry| entry.kind != "answered"));
    assert_eq!(laws, [Law::TruthTold], "the log does not have what was promised");
}

/// The same, of a task that was forgotten since.
fn forgotten() -> Evidence {
    let mut evidence = sound();
    let gone = last(&mut evidence).clone();
    evidence.wishes.push(Wish { what: What::Forget { call: 1 }, said: Said::Done(None), life: 2 });
    evidence.kept.push(Kept {
        log: gone.log.into_iter().chain([of_call("forgotten", 1)]).collect(),
        ..Kept::default()
    });
    evidence.lives.push(Life { ended: 120, ..Life::default() });
    evidence
}

#[test]
fn a_server_is_told_that_nobody_answers_only_where_that_is_so() {
    let off = |evidence: &mut Evidence| {
        let nobody = json!({ "refused": { "code": -1, "message": "Nobody answers this any more" } });
        for entry in &mut evidence.servers[0].journal {
            if let Entry::Taken { task, response, .. } = entry
                && task == "task-1"
            {
                *response = nobody.clone();
            }
        }
    };
    assert!(!broken(forgotten(), off).contains(&Law::TruthTold), "it was forgotten");
    assert!(broken(sound(), off).contains(&Law::TruthTold), "it was answered, and is there");
}

#[test]
fn what_was_told_of_a_forgotten_question_holds_too() {
    let laws = broken(forgotten(), |evidence| {
        let params = json!({ "taskId": "task-1", "inputResponses": { "approval": no() } });
        evidence.sent.insert(2, sent(0, 25, "tasks/update", &params, r#"{"id":9,"error":{}}"#));
        let what = What::Answer { request: 1, response: no(), held: false };
        evidence.wishes.push(Wish { what, said: Said::Meanwhile("r1 was answered".into()), life: 1 });
    });
    assert_eq!(laws, [Law::TruthTold], "nothing of it was sent, they were told");
    let laws = broken(forgotten(), |evidence| {
        evidence.sent.remove(2);
    });
    assert_eq!(laws, [Law::TruthTold], "it had arrived, they were told");
    let laws = broken(forgotten(), |evidence| last(evidence).log.retain(|entry| entry.kind != "answered"));
    assert_eq!(laws, [Law::TruthTold], "the log has no such answer");
    let laws = broken(forgotten(), |evidence| last(evidence).log.retain(|entry| entry.kind != "sent"));
    assert_eq!(laws, [Law::TruthTold], "a server took what the log never sent");
    let laws = broken(forgotten(), |evidence| {
        last(evidence).log.pop();
    });
    assert_eq!(laws, [Law::WishesKept], "the log does not have that it was forgotten");
    let laws = broken(forgotten(), |evidence| last(evidence).log.push(of_call("sent", 1)));
    assert_eq!(laws, [Law::WishesKept], "something was sent for it afterwards");
}

#[test]
fn two_who_are_told_that_their_answer_counts() {
    let other = |evidence: &mut Evidence, request: u32| {
        let what = What::Answer { request, response: no(), held: false };
        evidence.wishes.push(Wish { what, said: Said::Done(None), life: 1 });
        // As if each had gone its way.
        last(evidence).log.extend(logged(request, &no()));
        let theirs: Vec<Sent> =
            evidence.sent.iter().filter(|sent| sent.params.to_string().contains("true")).cloned().collect();
        for mut sent in theirs {
            let text = sent.params.to_string().replace(&yes().to_string(), &no().to_string());
            (sent.at, sent.params) = (sent.at - 1, serde_json::from_str(&text).unwrap());
            evidence.sent.insert(1, sent);
        }
    };
    for (evidence, request) in [(sound(), 1), (round(), 4), (legacy(), 5), (forgotten(), 1)] {
        let laws = broken(evidence, |evidence| other(evidence, request));
        assert!(laws.contains(&Law::OneWins), "r{request}: {laws:?}");
    }
    let laws = broken(sound(), |evidence| {
        other(evidence, 1);
        last(evidence).log.insert(2, entry("not_taken", 1, None));
    });
    assert!(!laws.contains(&Law::OneWins), "the first came to nothing: {laws:?}");
    let laws = broken(sound(), |evidence| {
        evidence.wishes[1].what = What::Answer { request: 1, response: no(), held: false };
        last(evidence).log.push(entry("answered", 1, Some(&no())));
    });
    assert!(laws.contains(&Law::OneWins), "the server took another: {laws:?}");
}

#[test]
fn an_undo_that_the_log_or_a_server_knows_otherwise() {
    let undone = |evidence: &mut Evidence, log: Vec<Decided>| {
        evidence.wishes[1].what = What::Answer { request: 1, response: no(), held: true };
        evidence.wishes.push(Wish { what: What::Undo { request: 1 }, said: Said::Done(None), life: 1 });
        last(evidence).log.splice(0..0, log);
        let given = What::Answer { request: 1, response: yes(), held: false };
        evidence.wishes.push(Wish { what: given, said: Said::Done(None), life: 1 });
    };
    let back = || vec![entry("answered", 1, Some(&no())), entry("undone", 1, None)];
    let went =
        vec![entry("answered", 1, Some(&no())), entry("sent", 1, Some(&no())), entry("undone", 1, None)];
    assert_eq!(broken(sound(), |evidence| undone(evidence, back())), [], "and then another was given");
    let laws = broken(sound(), |evidence| undone(evidence, vec![entry("answered", 1, Some(&no()))]));
    assert_eq!(laws, [Law::WishesKept], "the log does not have it");
    assert_eq!(broken(sound(), |evidence| undone(evidence, went)), [Law::WishesKept], "it had gone");
    let laws = broken(sound(), |evidence| {
        undone(evidence, back());
        let params = json!({ "taskId": "task-1", "inputResponses": { "approval": no() } });
        evidence.sent.insert(2, sent(0, 25, "tasks/update", &params, r#"{"id":9,"error":{}}"#));
    });
    assert_eq!(laws, [Law::WishesKept], "a server got it");
}

/// What the log says of an answer that was to go, and was taken back because nothing of it had left.
fn tried(request: u32, response: &Value) -> Vec<Decided> {
    let exact = ["answered", "sent"].map(|kind| entry(kind, request, Some(response)));
    let text = Some(Unsent::NothingLeft.as_str().into());
    exact.into_iter().chain([Decided { text, ..entry("undone", request, None) }]).collect()
}

#[test]
fn an_undo_of_an_answer_that_was_to_go_and_never_left() {
    let undone = |evidence: &mut Evidence, request: u32, response: Value, log: Vec<Decided>| {
        let what = What::Answer { request, response, held: false };
        evidence.wishes.push(Wish { what, said: Said::Queued, life: 1 });
        evidence.wishes.push(Wish { what: What::Undo { request }, said: Said::Done(None), life: 1 });
        last(evidence).log.splice(0..0, log);
    };
    // Another answer to a task, and the same one to a round.
    let cases = [(sound(), 1, no(), 2), (round(), 4, yes(), 5)];
    for (evidence, request, response, went) in cases {
        let log = || tried(request, &response);
        let laws = broken(evidence.clone(), |evidence| undone(evidence, request, response.clone(), log()));
        assert_eq!(laws, [], "r{request}: it could not be tried, and then one was given");
        let laws = broken(evidence.clone(), |evidence| {
            let mut log = log();
            log[2].text = None;
            undone(evidence, request, response.clone(), log);
        });
        assert_eq!(laws, [Law::WishesKept], "r{request}: nothing says that it had not left");
        let laws = broken(evidence, |evidence| {
            undone(evidence, request, response.clone(), log());
            let mut early = evidence.sent[went].clone();
            let key = if request == 1 { "approval" } else { "sure" };
            early.params["inputResponses"][key] = response.clone();
            // It was cut, and a poll showed the question again.
            (early.life, early.at, early.arrived, early.answer, early.passed) = (0, 25, 0, None, None);
            evidence.sent.insert(went, early);
            let poll = evidence.sent[1].clone();
            evidence.sent.insert(went + 1, Sent { life: 0, at: 28, passed: Some(29), ..poll });
        });
        assert_eq!(laws, [Law::WishesKept], "r{request}: it had left all the same");
    }
}

/// A task that was cancelled, as its server was told.
fn cancelled() -> Evidence {
    let mut evidence = sound();
    let about = json!({ "taskId": "task-1" });
    let noted = r#"{"id":6,"result":{"resultType":"complete"}}"#;
    evidence.sent.insert(3, sent(1, 45, "tasks/cancel", &about, noted));
    evidence.servers[0].journal.push(request("tasks/cancel", &about));
    last(&mut evidence)
        .log
        .extend(["cancel_requested", "sent", "cancel_acknowledged"].map(|kind| of_call(kind, 1)));
    evidence.wishes.push(Wish { what: What::Cancel { call: 1 }, said: Said::Done(None), life: 1 });
    evidence
}

#[test]
fn a_wish_to_cancel_of_which_not_the_truth_is_told() {
    let without = |kind: &'static str| {
        move |evidence: &mut Evidence| last(evidence).log.retain(|entry| entry.kind != kind)
    };
    assert_eq!(broken(cancelled(), without("cancel_requested")), [Law::WishesKept], "it was never kept");
    assert_eq!(
        broken(cancelled(), without("cancel_acknowledged")),
        [Law::WishesKept],
        "the log knows of no note"
    );
    let never_sent = |evidence: &mut Evidence| {
        evidence.sent.remove(3);
    };
    assert_eq!(broken(cancelled(), never_sent), [Law::WishesKept], "no server was told");
    let laws = broken(cancelled(), |evidence| {
        evidence.sent[3].answer = Some(r#"{"id":6,"error":{"code":-32602,"message":"no"}}"#.into());
    });
    assert_eq!(laws, [Law::WishesKept], "the server refused");
    let told = |said: &'static str| {
        move |evidence: &mut Evidence| {
            evidence.wishes.last_mut().unwrap().said = Said::Refused(said.into());
        }
    };
    let closed = "already_closed: t1 has ended already";
    assert_eq!(
        broken(cancelled(), told(closed)),
        [Law::WishesKept],
        "it had not ended: its server took note"
    );
    let ended = |evidence: &mut Evidence| {
        told(closed)(evidence);
        last(evidence).log.retain(|entry| entry.call != Some(1));
    };
    assert_eq!(broken(cancelled(), ended), [], "it had");
    let meanwhile = told("cancelled_meanwhile: somebody asked to cancel t1");
    assert_eq!(broken(cancelled(), meanwhile), [Law::WishesKept], "nobody else did");
    let laws = broken(sound(), |evidence| {
        let cancel = Wish { what: What::Cancel { call: 1 }, said: Said::Done(None), life: 1 };
        evidence.wishes.push(cancel);
        last(evidence).log.push(of_call("cancel_requested", 1));
    });
    assert_eq!(laws, [Law::WishesKept], "it ended by itself, and that is no wish");
    let unseen = |kinds: &'static [&str]| {
        move |evidence: &mut Evidence| {
            let wish = |what| Wish { what, said: Said::Done(None), life: 2 };
            evidence.wishes.extend([wish(What::Cancel { call: 9 }), wish(What::Forget { call: 9 })]);
            last(evidence).log.extend(kinds.iter().map(|kind| of_call(kind, 9)));
        }
    };
    let given_up = unseen(&["called", "cancel_requested", "unknown", "forgotten"]);
    assert_eq!(
        broken(sound(), given_up),
        [],
        "it was given up, and forgotten before a store was seen with it"
    );
    let earlier = |evidence: &mut Evidence| {
        given_up(evidence);
        let live = Call { id: 9, outcome: None, task: None, ..evidence.kept[0].calls[0].clone() };
        evidence.kept[0].calls.push(live);
    };
    assert_eq!(broken(sound(), earlier), [], "and so it was where a store was seen with it before the wish");
    let asked = unseen(&["called", "cancel_requested", "sent", "forgotten"]);
    assert_eq!(broken(sound(), asked), [Law::WishesKept], "its server was asked, and took no note");
}
