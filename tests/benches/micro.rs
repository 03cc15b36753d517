//! What the inner loops cost: one step, one reading of a task, one commit. For finding out where time goes; they judge
//! nothing (`cargo xtask bench --micro`).
#![allow(clippy::unwrap_used, reason = "a bench that cannot measure fails")]

use std::collections::{HashMap, HashSet};

use divan::Bencher;
use signalbox_engine::{Effect, Follow, Input, Now, State, Tuning};
use signalbox_mcp::TaskView;
use signalbox_model::{
    Call, CallId, Delivery, Json, Origin, PayloadKind, RequestId, Server, ServerId, Status, Task, Timestamp,
    Tracking, Transport,
};
use signalbox_store::{Batch, BatchKind, Ids, Live, Store, Write};

const SERVERS: u32 = 20;
const START: Now = Now { wall: Timestamp(1_800_000_000_000), steady_ms: 0 };

fn main() {
    divan::main();
}

/// What a poll brings; the bytes differ with `n`.
fn seen(n: u64) -> Json {
    Json::parse(format!(
        r#"{{"taskId":"9f86d081884c7d659a2feaa0c55ad015","status":"working","statusMessage":"compiled {n}/120","createdAt":"2027-01-15T08:00:00Z","lastUpdatedAt":"2027-01-15T08:00:03.25Z","ttlMs":3600000,"pollIntervalMs":1000,"resultType":"complete","_meta":{{"io.modelcontextprotocol/serverInfo":{{"name":"demo","version":"0.1.0"}}}}}}"#
    ))
    .unwrap()
}

fn call(n: u32) -> Call {
    Call {
        id: CallId(n),
        server: ServerId(n % SERVERS + 1),
        wire: None,
        tool: "build".into(),
        summary: "main".into(),
        origin: Origin::Started,
        created_at: START.wall,
        delivery: Delivery::Answered,
        status: Status::Working,
        status_text: None,
        outcome: None,
        tracking: Tracking::Live,
        note: None,
        task: Some(Task {
            task_id: format!("{n:032x}"),
            status_message: None,
            created_at: None,
            last_updated_at: None,
            ttl_ms: None,
            unlimited: Some(false),
            poll_interval_ms: Some(5_000),
            expires_at: None,
            seen_at: START.wall,
        }),
        cancel: None,
        ended_at: None,
        next_poll_at: None,
        open_requests: 0,
        waiting_since: None,
        progress: None,
    }
}

fn server(n: u32) -> Server {
    let transport = Transport::Http { url: format!("http://127.0.0.1:{n}/mcp"), headers: Vec::new() };
    Server { tasks: true, ..Server::new(ServerId(n), format!("server-{n}"), transport) }
}

/// A state that follows so many tasks, with a clock.
struct World {
    state: State,
    now: Now,
    steps: u64,
}

impl World {
    fn of(tasks: u32) -> Self {
        let ids =
            Ids { server: ServerId(SERVERS + 1), call: CallId(tasks + 1), request: RequestId(1), session: 1 };
        let stored = Live {
            seq: 1,
            ids,
            servers: (1..=SERVERS).map(server).collect(),
            calls: (1..=tasks).map(call).collect(),
            requests: Vec::new(),
            stored: HashMap::new(),
            undecided: Vec::new(),
            completed: HashSet::new(),
            settings: Vec::new(),
            tools: Vec::new(),
            rounds: Vec::new(),
            sessions: Vec::new(),
            newest: None,
        };
        let (state, _) = State::load(START, 7, stored, Tuning::default(), Follow::All);
        Self { state, now: START, steps: 0 }
    }

    fn step(&mut self, input: Input) -> signalbox_engine::Output {
        self.steps += 1;
        self.state.step(self.now, self.steps, input)
    }

    /// Lets time pass until a task is to be polled, and answers that poll.
    fn poll(&mut self, answer: impl Fn(u64) -> Json) -> signalbox_engine::Output {
        loop {
            let due = self.state.next_due().unwrap();
            self.now = self.now.plus_ms(due.saturating_sub(self.now.steady_ms));
            let output = self.step(Input::Tick);
            let polls: Vec<_> = output.after_commit.into_iter().filter_map(polled).collect();
            let mut last = None;
            for (server, call) in polls {
                let reply = Ok(answer(self.steps));
                last = Some(self.step(Input::Polled { server, call, reply: reply.map(Into::into) }));
            }
            if let Some(last) = last {
                return last;
            }
        }
    }
}

fn polled(effect: Effect) -> Option<(ServerId, CallId)> {
    match effect {
        Effect::GetTask { line, call, .. } => Some((line.server, call)),
        _ => None,
    }
}

/// A poll that comes due and brings nothing new: two steps.
#[divan::bench(args = [100, 10_000])]
fn step_without_a_change(bencher: Bencher, tasks: u32) {
    let same = seen(1);
    let mut world = World::of(tasks);
    for _ in 0..4 * tasks {
        world.poll(|_| same.clone());
    }
    bencher.bench_local(|| world.poll(|_| same.clone()));
}

/// A poll that comes due and brings another message: two steps.
#[divan::bench(args = [100, 10_000])]
fn step_with_a_change(bencher: Bencher, tasks: u32) {
    let mut world = World::of(tasks);
    bencher.bench_local(|| world.poll(seen));
}

/// A task's state, taken apart field by field.
#[divan::bench]
fn read_a_task(bencher: Bencher) {
    let raw = seen(1);
    bencher.bench_local(|| TaskView::read(divan::black_box(&raw)));
}

/// The same into a tree, as a bare loop does.
#[divan::bench]
fn read_a_tree(bencher: Bencher) {
    let raw = seen(1);
    bencher.bench_local(|| serde_json::from_str::<serde_json::Value>(divan::black_box(raw.text())).unwrap());
}

/// Changes of so many tasks queued at once, until the last is on the disk.
#[divan::bench(args = [1, 16, 256])]
fn commit(bencher: Bencher, changes: u32) {
    let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let store = Store::open(dir.path()).unwrap();
    let submit = |writes| {
        let (tell, told) = std::sync::mpsc::channel();
        // Only the last is waited for.
        let done = Box::new(move |committed| drop(tell.send(committed)));
        store.submit(Batch { writes, kind: BatchKind::Observed, done }).unwrap();
        told
    };
    submit((1..=SERVERS).map(|n| Write::PutServer(server(n))).collect()).recv().unwrap().unwrap();
    let mut n = 0;
    bencher.counter(divan::counter::ItemsCount::new(changes)).bench_local(|| {
        n += 1;
        let mut last = None;
        for id in 1..=changes {
            let put = Write::PutCall(Box::new(call(id)));
            last = Some(submit(vec![
                put,
                Write::PutPayload { call: CallId(id), kind: PayloadKind::Last, json: seen(n) },
            ]));
        }
        last.unwrap().recv().unwrap().unwrap()
    });
}
