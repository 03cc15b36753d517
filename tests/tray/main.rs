//! The owner in the background with its icon in the tray, as a desktop's panel sees it.
#![cfg(target_os = "linux")]
#![allow(clippy::panic, clippy::unwrap_used, reason = "a test helper that fails fails its test")]

mod dock;
mod doctor;
mod session;
mod shortcut;

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;
use signalbox_demo::{Builder, Demo, Speed, Wires};
use signalbox_tests::window::panel::{Bus, Icon};
use signalbox_tests::{Running, Stage, soon, text};
use tokio::io::{AsyncBufReadExt as _, BufReader, Lines};
use tokio::net::unix::pipe;

/// A desktop with a server, and beside the command a program that takes the window's place: it says what it was started with.
struct Desk {
    stage: Stage,
    bus: Bus,
    program: PathBuf,
    opened: Lines<BufReader<pipe::Receiver>>,
}

impl Desk {
    async fn set() -> Self {
        Self::of(Demo::builder().speed(Speed::INSTANT)).await
    }

    async fn of(demo: Builder) -> Self {
        let mut stage = Stage::of(demo).await;
        let bus = Bus::start(&stage.machine).await;
        stage.machine = stage.machine.with("DBUS_SESSION_BUS_ADDRESS", &bus.address);
        let pipe = stage.machine.path("opened");
        let window = format!("#!/bin/sh\necho \"$@\" > '{}'\n", pipe.display());
        let program = stage.machine.command_beside_a_window(&window);
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success(), "a pipe");
        // Open to both sides, so that its end never comes.
        let opened = pipe::OpenOptions::new().read_write(true).open_receiver(&pipe).unwrap();
        let opened = BufReader::new(opened).lines();
        Self { stage, bus, program, opened }
    }

    fn start(&self) -> Running {
        let mut serve = self.stage.machine.command(&self.program);
        serve.args(["--json", "serve", "--tray"]);
        Running::start(serve)
    }

    async fn serve(&self) -> Running {
        let mut serve = self.start();
        assert_eq!(serve.line().await.expect("it says when it is ready")["ready"], true);
        serve
    }

    /// What the window is started with next.
    async fn opened(&mut self) -> String {
        soon("the window to be started", self.opened.next_line()).await.unwrap().unwrap()
    }

    async fn asks(&self) -> Value {
        let task = self.stage.asks("deploy", r#"{"service":"web"}"#).await;
        task["inputRequests"][0].clone()
    }
}

const NOTHING: &str = "Signalbox";
const ONE: &str = "Signalbox: 1 question needs you";

#[tokio::test(flavor = "multi_thread")]
async fn the_icon_counts_questions_and_its_menu_leads_to_them() {
    let mut desk = Desk::set().await;
    let panel = desk.bus.panel().await;
    let serve = desk.serve().await;
    let mut icon = panel.icon().await;
    icon.says(NOTHING).await;
    let _ = icon.line("Nothing needs you").await;
    let plain = icon.pictures().await;
    assert_eq!(plain.iter().map(|(width, _)| *width).collect::<Vec<_>>(), [22, 24, 32, 44, 48]);
    assert_eq!(icon.get::<String>("Status").await, "Active");

    let question = desk.asks().await;
    icon.says(ONE).await;
    assert_eq!(icon.get::<String>("Status").await, "NeedsAttention");
    assert_ne!(icon.pictures().await, plain, "the count is in the picture");
    let line = icon.line("demo · ").await;
    assert!(line.label.contains("deploy: "), "who asks, and what: {line:?}");
    icon.press(&line).await;
    let opened = desk.opened().await;
    assert!(opened.ends_with(&format!("--open {}", text(&question, "id"))), "{opened}");
    assert!(opened.contains("--home"), "of this data directory: {opened}");
    let show = icon.line("Show Signalbox").await;
    icon.press(&show).await;
    assert!(!desk.opened().await.contains("--open"), "the window as it is");
    icon.press_itself().await;
    assert!(!desk.opened().await.contains("--open"), "a press at the icon does the same");

    let decline = ["answer", text(&question, "id"), "--decline"];
    let _ = desk.stage.machine.run(&decline).await.ok();
    icon.says(NOTHING).await;
    assert_eq!(icon.pictures().await, plain);
    let _ = serve.terminate().await.exits(0);
}

#[tokio::test(flavor = "multi_thread")]
async fn notifications_are_paused_and_go_on() {
    let desk = Desk::set().await;
    let panel = desk.bus.panel().await;
    let serve = desk.serve().await;
    let mut icon = panel.icon().await;
    let hour = icon.line("For 1 hour").await;
    icon.press(&hour).await;
    let paused = icon.line("Notifications are paused: 59 min left").await;
    assert_eq!(paused.more.len(), 3, "{paused:?}");
    let go_on = icon.line("Resume now").await;
    icon.press(&go_on).await;
    let _ = icon.line("Pause notifications").await;
    let tomorrow = icon.line("Until tomorrow").await;
    icon.press(&tomorrow).await;
    let paused = icon.line("Notifications are paused: ").await.label;
    // From just before midnight to 9:00, and from just after it to 9:00 of the next day; an hour more or less where clocks change.
    let hours = paused.rsplit(": ").next().and_then(|left| left.strip_suffix(" h left"));
    assert!(hours.is_some_and(|hours| (7..=34).contains(&hours.parse().unwrap())), "{paused}");
    let _ = serve.terminate().await.exits(0);
}

#[tokio::test(flavor = "multi_thread")]
async fn panels_come_and_go() {
    let desk = Desk::set().await;
    let serve = desk.serve().await;
    let first = desk.bus.panel().await;
    first.icon().await.says(NOTHING).await;
    first.leave().await;
    let _ = desk.asks().await;
    let second = desk.bus.panel().await;
    let mut icon = second.icon().await;
    icon.says(ONE).await;
    let _ = icon.line("demo · ").await;
    let _ = serve.terminate().await.exits(0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_panel_that_dies_takes_no_icon_from_the_next() {
    let desk = Desk::set().await;
    let panel = desk.bus.panel().await;
    let serve = desk.serve().await;
    panel.icon().await.says(NOTHING).await;
    panel.die().await;
    let question = desk.asks().await;
    let next = desk.bus.panel().await;
    next.icon().await.says(ONE).await;
    next.die().await;
    // Nothing shows what it takes: whoever does, comes after it.
    let blind = desk.bus.blind_panel().await;
    let _ = blind.icon().await;
    blind.die().await;
    let decline = ["answer", text(&question, "id"), "--decline"];
    let _ = desk.stage.machine.run(&decline).await.ok();
    let last = desk.bus.panel().await;
    last.icon().await.says(NOTHING).await;
    assert_eq!(last.icons(), 1, "it comes once");
    let _ = serve.terminate().await.exits(0);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_bus_only_the_icon_is_missing() {
    let mut desk = Desk::set().await;
    for address in ["unix:path=/nowhere/at/all", "no address"] {
        desk.stage.machine = desk.stage.machine.with("DBUS_SESSION_BUS_ADDRESS", address);
        let serve = desk.serve().await;
        let _ = desk.stage.start("echo", r#"{"text":"on it goes"}"#).await;
        let _ = serve.terminate().await.exits(0);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn quit_ends_the_owner_and_frees_the_directory() {
    let desk = Desk::set().await;
    let panel = desk.bus.panel().await;
    let serve = desk.serve().await;
    let mut icon = panel.icon().await;
    let quit = icon.line("Quit").await;
    assert_eq!(quit.label, "Quit", "nothing is under way");
    icon.press(&quit).await;
    let _ = serve.end().await.exits(0);
    let again = desk.serve().await;
    let _ = again.terminate().await.exits(0);
}

#[tokio::test(flavor = "multi_thread")]
async fn quit_says_what_goes_on_unseen() {
    let mut desk = Desk::set().await;
    let panel = desk.bus.panel().await;
    let serve = desk.serve().await;
    let task = desk.stage.start("forever", "{}").await;
    let mut icon = panel.icon().await;
    let working = icon.line("1 task under way").await;
    assert_eq!(working.more[0].label, "demo · forever");
    icon.press(&working.more[0]).await;
    let opened = desk.opened().await;
    assert!(opened.ends_with(&format!("--open {}", text(&task, "id"))), "{opened}");
    let quit = icon.line("Quit: 1 task goes on at its server").await;
    icon.press(&quit).await;
    let _ = serve.end().await.exits(0);
}

#[tokio::test(flavor = "multi_thread")]
async fn quit_that_loses_something_takes_a_second_press() {
    let desk = Desk::set().await;
    let panel = desk.bus.panel().await;
    let serve = desk.serve().await;
    let gate = desk.stage.demo.faults().hold_reply("tools/call");
    let call = desk.stage.machine.start(&["call", "demo", "echo", "--args", r#"{"text":"for me"}"#]);
    desk.stage.demo.held(&gate, 1).await;
    let mut icon: Icon = panel.icon().await;
    let quit = icon.line("Quit…").await;
    assert!(quit.more[0].label.starts_with("1 call waits") && !quit.more[0].enabled, "{quit:?}");
    let anyway = icon.line("Quit anyway").await;
    icon.press(&anyway).await;
    let _ = serve.end().await.exits(0);
    call.kill().await;
    gate.open();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_waits_is_lost_also_where_it_has_a_question() {
    let desk = Desk::of(Demo::builder().speed(Speed::INSTANT).wires(Wires::Legacy)).await;
    let panel = desk.bus.panel().await;
    let serve = desk.serve().await;
    let mut icon = panel.icon().await;
    let _ = desk.stage.asks("confirm", r#"{"volume":"tank"}"#).await;
    let quit = icon.line("Quit…").await;
    assert!(quit.more[0].label.starts_with("1 call waits"), "one press would lose it: {quit:?}");
    let _ = serve.terminate().await.exits(0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_one_ends_and_shows_nothing() {
    let desk = Desk::set().await;
    let panel = desk.bus.panel().await;
    let serve = desk.serve().await;
    let mut icon = panel.icon().await;
    let _ = desk.start().end().await.failure(7, "storage_in_use");
    assert_eq!(panel.icons(), 1, "one data directory, one icon");
    icon.says(NOTHING).await;
    let _ = serve.terminate().await.exits(0);
}
