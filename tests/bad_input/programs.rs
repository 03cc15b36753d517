//! Programs that misbehave as processes: each ends with all that it started, in bounded time, and leaves nothing behind.

use std::time::Instant;

use signalbox_tests::{Machine, said};

use crate::beside::Beside;
use crate::floods::{MB, peak};
use crate::offspring::{BOUND, Script, childless, children};

/// Works, and goes on when its input is closed and when it is asked to end; so does what it starts. (Should a test fail, it ends
/// with its machine.)
const STUBBORN: &str =
    r#"trap '' TERM HUP INT; sleep 1000 & "$0" demo stdio --speed instant; while :; do sleep 1000; done"#;

async fn beside(script: &str) -> (Beside, Script) {
    let machine = Machine::new();
    let script = Script::on(&machine, script);
    (Beside::on(machine, &script.reach()).await, script)
}

/// The program fails with these hints, while the good server works; and nothing of it is left.
async fn fails(script: &str, hints: &[&str]) {
    let (beside, script) = beside(script).await;
    beside.fails(4, "spawn_failed", hints).await;
    let called = beside.machine.run(&["call", "odd", "echo", "--args", r#"{"text":"x"}"#]).await.exits(4);
    assert_ne!(called.document()["outcome"], "unknown", "it was certainly not sent: {called}");
    let _ = beside.machine.run(&["server", "disable", "odd"]).await.ok();
    childless(&beside.machine, &beside.owner).await;
    let _machine = beside.ends().await;
    script.gone().await;
}

#[tokio::test]
async fn one_that_ends_at_once() {
    fails("exit 0", &["ended with code 0"]).await;
}

#[tokio::test]
async fn one_that_dies_in_the_middle_of_a_line() {
    fails(r#"read -r line; printf '{"jsonrpc":"2.0","id":1,"resu'; kill -9 $$"#, &["ended"]).await;
}

#[tokio::test]
async fn one_that_closes_its_output_and_lives() {
    fails("exec >&-; echo 'still here' >&2; exec sleep 1000", &["ended", "still here"]).await;
}

#[tokio::test]
async fn one_that_closes_its_input_and_lives() {
    fails("exec <&-; echo 'still here' >&2; exec sleep 1000", &["ended", "still here"]).await;
}

#[tokio::test]
async fn one_that_leaves_a_child_of_its_own_with_the_pipes() {
    fails("sleep 1000 & exit 0", &["ended with code 0"]).await;
    // One that left the group cannot be ended; what it writes goes nowhere any more, by which it learns.
    fails("setsid sh -c 'while echo x; do sleep 0.05; done' & exit 0", &["ended with code 0"]).await;
}

#[tokio::test]
async fn one_that_never_ends_by_itself() {
    let (beside, script) = beside(STUBBORN).await;
    let _ = beside.meanwhile(beside.check()).await.ok();
    assert_eq!(children(&beside.owner).len(), 1, "one child, which has its own");
    let _ = beside.meanwhile(beside.machine.run(&["server", "disable", "odd"])).await.ok();
    childless(&beside.machine, &beside.owner).await;
    script.gone().await;

    let _ = beside.machine.run(&["server", "enable", "odd"]).await.ok();
    let _ = beside.check().await.ok();
    let asked = Instant::now();
    let _machine = beside.ends().await;
    assert!(asked.elapsed() < BOUND, "{:?}", asked.elapsed());
    script.gone().await;
}

#[tokio::test]
async fn one_that_never_ends_by_itself_without_an_owner() {
    let machine = Machine::new();
    let script = Script::on(&machine, STUBBORN);
    let _ = machine.run(&[&["server", "add", "odd"], script.reach().as_slice()].concat()).await.ok();
    let asked = Instant::now();
    let _ = machine.run(&["server", "check", "odd"]).await.ok();
    assert!(asked.elapsed() < BOUND, "{:?}", asked.elapsed());
    script.gone().await;
}

#[tokio::test]
async fn one_that_floods_its_standard_error() {
    let without_lines = "head -c 100000000 /dev/zero | tr '\\0' x";
    let with_lines = "yes \"$(printf %01000d 7)\" | head -c 100000000";
    for flood in [without_lines, with_lines] {
        let (beside, script) = beside(&format!(r#"{flood} >&2; "$0" demo stdio --speed instant"#)).await;
        let called =
            beside.meanwhile(beside.machine.run(&["call", "odd", "echo", "--args", r#"{"text":"x"}"#])).await;
        assert_eq!(said(&called.ok()), "x", "behind it everything goes on");
        assert!(peak(&beside.owner) < 120 * MB, "{} MB of memory", peak(&beside.owner) / MB);
        let machine = beside.ends().await;
        script.gone().await;
        assert!(bytes(&machine.data()) < 4 * MB, "nothing of it is kept");
    }
}

/// What a folder holds, in bytes.
fn bytes(folder: &std::path::Path) -> u64 {
    let entries = std::fs::read_dir(folder).unwrap().map(Result::unwrap);
    entries
        .map(
            |entry| {
                if entry.path().is_dir() { bytes(&entry.path()) } else { entry.metadata().unwrap().len() }
            },
        )
        .sum()
}
