//! What a followed task takes in memory: its own allocations, and its part of everything that finds it.
//!
//! A program of its own, since all that it allocates is counted.

use std::collections::{HashMap, HashSet};

use signalbox_engine::{Effect, Follow, Input, Now, Output, State, Tuning};
use signalbox_model::{
    Call, CallId, Delivery, Json, Origin, RequestId, Server, ServerId, Task, Timestamp, Transport,
};
use signalbox_store::{Ids, Live};

#[global_allocator]
static ALLOCATOR: dhat::Alloc = dhat::Alloc;

const TASKS: u32 = 10_000;
const SERVERS: u32 = 20;
/// So many bytes a task at most.
const MOST: usize = 2_200;

fn server(n: u32) -> Server {
    let transport = Transport::Http { url: format!("http://127.0.0.1:{n}/mcp"), headers: Vec::new() };
    Server::new(ServerId(n), format!("server {n}"), transport)
}

fn call(n: u32) -> Call {
    let task = Task {
        task_id: format!("0198c3f2-6f1e-7a30-8f00-{n:012}"),
        status_message: Some("step 12 of 40: linking".to_owned()),
        created_at: Some(Timestamp(0)),
        last_updated_at: Some(Timestamp(0)),
        ttl_ms: Some(86_400_000),
        unlimited: Some(false),
        poll_interval_ms: Some(5_000),
        expires_at: Some(Timestamp(86_400_000)),
        seen_at: Timestamp(0),
    };
    Call {
        delivery: Delivery::Answered,
        tool: "build_and_test".to_owned(),
        summary: "main release x86_64-unknown-linux-gnu".to_owned(),
        task: Some(task),
        next_poll_at: Some(Timestamp(0)),
        ..Call::new(CallId(n), ServerId(1 + n % SERVERS), Origin::Started, Timestamp(0))
    }
}

fn stored() -> Live {
    Live {
        seq: 1,
        ids: Ids {
            server: ServerId(SERVERS + 1),
            call: CallId(TASKS + 1),
            request: RequestId(1),
            session: 1,
        },
        servers: (1..=SERVERS).map(server).collect(),
        calls: (1..=TASKS).map(call).collect(),
        requests: Vec::new(),
        stored: HashMap::new(),
        undecided: Vec::new(),
        completed: HashSet::new(),
        settings: Vec::new(),
        tools: Vec::new(),
        rounds: Vec::new(),
        sessions: Vec::new(),
        newest: None,
    }
}

/// What its server says of a task, as long as such answers are.
fn state(call: CallId) -> Json {
    let n = call.0;
    let text = format!(
        r#"{{"resultType":"complete","taskId":"0198c3f2-6f1e-7a30-8f00-{n:012}","status":"working",
        "statusMessage":"step 12 of 40: linking","createdAt":"2026-11-25T10:00:00Z",
        "lastUpdatedAt":"2026-11-25T10:00:00Z","ttlMs":86400000,"pollIntervalMs":5000}}"#
    );
    Json::parse(&text).expect("a state")
}

fn now(ms: u32) -> Now {
    Now { steady_ms: ms.into(), wall: Timestamp(ms.into()) }
}

#[test]
fn a_followed_task_is_small() {
    let _counts = dhat::Profiler::builder().testing().build();
    let allocated = || dhat::HeapStats::get().curr_bytes;
    let before = allocated();
    let (mut state_of_all, output) = State::load(now(0), 7, stored(), Tuning::default(), Follow::All);
    drop(output);
    let mut seen = HashSet::new();
    for slot in 0..200 {
        let ms = slot * 100;
        let Output { mut after_commit, .. } = state_of_all.step(now(ms), 7, Input::Tick);
        while let Some(effect) = after_commit.pop() {
            if let Effect::GetTask { line, call, .. } = effect {
                seen.insert(call);
                let reply = Ok(state(call).into());
                let polled = Input::Polled { server: line.server, call, reply };
                after_commit.extend(state_of_all.step(now(ms), 7, polled).after_commit);
            }
        }
    }
    assert_eq!((seen.len(), state_of_all.live_calls()), (TASKS as usize, TASKS as usize), "each was polled");
    drop(seen);
    let each = (allocated() - before) / TASKS as usize;
    assert!(
        (MOST / 2..=MOST).contains(&each),
        "{each} bytes a task: at most {MOST}, and not next to nothing"
    );
}
