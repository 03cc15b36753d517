//! What opens pages on a desktop, as far as a window can tell: a program called `xdg-open`.

use std::fs;

use signalbox_tests::{Machine, with_browser};

use crate::app::App;
use crate::desktop::Desktop;

/// A desktop whose browser writes down what it was started with, and opens nothing.
pub(super) async fn works() -> Desktop {
    with("#!/bin/sh\nenv >\"$HOME/environment\"\nprintf %s \"$1\" >\"$HOME/page.new\" && mv \"$HOME/page.new\" \"$HOME/page\"\n").await
}

/// A desktop whose browser does not start.
pub(super) async fn fails() -> Desktop {
    with("#!/bin/sh\nexit 3\n").await
}

async fn with(browser: &str) -> Desktop {
    let mut desktop = Desktop::start().await;
    desktop.machine = with_browser(desktop.machine, browser);
    desktop
}

/// The page that was opened in the browser that works, which draws and compiles as it likes.
pub(super) async fn opened(app: &App, machine: &Machine) -> String {
    let home = machine.path("home");
    let page = home.join("page");
    let page = app.until("a page in the browser", async || fs::read_to_string(&page).ok()).await;
    let environment = fs::read_to_string(home.join("environment")).unwrap();
    assert!(environment.contains("PATH="), "{environment}");
    assert!(!environment.contains("JSC_"), "what the window has for its own page alone: {environment}");
    page
}
