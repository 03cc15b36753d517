//! A session ends, and the next begins; and what is pressed where no window can be shown.

use std::fs;

use serde_json::json;

use super::{Desk, NOTHING, ONE};

#[tokio::test(flavor = "multi_thread")]
async fn the_icon_is_in_the_next_session_too() {
    let mut desk = Desk::set().await;
    let panel = desk.bus.panel().await;
    let serve = desk.serve().await;
    panel.icon().await.says(NOTHING).await;

    desk.bus.next_session(&desk.stage.machine).await;
    let _ = desk.asks().await;
    let panel = desk.bus.panel().await;
    let mut icon = panel.icon().await;
    icon.says(ONE).await;
    let show = icon.line("Show Signalbox").await;
    icon.press(&show).await;
    assert!(desk.opened().await.contains("--home"), "what is pressed there is done");
    let done = serve.terminate().await.exits(0);
    assert!(!done.stderr.contains("panicked"), "the former icon went in peace: {done}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_window_that_does_not_come_is_told() {
    let mut desk = Desk::set().await;
    let notices = desk.bus.notices(&desk.stage.machine).await;
    let panel = desk.bus.panel().await;
    let window = desk.program.with_file_name("signalbox-desktop");
    fs::write(&window, "#!/bin/sh\nexit 3\n").unwrap();
    let serve = desk.serve().await;
    let mut icon = panel.icon().await;
    let show = icon.line("Show Signalbox").await;
    icon.press(&show).await;
    let shown = notices.shown(1).await;
    let says = |part: &str| shown[0][part].as_str().unwrap_or_default();
    assert_eq!(says("summary"), "Signalbox's window did not come");
    assert!(says("body").starts_with("Its program ended (exit status: 3)."), "{shown:?}");
    assert_eq!(shown[0]["actions"], json!([]), "it leads nowhere");

    fs::remove_file(&window).unwrap();
    icon.press(&show).await;
    let shown = notices.shown(2).await;
    let body = shown[1]["body"].as_str().unwrap();
    assert!(body.contains("is neither beside this one nor on the search path"), "{shown:?}");
    let _ = serve.terminate().await.exits(0);
}
