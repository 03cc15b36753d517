//! A server whose task says megabytes, beside one that works.
#![allow(clippy::unwrap_used, reason = "a test helper that fails fails its test")]

use signalbox_demo::{Demo, Fault, Speed};
use signalbox_engine::{Granted, Intent};
use signalbox_model::{Outcome, PayloadKind, Transport};

use crate::rig::{Rig, json, patiently, server};

const LONG: usize = 8_000_000;

/// A demo in a thread of its own, so that nothing of it is in the way of ours, which says that again and again.
fn hostile() -> (std::thread::JoinHandle<()>, String, tokio::sync::oneshot::Sender<()>) {
    let (told, place) = std::sync::mpsc::channel();
    let (stop, stopped) = tokio::sync::oneshot::channel();
    let thread = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async move {
            let demo = Demo::builder().speed(Speed::INSTANT).build().unwrap();
            let long = "x".repeat(LONG);
            let state = format!(
                r#"{{"jsonrpc":"2.0","id":$ID,"result":{{"resultType":"complete","status":"working","statusMessage":"{long}"}}}}"#
            );
            demo.faults().next(usize::MAX, "tasks/get", Fault::Say(state));
            let http = demo.serve_http("127.0.0.1:0".parse().unwrap()).await.unwrap();
            told.send(http.url()).unwrap();
            let _ = stopped.await;
            http.shutdown().await;
        });
    });
    (thread, place.recv().unwrap(), stop)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_long_status_stands_cut_in_its_row_and_whole_beside_it() {
    let rig = Rig::new().await;
    let (thread, url, stop) = hostile();
    let mut other = server(Transport::Http { url, headers: Vec::new() });
    other.name = "hostile".to_owned();
    let Granted::Server(hostile) = rig.wish(Intent::AddServer(other)).await else { panic!("a server") };
    let call = rig.call("echo", r#"{"text":"x"}"#).await;
    assert_eq!(rig.ended(call).await.outcome, Some(Outcome::Ok), "it is warm");
    let intent =
        Intent::Start { server: hostile, tool: "forever".to_owned(), arguments: json("{}"), ttl_ms: None };
    let Granted::Call(heavy) = rig.wish(intent).await else { panic!("a call") };
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
