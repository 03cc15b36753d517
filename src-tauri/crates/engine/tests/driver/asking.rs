//! A server that asks ten megabytes under new keys at each poll, beside one that works. What it takes is settled after a few
//! polls: a hundred of them are no different.

use std::{
    fs,
    path::Path,
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use serde_json::{Map, Value, json};
use signalbox_demo::{Demo, Fault, Speed};
use signalbox_engine::{Granted, Intent};
use signalbox_model::{CallId, NoteCode, Outcome, RequestState, Transport};
use signalbox_store::{RequestQuery, WhichRequests};

use crate::rig::{self, Rig, patiently};

const LOOKS: usize = 10;
const QUESTIONS: usize = 40;
const EACH: usize = 500_000;
const MIB: u64 = 1 << 20;

/// How often it was polled.
static ASKED: AtomicUsize = AtomicUsize::new(0);

fn ask(message: &mut Value) {
    let poll = ASKED.fetch_add(1, Ordering::Relaxed);
    let words = "x".repeat(EACH);
    let params = json!({ "message": words, "requestedSchema": { "type": "object" } });
    let question = json!({ "method": "elicitation/create", "params": params });
    let questions = (0..QUESTIONS).map(|n| (format!("{poll}/{n}"), question.clone()));
    let Some(result) = message.get_mut("result").and_then(Value::as_object_mut) else { return };
    result.insert("status".to_owned(), json!("input_required"));
    result.insert("inputRequests".to_owned(), Value::Object(questions.collect::<Map<_, _>>()));
}

/// Bytes of all files in a directory and below.
fn on_disk(dir: &Path) -> u64 {
    let entries = fs::read_dir(dir).into_iter().flatten().filter_map(Result::ok);
    // A file may go meanwhile.
    let size = |entry: fs::DirEntry| match entry.metadata() {
        Ok(meta) if meta.is_dir() => on_disk(&entry.path()),
        Ok(meta) => meta.len(),
        Err(_) => 0,
    };
    entries.map(size).sum()
}

/// What this process has in memory, in bytes, where the system says so.
fn in_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? * 1_024)
}

async fn questions(rig: &Rig, call: CallId, list: fn(CallId) -> WhichRequests) -> u64 {
    let query = RequestQuery { list: list(call), limit: 0, ..RequestQuery::default() };
    rig.read(move |reads| reads.requests_page(&query).map_or(0, |page| page.total)).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_asks_without_end_fills_neither_memory_nor_disk_and_delays_no_other() {
    let rig = Rig::untold().await;
    let noisy = rig.call("forever", "{}").await;
    rig.handle(noisy).await;
    let before = in_memory();
    rig.demo.faults().next(usize::MAX, "tasks/get", Fault::Edit(ask));

    let other = Demo::builder().speed(Speed::INSTANT).build().unwrap();
    let http = other.serve_http("127.0.0.1:0".parse().unwrap()).await.unwrap();
    let mut second = rig::server(Transport::Http { url: http.url(), headers: Vec::new() });
    second.name = "other".to_owned();
    let Granted::Server(second) = rig.wish(Intent::AddServer(second)).await else { panic!("a server") };
    let (mut disk, mut memory, mut slowest) = (0, 0, Duration::ZERO);
    while ASKED.load(Ordering::Relaxed) < LOOKS {
        let began = tokio::time::Instant::now();
        let arguments = rig::json(r#"{"service":"api"}"#);
        let intent = Intent::Start { server: second, tool: "deploy".to_owned(), arguments, ttl_ms: None };
        let Granted::Call(call) = rig.wish(intent).await else { panic!("a call") };
        let question = rig.question(call, RequestState::Open).await;
        rig.wish(Rig::accept(&question)).await;
        assert_eq!(rig.ended(call).await.outcome, Some(Outcome::Ok));
        slowest = slowest.max(began.elapsed());
        disk = disk.max(on_disk(rig.dir.path()));
        memory = memory.max(in_memory().unwrap_or(0).saturating_sub(before.unwrap_or(0)));
    }
    let (open, closed) = (
        questions(&rig, noisy, WhichRequests::Open).await,
        questions(&rig, noisy, WhichRequests::Closed).await,
    );
    let note = rig.row(noisy).await.note.map(|note| note.code);
    let left = rig.engine.left().borrow().get(&rig::SERVER).copied();
    assert!((1..QUESTIONS as u64).contains(&open), "{open} of {QUESTIONS} fit into 16 MiB");
    assert!(closed < 80, "of what nobody answered 16 MiB stay: {closed}");
    assert_eq!((note, left), (Some(NoteCode::AsksTooMuch), u32::try_from(QUESTIONS as u64 - open).ok()));
    assert!(disk < 160 * MIB, "{disk} bytes on the disk after so many questions");
    assert!(memory < 640 * MIB, "{memory} bytes more in memory, the server's own included");
    assert!(slowest < Duration::from_secs(20), "the other server waited for {slowest:?}");

    rig.wish(Intent::Forget { call: noisy, server: rig::SERVER }).await;
    let mut commits = 0;
    while on_disk(rig.dir.path()) > 16 * MIB {
        let value = rig::json(&commits.to_string());
        let tuning = signalbox_engine::Tuning { poll_floor_ms: 5, ..signalbox_engine::Tuning::default() };
        rig.wish(Intent::PutSetting { key: "test".to_owned(), value, tuning }).await;
        commits += 1;
        assert!(commits < 2_000, "{} bytes stay after the task was forgotten", on_disk(rig.dir.path()));
    }
    assert_eq!(rig.engine.left().borrow().get(&rig::SERVER), None, "what was forgotten asks nothing");
    patiently(rig.engine.stop()).await;
}
