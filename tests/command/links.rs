//! What `doctor` says of links: what the desktop says of them.

use signalbox_tests::{Machine, text};

/// How desktops are asked what opens them.
const ASKED: &str = "query default x-scheme-handler/signalbox";

/// A machine whose desktop does this when it is asked that, and fails at all else.
fn desktop(does: &str) -> Machine {
    Machine::new().with_program("xdg-mime", &format!("#!/bin/sh\n[ \"$*\" = '{ASKED}' ] && {does}\n"))
}

#[tokio::test]
async fn doctor_says_what_opens_links() {
    for (does, state, says) in [
        ("echo Signalbox.desktop", "ok", "signalbox: links open Signalbox"),
        ("echo signalbox.desktop", "ok", "signalbox: links open Signalbox"),
        ("echo other.desktop", "warning", "signalbox: links are opened by other.desktop"),
        ("true", "ok", "no program is registered for signalbox: links"),
        ("false", "ok", "it is not known which program opens signalbox: links"),
    ] {
        let doctor = desktop(does).run(&["doctor"]).await.exits(0).document();
        let mut checks = doctor["checks"].as_array().unwrap().iter();
        let links = checks.find(|check| check["name"] == "links").expect("they are looked at");
        assert!(text(links, "message").starts_with(says), "where it does `{does}`: {links}");
        assert_eq!(links["state"], state, "where it does `{does}`: {links}");
        let advice = "`xdg-mime default Signalbox.desktop x-scheme-handler/signalbox` makes it this one";
        let told = (state == "warning").then_some(advice);
        assert_eq!(links["advice"].as_str(), told, "where it does `{does}`: {links}");
    }
}
