//! Questions whose connection is gone: they wait for the server to ask again, or are put away.

use super::*;

impl Bench {
    fn put_away(&mut self, id: RequestId) -> Result<Granted, Refusal> {
        let read = self.question(id).clone();
        self.wish(Intent::PutAway(Box::new(read)))
    }

    fn asks_again(&mut self, link: u64) -> RequestId {
        self.hear_on(link, SessionEvent::Request(Box::new(asks("7", "Really?", Some("task-1")))));
        self.last().id
    }
}

#[test]
fn what_is_put_away_is_over_for_good() {
    let (mut bench, call, id) = asked();
    assert_eq!(bench.put_away(id), Err(Refusal::NotStranded), "the server waits");
    bench.wish(Intent::SaveDraft { request: id, draft: Some(json("1")) }).unwrap();
    bench.hear_on(LINK, SessionEvent::Ended(session_over()));
    assert_eq!((bench.question(id).state, bench.row(call).open_requests), (RequestState::Orphaned, 0));
    assert_eq!(bench.answer(id, 0), Err(Refusal::Settled(Settled::Orphaned)));
    bench.full = true;
    bench.put_away(id).unwrap_err();
    bench.full = false;
    bench.pass(5_000);
    bench.put_away(id).unwrap();
    let row = bench.question(id);
    assert_eq!((row.state, row.reason), (RequestState::Closed, Some(CloseReason::PutAway)));
    assert_eq!(row.closed_at, Some(bench.now.wall), "when it was put away, not when its connection was gone");
    assert_eq!(row.draft, Some(json("1")), "what was typed stays to be read");
    assert_eq!(bench.put_away(id), Err(Refusal::NotStranded), "once");
    bench.connect(2, false);
    assert_ne!(bench.asks_again(2), id, "should the server ask again, that is a new question");
}

#[test]
fn what_was_sent_to_a_connection_that_is_gone_is_put_away_with_its_answer() {
    let (mut bench, call, id) = asked();
    bench.answer(id, 0).unwrap();
    bench.replied(id, Err(lost()));
    assert_eq!(bench.put_away(id), Err(Refusal::NotStranded), "it can still be answered");
    bench.hear_on(LINK, SessionEvent::Ended(session_over()));
    assert_eq!(bench.row(call).open_requests, 0, "nothing can be decided any more");
    bench.put_away(id).unwrap();
    let row = bench.question(id);
    assert_eq!((row.state, row.reason), (RequestState::Closed, Some(CloseReason::PutAway)));
    assert!(row.sent(), "what was sent stays to be seen");
    let (who, what) = {
        let last = bench.disk.decisions.last().unwrap();
        (last.by, last.kind)
    };
    assert_eq!((who, what), (Actor::Person, DecisionKind::Closed));
}

#[test]
fn over_a_restart_what_is_stranded_waits_on_and_can_be_put_away() {
    for away in [false, true] {
        let mut bench = Bench::legacy();
        bench.hear(asks("1", "Which?", None));
        let id = bench.last().id;
        bench.hear_on(LINK, SessionEvent::Ended(session_over()));
        let mut bench = bench.restart(1_000, Follow::All);
        assert_eq!(bench.question(id).state, RequestState::Orphaned);
        assert_eq!(bench.flights, [], "nobody is asked for its sake");
        if away {
            bench.put_away(id).unwrap();
        }
        bench.connect(2, false);
        bench.hear_on(2, SessionEvent::Request(Box::new(asks("9", "Which?", None))));
        assert_eq!(bench.last().id == id, !away, "asked again it is the same, unless it was put away");
    }
}

#[test]
fn a_stranded_question_that_is_not_in_memory_is_put_away_all_the_same() {
    let (mut bench, _, id) = asked();
    bench.hear_on(LINK, SessionEvent::Ended(session_over()));
    bench.state.rooms.sessions.all.get_mut(&SERVER).unwrap().questions.clear();
    bench.state.shared.places.clear();
    bench.state.shared.room = Room::default();
    bench.put_away(id).unwrap();
    assert_eq!(bench.question(id).reason, Some(CloseReason::PutAway));
}
