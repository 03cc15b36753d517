//! From "Show Signalbox" in the tray until the window is interactive.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use signalbox_tests::window::panel::Panel;
use signalbox_tests::{Machine, Running, signalbox, soon};
use tokio::time::Instant;

use crate::{stock, window};

/// How long it takes, in ms, with an empty data directory.
pub(crate) async fn shown(panel: &Panel) -> f64 {
    let place = stock::place();
    let machine = window::machine(place.path());
    let (ready, process) = (place.path().join("ready"), place.path().join("process"));
    let mut serve = machine.command(&beside_a_window(&machine, &ready, &process));
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

/// The command, in a directory where the window's program says when it is there, and as which process.
fn beside_a_window(machine: &Machine, ready: &Path, process: &Path) -> PathBuf {
    let folder = machine.path("programs");
    fs::create_dir(&folder).unwrap();
    let program = folder.join("signalbox");
    // A link would be followed to where the window's program is.
    fs::hard_link(signalbox(), &program).or_else(|_| fs::copy(signalbox(), &program).map(drop)).unwrap();
    let starts = format!(
        "#!/bin/sh\necho $$ > '{}'\nexec '{}' \"$@\" --ready-file '{}'\n",
        process.display(),
        window::program().display(),
        ready.display()
    );
    let window = folder.join("signalbox-desktop");
    fs::write(&window, starts).unwrap();
    fs::set_permissions(&window, fs::Permissions::from_mode(0o700)).unwrap();
    program
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
