//! Help, version, completions and man pages.

use signalbox_tests::Machine;

#[tokio::test]
async fn help_and_version_touch_no_data_directory() {
    let machine = Machine::untouched();
    let help = machine.run_plain(&["--help"]).await.exits(0);
    for word in ["server", "answer", "watch", "--home", "130"] {
        assert!(help.stdout.contains(word), "{word} belongs into the help: {help}");
    }
    let version = machine.run_plain(&["--version"]).await.exits(0);
    assert_eq!(version.stdout.trim(), concat!("signalbox ", env!("CARGO_PKG_VERSION")));
    let _ = machine.run_plain(&["call", "--help"]).await.exits(0);
    let _ = machine.run_plain(&[]).await.exits(2);
    assert!(!machine.data().exists(), "asking for help makes nothing");
}

#[tokio::test]
async fn completions_for_every_shell() {
    let machine = Machine::untouched();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = machine.run_plain(&["completions", shell]).await.exits(0);
        assert!(script.stdout.contains("signalbox") && script.stdout.contains("inbox"), "{shell}");
    }
    let script = machine.file("completions", &machine.run_plain(&["completions", "bash"]).await.stdout);
    let mut bash = machine.command("bash".as_ref());
    bash.args(["-n", &script]);
    let _ = machine.finish(bash, "").await.exits(0);
}

#[tokio::test]
async fn a_man_page_per_command() {
    let machine = Machine::untouched();
    let out = machine.path("man");
    let _ = machine.run_plain(&["man", "--out", out.to_str().unwrap()]).await.exits(0);
    for page in ["signalbox.1", "signalbox-call.1", "signalbox-answer.1", "signalbox-server-add.1"] {
        let text = std::fs::read_to_string(out.join(page)).unwrap_or_else(|e| panic!("{page}: {e}"));
        assert!(text.contains(".TH") && text.contains("signalbox"), "{page} is a man page");
    }
}
