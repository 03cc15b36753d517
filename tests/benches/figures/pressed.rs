//! From "Show Signalbox" in the tray until the window is interactive.

use std::fs;
use std::path::Path;

use signalbox_tests::window::panel::Panel;
use signalbox_tests::{Running, soon};
use tokio::time::Instant;

use crate::{stock, window};

/// How long it takes, in ms, with an empty data directory.
pub(crate) async fn shown(panel: &Panel) -> f64 {
    let place = stock::place();
    let machine = window::machine(place.path());
    let (ready, process) = (place.path().join("ready"), place.path().join("process"));
    // It says when it is there, and as which process.
    let window = format!(
        "#!/bin/sh\necho $$ > '{}'\nexec '{}' \"$@\" --ready-file '{}'\n",
        process.display(),
        window::program().display(),
        ready.display()
    );
    let mut serve = machine.command(&machine.command_beside_a_window(&window));
    serve.args(["--json", "serve", "--tray"]);
    let known = panel.icons();
    let mut serve = Running::start(serve);
    assert_eq!(serve.line().await.expect("it says when it is ready")["ready"], true);
    let mut icon = panel.icon_after(known).await;
    let show = icon.line("Show Signalbox").await;
    let began = Instant::now();
    icon.press(&show).await;
    window::is_there(&ready).await;
    let took = began.elapsed().as_secs_f64() * 1e3;
    end(&process).await;
    let _ = serve.terminate().await.exits(0);
    took
}

/// Ends the process whose number stands there, which is no child of ours.
async fn end(process: &Path) {
    let number = fs::read_to_string(process).unwrap();
    let number = number.trim();
    let told = tokio::process::Command::new("kill").arg(number).status().await.unwrap();
    assert!(told.success(), "the window lives");
    let gone = async {
        while Path::new("/proc").join(number).exists() {
            window::look_again().await;
        }
    };
    soon("the window to end", gone).await;
}
