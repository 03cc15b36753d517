//! What `doctor` says of the desktop: of its tray, its portal, and the program of the window.

use std::fs;

use serde_json::Value;
use signalbox_tests::window::panel::Bus;
use signalbox_tests::{Machine, text};
use zbus::connection;

use super::Desk;

const WINDOW: &str = "signalbox-desktop";
const SHOWN: &str = "the desktop shows tray icons";
const HIDDEN: &str = "nothing here shows tray icons";
const PORTAL: &str = "org.freedesktop.portal.Desktop";
const HAS_PORTAL: &str = "a portal is there";
const NO_PORTAL: &str = "there is no portal";

/// What a check of this machine says, and whether that is well.
async fn check(machine: &Machine, name: &str) -> (String, String) {
    let doctor = machine.run(&["doctor"]).await.exits(0).document();
    found(&doctor, name)
}

fn found(doctor: &Value, name: &str) -> (String, String) {
    let checks = doctor["checks"].as_array().unwrap();
    let check = checks.iter().find(|check| check["name"] == name);
    let check = check.unwrap_or_else(|| panic!("{name} of {doctor}"));
    (text(check, "message").to_owned(), text(check, "state").to_owned())
}

/// Checks that it says this, which is well with or without.
async fn says(machine: &Machine, name: &str, words: &str, when: &str) {
    let (message, state) = check(machine, name).await;
    assert!(message.starts_with(words), "{when}: {message}");
    assert_eq!(state, "ok", "{when}: none of it is needed");
}

/// A machine with a bus.
async fn with_bus() -> (Machine, Bus) {
    let machine = Machine::new();
    let bus = Bus::start(&machine).await;
    let machine = machine.with("DBUS_SESSION_BUS_ADDRESS", &bus.address);
    (machine, bus)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_tray_is_there_while_a_panel_shows_icons() {
    let (machine, bus) = with_bus().await;
    says(&machine, "tray", HIDDEN, "nothing has come").await;
    let panel = bus.panel().await;
    says(&machine, "tray", SHOWN, "a panel shows them").await;
    panel.leave().await;
    says(&machine, "tray", HIDDEN, "it left").await;

    let panel = bus.panel().await;
    says(&machine, "tray", SHOWN, "another one shows them").await;
    panel.die().await;
    says(&machine, "tray", HIDDEN, "it died").await;

    let blind = bus.blind_panel().await;
    says(&machine, "tray", HIDDEN, "it takes them and shows none").await;
    blind.leave().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_goes_on_without_a_tray_is_said() {
    let desk = Desk::set().await;
    let blind = desk.bus.blind_panel().await;
    let machine = &desk.stage.machine;
    let (nobody, _) = check(machine, "tray").await;
    assert!(nobody.contains("a window follows the tasks itself"), "{nobody}");
    let serve = desk.serve().await;
    let (unseen, _) = check(machine, "tray").await;
    assert!(unseen.contains("tasks are followed unseen"), "{unseen}");
    blind.leave().await;
    let _panel = desk.bus.panel().await;
    says(machine, "tray", SHOWN, "a panel has come").await;
    let _ = serve.terminate().await.exits(0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_portal_is_one_that_runs_or_would() {
    let (machine, bus) = with_bus().await;
    says(&machine, "portal", NO_PORTAL, "nothing has its name").await;
    let address = bus.address.as_str();
    let portal = connection::Builder::address(address).unwrap().name(PORTAL).unwrap().build().await.unwrap();
    says(&machine, "portal", HAS_PORTAL, "it runs").await;
    assert!(portal.release_name(PORTAL).await.unwrap(), "the name was its own");
    says(&machine, "portal", NO_PORTAL, "it left").await;

    let machine = Machine::new();
    let services = machine.path("run/services");
    fs::create_dir(&services).unwrap();
    let service = format!("[D-BUS Service]\nName={PORTAL}\nExec=/bin/false\n");
    fs::write(services.join(format!("{PORTAL}.service")), service).unwrap();
    let bus = Bus::start(&machine).await;
    let machine = machine.with("DBUS_SESSION_BUS_ADDRESS", &bus.address);
    says(&machine, "portal", HAS_PORTAL, "the bus would start it").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_window_is_of_the_version_that_it_says() {
    let mut desk = Desk::set().await;
    let (real, state) = check(&desk.stage.machine, "window").await;
    let version = env!("CARGO_PKG_VERSION");
    let web_view = real.strip_prefix(&format!("{WINDOW} {version} (web view "));
    let web_view = web_view.and_then(|rest| rest.strip_suffix(')')).unwrap_or_else(|| panic!("{real}"));
    assert!(web_view.starts_with(|first: char| first.is_ascii_digit()), "its version: {real}");
    assert_eq!(state, "ok", "both are of one build");

    let none = format!("echo 'signalbox-desktop {version} (web view unknown)'");
    let other = "echo 'signalbox-desktop 0.0.1 (web view 2.50.6)'";
    for (script, says) in [
        (none.as_str(), "this system has no web view"),
        (other, "signalbox-desktop 0.0.1 (web view 2.50.6) is another version than"),
        ("exit 127", "/signalbox-desktop does not start"),
    ] {
        let script = format!("#!/bin/sh\n[ \"$*\" = --version ] && {script}\n");
        desk.stage.machine = desk.stage.machine.with_program(WINDOW, &script);
        let (message, state) = beside(&desk).await;
        assert!(message.contains(says), "{script}: {message}");
        assert_eq!(state, "warning", "{script}: there is something to do");
    }
    fs::remove_file(desk.program.with_file_name(WINDOW)).unwrap();
    let (message, state) = beside(&desk).await;
    assert!(message.contains("neither beside this one nor on the search path"), "{message}");
    assert_eq!(state, "ok", "everything can be done without it");
}

/// What the command says of the program that takes the window's place.
async fn beside(desk: &Desk) -> (String, String) {
    let mut doctor = desk.stage.machine.command(&desk.program);
    doctor.args(["--json", "doctor"]);
    found(&desk.stage.machine.finish(doctor, "").await.exits(0).document(), "window")
}
