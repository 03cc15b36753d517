//! The system-wide shortcut, on a display of its own.

use std::net::TcpListener;
use std::path::Path;
use std::process::Stdio;

use serde_json::json;
use signalbox_tests::{Machine, soon, text};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::Child;

use super::Desk;

const KEYS: &str = "Ctrl+Alt+S";
const PRESSED: &str = "ctrl+alt+s";

/// An X11 display that nothing else uses, without a window manager.
struct Display {
    name: String,
    _server: Child,
    // With it ends what runs on it.
    machine: Machine,
}

impl Display {
    async fn start() -> Self {
        let machine = Machine::new();
        let mut server = machine.command(Path::new("setpriv"));
        server.args(["--pdeathsig", "TERM", "--", "Xvfb", "-displayfd", "1", "-nolisten", "tcp", "-noreset"]);
        let mut server = server.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut lines = BufReader::new(server.stdout.take().unwrap()).lines();
        let number = soon("the display", lines.next_line()).await.unwrap().expect("it says its number");
        let display = Self { name: format!(":{number}"), _server: server, machine };
        // The first key that a program presses on a new display changes its keyboard: a key that is held is taken anew then.
        display.press("shift").await;
        display
    }

    async fn press(&self, keys: &str) {
        let mut press = self.machine.command(Path::new("xdotool"));
        press.args(["key", "--clearmodifiers", keys]).env("DISPLAY", &self.name);
        let _ = self.machine.finish(press, "").await.exits(0);
    }
}

async fn on_display(display: &Display) -> Desk {
    let mut desk = Desk::set().await;
    desk.stage.machine = desk.stage.machine.with("DISPLAY", &display.name);
    desk
}

#[tokio::test(flavor = "multi_thread")]
async fn a_press_anywhere_opens_the_window_at_the_next_question() {
    let display = Display::start().await;
    let mut desk = on_display(&display).await;
    let serve = desk.serve().await;
    let machine = &desk.stage.machine;
    assert_eq!(machine.run(&["shortcut"]).await.ok(), json!({ "state": "off" }), "nobody chose one");
    let held = json!({ "keys": KEYS, "state": "held" });
    assert_eq!(machine.run(&["shortcut", "alt+ctrl+s"]).await.ok(), held);
    assert!(machine.run_plain(&["shortcut"]).await.exits(0).stdout.starts_with(KEYS));

    display.press(PRESSED).await;
    let opened = desk.opened().await;
    assert!(opened.contains("--home") && !opened.contains("--open"), "the window as it is: {opened}");
    let question = desk.asks().await;
    display.press(PRESSED).await;
    let opened = desk.opened().await;
    assert!(opened.ends_with(&format!("--open {}", text(&question, "id"))), "{opened}");

    // A later owner holds it, too.
    let _ = serve.terminate().await.exits(0);
    let nobody = json!({ "keys": KEYS, "state": "nobody" });
    assert_eq!(desk.stage.machine.run(&["shortcut"]).await.ok(), nobody, "a command has no face");
    let serve = desk.serve().await;
    let machine = &desk.stage.machine;
    assert_eq!(machine.run(&["shortcut", KEYS]).await.ok(), held);
    assert_eq!(machine.run(&["shortcut", "off"]).await.ok(), json!({ "state": "off" }));
    display.press(PRESSED).await;
    assert_eq!(machine.run(&["shortcut", "Ctrl+Alt+D"]).await.ok()["state"], "held");
    display.press("ctrl+alt+d").await;
    let opened = desk.opened().await;
    assert!(opened.ends_with(&format!("--open {}", text(&question, "id"))), "{opened}");
    // What opens next is told apart from that. Had the key that was let go opened anything, it would come before.
    let decline = ["answer", text(&question, "id"), "--decline"];
    let _ = desk.stage.machine.run(&decline).await.ok();
    display.press("ctrl+alt+d").await;
    let opened = desk.opened().await;
    assert!(!opened.contains("--open"), "the key that was let go opened nothing: {opened}");
    let _ = serve.terminate().await.exits(0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_cannot_be_had_is_said() {
    let display = Display::start().await;
    let (first, second) = (on_display(&display).await, on_display(&display).await);
    let (owner, other) = (first.serve().await, second.serve().await);
    let (first, second) = (&first.stage.machine, &second.stage.machine);
    assert_eq!(first.run(&["shortcut", KEYS]).await.ok()["state"], "held");
    assert_eq!(second.run(&["shortcut", KEYS]).await.ok(), json!({ "keys": KEYS, "state": "taken" }));
    let doctor = second.run(&["doctor"]).await.document();
    let checks = doctor["checks"].as_array().unwrap();
    let check = checks.iter().find(|check| check["name"] == "shortcut").expect("it is looked at");
    assert_eq!(check["state"], "warning", "{check}");
    assert!(text(check, "message").contains("another program"), "{check}");
    for (keys, why) in [("Ctrl+C", "needs Super"), ("Ctrl+Alt+F1", "another terminal")] {
        let failure = second.run(&["shortcut", keys]).await.failure(2, "usage");
        assert!(text(&failure, "message").contains(why), "{failure}");
    }
    assert_eq!(second.run(&["shortcut"]).await.ok()["keys"], KEYS, "it is as it was");
    assert_eq!(second.run(&["shortcut", "Super+F24"]).await.ok()["state"], "no_such_key");

    assert_eq!(first.run(&["shortcut", "off"]).await.ok()["state"], "off");
    assert_eq!(second.run(&["shortcut", KEYS]).await.ok()["state"], "held", "who let it go has it no more");
    let _ = other.terminate().await.exits(0);
    let _ = owner.terminate().await.exits(0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_display_that_hangs_holds_nothing_up() {
    // What a display would listen on: the first is 6000.
    let (hung, number) = (0..100)
        .find_map(|number| TcpListener::bind(("127.0.0.1", 6500 + number)).ok().zip(Some(500 + number)))
        .expect("a port");
    let mut desk = Desk::set().await;
    desk.stage.machine = desk.stage.machine.with("DISPLAY", format!("127.0.0.1:{number}"));
    let serve = desk.serve().await;
    let machine = &desk.stage.machine;
    assert_eq!(machine.run(&["shortcut", KEYS]).await.ok()["state"], "no_display");
    assert_eq!(machine.run(&["shortcut", "Super+S"]).await.ok()["state"], "no_display");
    let _ = serve.terminate().await.exits(0);
    hung.set_nonblocking(true).unwrap();
    let asked = hung.incoming().take_while(Result::is_ok).count();
    assert_eq!(asked, 1, "no second thread waits with the first");
}

#[tokio::test(flavor = "multi_thread")]
async fn on_wayland_it_is_said_that_no_key_can_be_held() {
    let mut desk = Desk::set().await;
    // There is an X11 display beside it, as often: a key on it would be deaf.
    desk.stage.machine = desk.stage.machine.with("DISPLAY", ":0").with("WAYLAND_DISPLAY", "wayland-0");
    let serve = desk.serve().await;
    let machine = &desk.stage.machine;
    assert_eq!(machine.run(&["shortcut"]).await.ok(), json!({ "state": "wayland" }));
    assert_eq!(machine.run(&["shortcut", KEYS]).await.ok(), json!({ "keys": KEYS, "state": "wayland" }));
    let said = machine.run_plain(&["shortcut"]).await.exits(0).stdout;
    assert!(said.contains("signalbox next"), "what to do instead: {said}");
    let _ = serve.terminate().await.exits(0);
}
