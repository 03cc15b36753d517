//! A server whose task says megabytes, beside one that works.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test helper that fails fails its test")]

use std::time::{Duration, Instant};

use signalbox_demo::{Demo, Fault, Speed};
use signalbox_engine::{Granted, Intent};
use signalbox_model::{CallId, Outcome, PayloadKind, Transport};

use crate::rig::{Rig, json, patiently, server};

const LONG: usize = 8_000_000;
/// As long as may be, nearly: an answer has 64 MiB.
const LONGEST: usize = 50_000_000;
/// The longest that a call of another server may take beside it. It was 1.7 s as it is released, and is 0.23 s; here it is not
/// optimized, and the machine may have other work.
const BESIDE: Duration = Duration::from_millis(1_000);

/// How often that is tried.
const RUNS: usize = 3;

/// A demo in a thread of its own, so that nothing of it is in the way of ours. Its task says so many of each of these letters,
/// one after the other, and the last again and again.
fn hostile(
    long: usize,
    letters: &'static [&'static str],
) -> (std::thread::JoinHandle<()>, String, tokio::sync::oneshot::Sender<()>) {
    let (told, place) = std::sync::mpsc::channel();
    let (stop, stopped) = tokio::sync::oneshot::channel();
    let thread = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async move {
            let demo = Demo::builder().speed(Speed::INSTANT).build().unwrap();
            // Who is told things polls so seldom that nobody could wait for it here.
            let refused = Fault::Refuse { status: 405, retry_after: None };
            demo.faults().next(usize::MAX, "subscriptions/listen", refused);
            for (n, letter) in letters.iter().enumerate() {
                let long = letter.repeat(long);
                let state = format!(
                    r#"{{"jsonrpc":"2.0","id":$ID,"result":{{"resultType":"complete","status":"working","statusMessage":"{long}"}}}}"#
                );
                let times = if n + 1 < letters.len() { 1 } else { usize::MAX };
                demo.faults().next(times, "tasks/get", Fault::Say(state));
            }
            let http = demo.serve_http("127.0.0.1:0".parse().unwrap()).await.unwrap();
            told.send(http.url()).unwrap();
            let _ = stopped.await;
            http.shutdown().await;
        });
    });
    (thread, place.recv().unwrap(), stop)
}

/// Starts its task.
async fn heavy(rig: &Rig, name: &str, url: String) -> CallId {
    let mut other = server(Transport::Http { url, headers: Vec::new() });
    other.name = name.to_owned();
    let Granted::Server(hostile) = rig.wish(Intent::AddServer(other)).await else { panic!("a server") };
    let intent =
        Intent::Start { server: hostile, tool: "forever".to_owned(), arguments: json("{}"), ttl_ms: None };
    let Granted::Call(heavy) = rig.wish(intent).await else { panic!("a call") };
    heavy
}

/// Nothing of it holds the engine up: not that it comes, nor that it is read, compared and kept.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_status_of_fifty_megabytes_holds_up_no_call_of_another_server() {
    let rig = Rig::new().await;
    let echo = async || {
        let asked = Instant::now();
        let call = rig.call("echo", r#"{"text":"x"}"#).await;
        assert_eq!(rig.ended(call).await.outcome, Some(Outcome::Ok));
        asked.elapsed()
    };
    let _warm = echo().await;
    // What else the machine does holds up some of the calls in one of the runs; what the engine does in each of them.
    let mut best = Duration::MAX;
    for run in 1..=RUNS {
        let (thread, url, stop) = hostile(LONGEST, &["x", "y", "z"]);
        let heavy = heavy(&rig, &format!("hostile-{run}"), url).await;
        let (mut slowest, mut beside, mut is_over) = (Duration::ZERO, 0, false);
        while !is_over {
            slowest = slowest.max(echo().await);
            let said = rig.row(heavy).await.task.and_then(|task| task.status_message).unwrap_or_default();
            beside += usize::from(!said.starts_with('z'));
            is_over = said.starts_with('z');
        }
        assert!(beside >= 3, "they ran beside it: {beside}");
        best = best.min(slowest);
        let server = rig.row(heavy).await.server;
        assert_eq!(rig.wish(Intent::Forget { call: heavy, server }).await, Granted::Done);
        stop.send(()).unwrap();
        thread.join().unwrap();
    }
    assert!(best < BESIDE, "the slowest call beside three such statuses, in the best run: {best:?}");
    patiently(rig.engine.stop()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_long_status_stands_cut_in_its_row_and_whole_beside_it() {
    let rig = Rig::new().await;
    let (thread, url, stop) = hostile(LONG, &["x"]);
    let call = rig.call("echo", r#"{"text":"x"}"#).await;
    assert_eq!(rig.ended(call).await.outcome, Some(Outcome::Ok), "it is warm");
    let heavy = heavy(&rig, "hostile", url).await;
    let message = rig
        .until("what it says", move |reads| {
            let said = reads.call(heavy).unwrap()?.0.task?.status_message?;
            said.starts_with("xxx").then_some(said)
        })
        .await;
    assert!(message.ends_with("x…") && message.len() <= 16 * 1024, "a row is narrow: {}", message.len());
    let last = rig.read(move |reads| reads.payload(heavy, PayloadKind::Last).unwrap().unwrap()).await;
    assert!(last.text().len() > LONG, "all of it is beside");
    let told = rig.read(move |reads| reads.events(heavy, 100, 1 << 20).unwrap()).await;
    assert!(told.iter().filter_map(|event| event.text.as_ref()).all(|text| text.len() <= 16 * 1024));
    let call = rig.call("echo", r#"{"text":"x"}"#).await;
    assert_eq!(rig.ended(call).await.outcome, Some(Outcome::Ok), "and others go on");
    patiently(rig.engine.stop()).await;
    stop.send(()).unwrap();
    thread.join().unwrap();
}
