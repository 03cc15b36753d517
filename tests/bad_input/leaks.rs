//! Servers that are connected to again and again: nothing of the former connections stays.

use signalbox_demo::{Demo, Speed, Wires};
use signalbox_tests::{DemoServer, Machine};

use crate::beside::Beside;
use crate::offspring::{Script, children, open_files};

const TIMES: usize = 12;
/// Fewer than one for each time, and enough for what comes and goes.
const FEW: usize = 8;

/// Connects again and again, and counts what is open.
async fn stays_bounded(beside: &Beside, again: impl AsyncFn()) {
    let _ = beside.check().await.ok();
    again().await;
    let before = open_files(&beside.owner);
    for _ in 0..TIMES {
        again().await;
    }
    let after = open_files(&beside.owner);
    assert!(after <= before + FEW, "{before} open files before, {after} after");
}

async fn turned_off_and_on(beside: &Beside) {
    let _ = beside.machine.run(&["server", "disable", "odd"]).await.ok();
    let _ = beside.machine.run(&["server", "enable", "odd"]).await.ok();
    let _ = beside.check().await.ok();
}

#[tokio::test]
async fn a_program() {
    let machine = Machine::new();
    let script = Script::on(&machine, r#""$0" demo stdio --speed instant"#);
    let beside = Beside::on(machine, &script.reach()).await;
    stays_bounded(&beside, async || turned_off_and_on(&beside).await).await;
    let left = children(&beside.owner);
    assert!(left.len() <= 2, "the one that runs, and one that is just leaving: {left:?}");
    let _machine = beside.ends().await;
    script.gone().await;
}

#[tokio::test]
async fn a_modern_server_that_pushes() {
    let demo = DemoServer::start().await;
    let beside = Beside::with(&["--url", &demo.url()]).await;
    let _ = beside.machine.run(&["call", "odd", "forever", "--detach"]).await.ok();
    stays_bounded(&beside, async || turned_off_and_on(&beside).await).await;
    beside.ends().await;
}

#[tokio::test]
async fn a_legacy_server_that_forgets_its_sessions() {
    let demo = DemoServer::of(Demo::builder().speed(Speed::INSTANT).wires(Wires::Legacy)).await;
    let beside = Beside::with(&["--url", &demo.url()]).await;
    let again = async || {
        demo.demo().lose_sessions().unwrap();
        let _ = beside.check().await.ok();
    };
    stays_bounded(&beside, again).await;
    beside.ends().await;
}

#[tokio::test]
async fn a_server_that_is_not_there() {
    let beside = Beside::with(&["--url", "http://127.0.0.1:9/mcp"]).await;
    let before = open_files(&beside.owner);
    for _ in 0..TIMES {
        let _ = beside.check().await.failure(4, "unreachable");
    }
    assert!(open_files(&beside.owner) <= before + FEW);
    beside.ends().await;
}
