//! Starting with the session: `autostart`, and the file that it writes.

use std::fs;

use serde_json::json;
use signalbox_tests::{Machine, text};

/// A machine whose search path has the window's program, as an installed Signalbox does.
fn installed() -> Machine {
    let machine = Machine::new();
    let bin = machine.path("bin");
    fs::create_dir(&bin).unwrap();
    fs::write(bin.join("signalbox-desktop"), "").unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    machine.with("PATH", format!("{}:{path}", bin.display()))
}

#[tokio::test]
async fn the_session_starts_it_hidden_once_it_is_told_to() {
    let machine = installed();
    let file = machine.path("config").join("autostart").join("signalbox.desktop");
    let off = json!({ "on": false, "file": file });
    assert_eq!(machine.run(&["autostart"]).await.ok(), off, "nobody asked for it");
    assert!(!file.exists());

    assert_eq!(machine.run(&["autostart", "on"]).await.ok(), json!({ "on": true, "file": file }));
    let written = fs::read_to_string(&file).unwrap();
    let exec = written.lines().find_map(|line| line.strip_prefix("Exec=")).expect("it starts something");
    assert!(exec.contains("signalbox-desktop\" --home \""), "this is no usual data directory: {exec}");
    assert!(exec.ends_with("/data\" --hidden"), "{exec}");
    assert!(machine.run_plain(&["autostart"]).await.exits(0).stdout.starts_with("on "));

    // What the person's desktop says of it counts.
    fs::write(&file, written.replace("enabled=true", "enabled=false")).unwrap();
    assert_eq!(machine.run(&["autostart"]).await.ok()["on"], false);
    fs::write(&file, "[Desktop Entry]\nType=Application\nExec=/opt/other --hidden\n").unwrap();
    assert_eq!(text(&machine.run(&["autostart"]).await.ok(), "other"), "/opt/other --hidden");

    assert_eq!(machine.run(&["autostart", "off"]).await.ok(), off);
    assert!(!file.exists());
    assert_eq!(machine.run(&["autostart", "off"]).await.ok(), off, "off twice is off");
}
