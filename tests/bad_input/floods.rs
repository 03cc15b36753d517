//! Far more than anybody can use: bounded in memory and in what is shown, and everything else goes on.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};
use signalbox_tests::{DemoServer, Machine, Running, Stage, said, text};

use crate::front::{Answer, Front};

pub(crate) const MB: u64 = 1024 * 1024;

/// The most memory that the program ever had (bytes).
pub(crate) fn peak(program: &Running) -> u64 {
    status(program, "VmHWM:")
}

/// The memory that the program has now (bytes).
pub(crate) fn memory(program: &Running) -> u64 {
    status(program, "VmRSS:")
}

fn status(program: &Running, member: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", program.pid())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(member)).unwrap();
    line.trim().strip_suffix(" kB").unwrap().trim().parse::<u64>().unwrap() * 1024
}

/// A machine that knows the server behind the front as `demo`, and its owner.
pub(crate) async fn behind(front: &Front, limit: u64) -> (Machine, Running) {
    let machine = Machine::new();
    machine.set(&json!({ "pollFloorMs": 100, "messageLimit": limit }));
    machine.add("demo", &front.url).await;
    let owner = machine.serve().await;
    (machine, owner)
}

/// A server whose answers to this method are of a gigabyte, as long as it is told so.
async fn pouring(method: &'static str, kind: &'static str, limit: u64) -> (Stage, Front, Arc<AtomicBool>) {
    let demo = DemoServer::start().await;
    let pours = Arc::new(AtomicBool::new(true));
    let on = Arc::clone(&pours);
    let back = move |asked: &str, answer: String| {
        if asked == method && on.load(Ordering::SeqCst) {
            let begin = if kind == "text/event-stream" { "data: " } else { r#"{"jsonrpc":"2.0","result":"# };
            return Answer::Endless { kind, begin, bytes: 1024 * MB };
        }
        Answer::Text(answer)
    };
    let front = Front::before(&demo, |request| request, back).await;
    let (machine, owner) = behind(&front, limit).await;
    (Stage { demo, machine, owner: Some(owner) }, front, pours)
}

/// The limit was read so many times, and no more.
fn bounded(stage: &Stage, front: &Front, limit: u64, times: u64) {
    // What lies between the two programs was handed over, too.
    let (poured, most) = (front.poured.load(Ordering::Relaxed), times * (limit + 16 * MB));
    assert!(poured < most, "it hangs up at the limit: {} MB were handed over", poured / MB);
    let peak = peak(stage.owner.as_ref().unwrap());
    assert!(peak < 2 * limit + 80 * MB, "{} MB of memory", peak / MB);
}

#[tokio::test]
async fn an_answer_of_a_gigabyte_to_a_call() {
    // As it comes.
    let limit = 64 * MB;
    let (stage, front, pours) = pouring("tools/call", "application/json", limit).await;
    let called = stage.machine.run(&["call", "demo", "echo", "--args", r#"{"text":"x"}"#]).await.exits(1);
    assert!(called.stderr.contains("67108864"), "it names the limit: {called}");
    assert_eq!(called.document()["outcome"], "unknown", "what became of the work nobody knows");
    bounded(&stage, &front, limit, 1);
    pours.store(false, Ordering::SeqCst);
    let _ = stage.machine.run(&["call", "demo", "echo", "--args", r#"{"text":"x"}"#]).await.ok();
}

#[tokio::test]
async fn a_task_whose_state_is_a_gigabyte() {
    let limit = 4 * MB;
    for kind in ["application/json", "text/event-stream"] {
        let (stage, front, pours) = pouring("tasks/get", kind, limit).await;
        let task = stage.start("build", "{}").await;
        let mut watch = stage.machine.start(&["watch", text(&task, "id")]);
        let line = watch.until("it is stalled", |line| line["task"]["tracking"] == "stalled").await;
        assert_eq!(line["task"]["status"], "working", "{kind}: the task is kept: {line}");
        let shown = stage.machine.run(&["show", text(&task, "id")]).await.ok();
        let why = shown["timeline"].as_array().unwrap().last().unwrap();
        assert!(text(why, "text").contains("4194304"), "{kind}: it names the limit: {why}");
        let _ = stage.machine.run(&["call", "demo", "echo", "--args", r#"{"text":"x"}"#]).await.ok();
        // Three looks until it is stalled, and what followed since.
        bounded(&stage, &front, limit, 6);
        pours.store(false, Ordering::SeqCst);
        let _ = watch.end().await.exits(0);
        let done = stage.machine.run(&["show", text(&task, "id")]).await.ok();
        assert_eq!(done["outcome"], json!("ok"), "{kind}: fetched as soon as it fits: {done}");
    }
}

#[tokio::test]
async fn a_line_without_an_end() {
    let machine = Machine::new();
    let program = signalbox_tests::signalbox().into_os_string().into_string().unwrap();
    let script = "head -c 200000000 /dev/zero | tr '\\0' 0; echo; exec \"$0\" demo stdio --speed instant";
    let _ = machine.run(&["server", "add", "endless", "--", "sh", "-c", script, &program]).await.ok();
    let owner = machine.serve().await;
    let called: Value = machine.run(&["call", "endless", "echo", "--args", r#"{"text":"x"}"#]).await.ok();
    assert_eq!(said(&called), "x", "behind it everything goes on");
    assert!(peak(&owner) < 180 * MB, "{} MB of memory", peak(&owner) / MB);
}
