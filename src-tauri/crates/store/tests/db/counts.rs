//! Counts are what counting the rows would give, whatever is written in whatever order.

use proptest::{collection::vec, prelude::*};
use signalbox_model::{
    Attention, Call, CallId, InputRequest, Outcome, PayloadKind, RequestId, RequestState, ServerId, Status,
    Timestamp,
};
use signalbox_store::{AllCounts, CallQuery, RequestQuery, WhichRequests, Write};

use crate::samples::{Fixture, call, json, put_call, put_request, put_server, request, server};

fn write() -> impl Strategy<Value = Write> {
    let calls = (1..6u32, 1..3u32, 0..2u32, any::<bool>(), any::<bool>());
    let calls = calls.prop_map(|(id, server, open_requests, ended, asks)| {
        put_call(Call {
            server: ServerId(server),
            open_requests,
            status: if asks { Status::InputRequired } else { Status::Working },
            outcome: ended.then_some(Outcome::Lost),
            ..call(id)
        })
    });
    let wants = [Attention::NeedsYou, Attention::Expiring, Attention::Snoozed];
    let how = (proptest::sample::select(&RequestState::ALL), proptest::sample::select(wants.to_vec()));
    let requests = (1..9u32, 1..3u32, 1..6u32, how, any::<bool>());
    let requests = requests.prop_map(|(id, server, call, (state, wants), closed)| {
        let closed_at = closed.then_some(Timestamp(7));
        put_request(InputRequest { server: ServerId(server), state, wants, closed_at, ..request(id, call) })
    });
    let payloads = (1..6u32, any::<bool>(), proptest::sample::select(vec![1, 9, 300 << 10]));
    let payloads = payloads.prop_map(|(id, last, bytes)| {
        let kind = if last { PayloadKind::Last } else { PayloadKind::Result };
        Write::PutPayload { call: CallId(id), kind, json: json(&"1".repeat(bytes)) }
    });
    let dropped = (1..6u32).prop_map(|id| Write::DropPayload { call: CallId(id), kind: PayloadKind::Last });
    let forgotten = (1..6u32).prop_map(|id| Write::ForgetCall(CallId(id)));
    prop_oneof![4 => calls, 4 => requests, 4 => payloads, 1 => dropped, 1 => forgotten]
}

/// The same numbers, counted one by one.
fn counted(at: &Fixture) -> AllCounts {
    let reads = at.store.reads();
    let calls = reads.calls_page(&CallQuery { limit: 1_000, ..CallQuery::default() }).unwrap();
    let all = RequestQuery { list: WhichRequests::All, limit: 1_000, ..RequestQuery::default() };
    let requests = reads.requests_page(&all).unwrap();
    assert_eq!((calls.total, requests.total), (calls.ids.len() as u64, requests.ids.len() as u64));
    let mut counts = AllCounts { seq: calls.seq, ..AllCounts::default() };
    for (call, _) in &calls.rows {
        let share = counts.servers.entry(call.server).or_default();
        if call.ended() {
            share.ended += 1;
        } else if call.needs_person() {
            share.needs_you += 1;
        } else {
            share.working += 1;
        }
    }
    for ((request, _), _) in &requests.rows {
        if request.attention == Attention::Snoozed {
            counts.snoozed += 1;
        } else if request.state.needs_person(request.closed_at) {
            counts.expiring += u64::from(request.attention == Attention::Expiring);
            counts.needs_you += 1;
            counts.servers.entry(request.server).or_default().requests += 1;
        } else if matches!(request.state, RequestState::Held | RequestState::Sending) {
            counts.on_the_way += 1;
            counts.held += u64::from(request.state == RequestState::Held);
        } else if request.stranded() {
            counts.stranded += 1;
        } else {
            counts.settled += 1;
        }
    }
    counts
}

/// The size of all payloads, and of what closed without an answer, read one by one.
fn weighed(at: &Fixture) -> u64 {
    let questions = (1..9).filter_map(|id| at.store.reads().request(RequestId(id)).unwrap());
    let closed = questions.filter(|(request, _)| request.state == RequestState::Closed);
    let asked: u64 = closed.map(|(request, _)| request.raw.text().len() as u64).sum();
    let kinds = [PayloadKind::Last, PayloadKind::Result];
    let all = (1..6).flat_map(|id| kinds.map(|kind| at.store.reads().payload(CallId(id), kind).unwrap()));
    asked + all.flatten().map(|json| json.text().len() as u64).sum::<u64>()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn the_kept_counts_are_what_counting_gives(batches in vec(vec(write(), 1..8), 1..12)) {
        let at = Fixture::new();
        at.put([put_server(server(2))]);
        for writes in batches {
            // Many are refused (a question of a call that is not there): then nothing of the batch may be counted.
            let _ = at.wish(writes);
            let mut kept = at.store.reads().counts().unwrap();
            kept.servers.retain(|_, share| *share != Default::default());
            prop_assert_eq!(kept, counted(&at));
            prop_assert_eq!(at.store.reads().payload_bytes().unwrap(), weighed(&at));
        }
    }
}
