//! `server check`: what it says of a server, on both wires and all transports, with and without an owner.

use serde_json::{Value, json};
use signalbox_demo::{Demo, Fault, Legacy, Sessions, Speed, Wires};
use signalbox_tests::{DemoServer, Machine, signalbox, soon};

/// What every check says of a server that works.
fn sound(checked: &Value, wire: &str, has_clock: bool) {
    let version = if wire == "modern" { "2026-07-28" } else { "2025-11-25" };
    assert_eq!((&checked["wire"], &checked["supportsTasks"]), (&json!(wire), &json!(true)), "{checked}");
    assert!(checked["protocolVersion"] == version || checked["protocolVersion"] == "2024-11-05", "{checked}");
    let tasks = match wire {
        "modern" => &checked["capabilities"]["extensions"]["io.modelcontextprotocol/tasks"],
        _ => &checked["capabilities"]["tasks"]["requests"]["tools"]["call"],
    };
    assert!(tasks.is_object(), "{checked}");
    assert!(checked["tools"].as_u64() > Some(10), "{checked}");
    let health = &checked["health"];
    assert_eq!(health["state"], "ok", "{checked}");
    assert!(health["latencyMs"].is_u64(), "{checked}");
    let ahead = health["clockAheadMs"].as_i64();
    assert_eq!(
        ahead.is_some(),
        has_clock,
        "over HTTP a server's clock shows, over stdio it does not: {checked}"
    );
    assert!(ahead.unwrap_or_default().abs() < 10_000, "the same clock: {checked}");
}

/// Checks a server as it begins, and again over what is known of it: alone, then twice by an owner.
async fn checked(reach: &[&str], wire: &str, has_clock: bool) {
    let machine = Machine::new();
    let _ = machine.run(&[&["server", "add", "ci"], reach].concat()).await.ok();
    let check = ["server", "check", "ci"];
    for _ in 0..2 {
        sound(&machine.run(&check).await.ok(), wire, has_clock);
    }
    let owner = machine.serve().await;
    for _ in 0..2 {
        sound(&machine.run(&check).await.ok(), wire, has_clock);
    }
    let shown = machine.run_plain(&check).await.exits(0).stdout;
    let clock = if has_clock { "clock" } else { "wire" };
    for word in [wire, "protocol", "tasks", "tools", "capabilities", " ms", clock] {
        assert!(shown.contains(word), "{word:?} belongs into {shown}");
    }
    let _ = owner.terminate().await.exits(0);
}

#[tokio::test]
async fn a_modern_server_over_http() {
    let demo = DemoServer::start().await;
    checked(&["--url", &demo.url()], "modern", true).await;
}

#[tokio::test]
async fn a_legacy_server_over_http() {
    for sessions in [Sessions::Kept, Sessions::Lost, Sessions::Without] {
        let manners = Legacy { sessions, ..Legacy::default() };
        let demo =
            DemoServer::of(Demo::builder().speed(Speed::INSTANT).wires(Wires::Legacy).legacy(manners)).await;
        checked(&["--url", &demo.url()], "legacy", true).await;
    }
}

#[tokio::test]
async fn a_legacy_server_over_the_transport_of_2024() {
    let demo = DemoServer::of(Demo::builder().speed(Speed::INSTANT).wires(Wires::Legacy)).await;
    checked(&["--url", &demo.url().replace("/mcp", "/sse")], "legacy", true).await;
}

#[tokio::test]
async fn programs_on_both_wires() {
    let program = signalbox().into_os_string().into_string().unwrap();
    for wire in ["modern", "legacy"] {
        checked(&["--", &program, "demo", "stdio", "--speed", "instant", "--wire", wire], wire, false).await;
    }
}

#[tokio::test]
async fn the_clock_is_read_anew_with_every_check() {
    for (wires, method) in [(Wires::Modern, "server/discover"), (Wires::Legacy, "ping")] {
        let demo = DemoServer::of(Demo::builder().speed(Speed::INSTANT).wires(wires)).await;
        let machine = Machine::new();
        machine.add("ci", &demo.url()).await;
        let _owner = machine.serve().await;
        let check = ["server", "check", "ci"];
        let _ = machine.run(&check).await.ok();
        demo.faults().next(1, method, Fault::Header("date", "Fri, 01 Jan 2100 00:00:00 GMT"));
        let checked = machine.run(&check).await.ok();
        assert!(checked["health"]["clockAheadMs"].as_i64() > Some(3_600_000), "as it is now: {checked}");
    }
}

#[tokio::test]
async fn push_is_told_once_it_is_known() {
    let program = signalbox().into_os_string().into_string().unwrap();
    let demo = DemoServer::start().await;
    let silent = DemoServer::start().await;
    let refused = json!({ "code": -32601, "message": "Method not found" });
    silent.faults().next(usize::MAX, "subscriptions/listen", Fault::Error(refused));
    let machine = Machine::new();
    machine.add("http", &demo.url()).await;
    machine.add("silent", &silent.url()).await;
    let line = ["server", "add", "program", "--", &program, "demo", "stdio", "--speed", "instant"];
    let _ = machine.run(&line).await.ok();
    let line = ["server", "add", "old", "--", &program, "demo", "stdio", "--speed", "instant"];
    // At its first moment, whenever that is: what works in an instant has perhaps nothing to tell afterwards.
    let old = ["--wire", "legacy", "--legacy", "early-notices"];
    let _ = machine.run(&[&line[..], &old].concat()).await.ok();
    let _owner = machine.serve().await;
    for (server, push) in [("http", "on"), ("program", "on"), ("silent", "off"), ("old", "on")] {
        let check = ["server", "check", server];
        assert_eq!(machine.run(&check).await.ok()["push"], Value::Null, "nobody has asked it yet");
        let _ = machine.run(&["call", server, "forever", "--detach"]).await.ok();
        // A stream is gathered for, may be asked for again, and stands when the server says so.
        let what = format!("what is known of the push of {server}");
        let told = soon(&what, async {
            loop {
                let told = machine.run(&check).await.ok()["push"].clone();
                if !told.is_null() {
                    break told;
                }
            }
        });
        let told = told.await;
        assert_eq!(told, push, "{server}");
    }
}

#[tokio::test]
async fn when_the_time_is_up_nobody_waits_for_a_program_that_does_not_end() {
    let machine = Machine::new();
    // It heeds neither the end of its input nor a wish.
    let add = ["server", "add", "stubborn", "--", "sh", "-c", "trap '' TERM; while :; do sleep 1000; done"];
    let _ = machine.run(&add).await.ok();
    for (line, part) in [
        (
            ["server", "check", "stubborn", "--timeout", "1"].as_slice(),
            "\"stubborn\" had not answered within 1 s",
        ),
        (&["doctor", "--timeout", "1"], "the time was up"),
    ] {
        let begun = std::time::Instant::now();
        let late = machine.run_plain(line).await.exits(8);
        let took = begun.elapsed();
        assert!(took.as_secs_f64() < 4.5, "its end would take four seconds by itself: {took:?}");
        assert!(late.stderr.contains(part), "{late}");
    }
}
