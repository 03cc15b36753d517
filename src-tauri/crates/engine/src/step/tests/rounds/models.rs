//! What is asked of models and of us: sampling and roots.

use super::*;

const CONVERSATION: &str = r#"{"messages":[{"role":"user","content":{"type":"text","text":"Summarize."}}]}"#;
const SAMPLED: &str = r#"{"role":"assistant","content":{"type":"text","text":"All is well."},"model":"human","stopReason":"endTurn"}"#;

#[test]
fn a_model_is_answered_for_by_hand() {
    let mut bench = Bench::new();
    let by_hand = |request| Intent::Answer {
        request,
        action: Action::Accept,
        content: Some(json(r#"{"text":"All is well."}"#)),
        hold_ms: 0,
        seen: None,
        remark: None,
        asks: None,
    };
    let call = bench.call();
    bench.reply_call(call, Ok(round_of("sampling/createMessage", CONVERSATION)));
    let id = bench.questions(call)[0].id;
    assert!(bench.question(id).message.contains("Summarize."));
    assert_eq!(bench.answer(id, 0), Err(Refusal::NoModelAnswer), "without a text it is none");
    bench.wish(by_hand(id)).unwrap();
    assert_eq!(bench.retries(call)[0].input_responses[0].1.text(), SAMPLED, "the result itself");
    assert_eq!(bench.retries(call)[0].request_state.as_deref(), Some("opaque"));
    bench.reply_call(call, result());

    let task = bench.task();
    let asks = format!(
        r#"{{"status":"input_required","inputRequests":{{"k":{{"method":"sampling/createMessage","params":{CONVERSATION}}}}}}}"#
    );
    bench.poll(task, Ok(json(&asks)));
    let id = bench.questions(task)[0].id;
    bench.wish(by_hand(id)).unwrap();
    assert_eq!(bench.updates(task)[0], [("k".to_owned(), json(SAMPLED))]);
    bench.reply_update(task, Ok(json("{}")));
}

#[test]
fn a_model_need_not_answer() {
    for hold_ms in [0, 3_000] {
        let mut bench = Bench::new();
        let call = bench.call();
        bench.reply_call(call, Ok(round_of("sampling/createMessage", CONVERSATION)));
        let id = bench.questions(call)[0].id;
        bench.decline(id, hold_ms).unwrap();
        if hold_ms > 0 {
            assert_eq!(bench.row(call).outcome, None, "it can be undone");
            bench.pass(hold_ms.into());
        }
        assert_eq!((bench.calling(call), bench.row(call).outcome), (false, Some(Outcome::Cancelled)));
        let row = bench.question(id);
        assert_eq!((row.state, row.reason), (S::Closed, Some(CloseReason::DeclinedByUs)));
    }
}

#[test]
fn roots_are_told_without_asking() {
    let mut bench = Bench::new();
    let mut named = server(1);
    named.roots = vec!["file:///srv/a".to_owned(), "file:///srv/b\"".to_owned()];
    bench.wish(Intent::PutServer(named)).unwrap();
    let listed = r#"{"roots":[{"uri":"file:///srv/a"},{"uri":"file:///srv/b\""}]}"#;
    let call = bench.call();
    bench.reply_call(call, Ok(round_of("roots/list", "{}")));
    assert_eq!(bench.retries(call)[0].input_responses, [("k".to_owned(), json(listed))]);
    let answered = bench.disk.decisions.iter().find(|entry| entry.kind == DecisionKind::Answered).unwrap();
    assert_eq!((answered.by, answered.json.as_ref()), (Actor::Signalbox, Some(&json(listed))));
    bench.reply_call(call, result());
    assert_eq!(bench.states(call), [S::Answered]);

    let task = bench.task();
    bench
        .poll(task, Ok(json(r#"{"status":"input_required","inputRequests":{"r":{"method":"roots/list"}}}"#)));
    assert_eq!(bench.updates(task)[0], [("r".to_owned(), json(listed))]);
    bench.reply_update(task, Ok(json("{}")));
    assert!(bench.notices.iter().all(|notice| notice.kind != NoticeKind::NeedsInput), "nobody is asked");

    // Nobody can decide for a round in which nobody was asked.
    let lonely = bench.call();
    bench.reply_call(lonely, Ok(round_of("roots/list", "{}")));
    bench.reply_call(lonely, Err(lost()));
    assert_eq!(bench.row(lonely).outcome, Some(Outcome::Unknown));
}

#[test]
fn roots_go_along_with_what_a_person_answers() {
    let mut bench = Bench::new();
    let call = bench.call();
    let both = r#"{"resultType":"input_required","inputRequests":{"r":{"method":"roots/list"},
        "k":{"method":"elicitation/create","params":{"message":"?","requestedSchema":{}}}}}"#;
    bench.reply_call(call, Ok(called(both)));
    assert_eq!((bench.calling(call), bench.row(call).open_requests), (false, 1));
    let asked = bench.questions(call).iter().find(|row| row.state == S::Open).unwrap().id;
    bench.answer(asked, 0).unwrap();
    bench.reply_call(call, Err(lost()));
    assert_eq!(bench.row(call).open_requests, 1, "only what a person can say again");
    bench.answer(asked, 0).unwrap();
    assert_eq!(sent(&bench, call).len(), 2);
    bench.reply_call(call, result());
    assert_eq!(bench.states(call), [S::Answered; 2]);
}
