//! What can be typed.

use std::time::Duration;

use clap::{CommandFactory, Parser};
use serde_json::Value;

use super::{Trial, args};
use crate::args::{AtDesk, Cli, Command, Server};
use crate::exit::Exit;

#[test]
fn the_definition_is_sound() {
    Cli::command().debug_assert();
}

#[test]
fn global_options_stand_anywhere_before_a_bare_dash_dash() {
    let table: [&[&str]; 5] = [
        &["--json", "--home", "d", "--timeout", "2.5", "server", "add", "x", "--", "prog"],
        &["server", "--json", "--home=d", "--timeout=2.5", "add", "x", "--", "prog"],
        &["server", "add", "--json", "x", "--home", "d", "--timeout", "2.5", "--", "prog"],
        &["server", "add", "x", "--timeout", "2.5", "--home", "d", "--json", "--", "prog"],
        &["--timeout", "2.5", "server", "--home", "d", "add", "x", "--json", "--", "prog"],
    ];
    for line in table {
        let cli = Cli::try_parse_from(args(line)).unwrap_or_else(|e| panic!("{line:?}: {e}"));
        assert!(cli.global.json, "{line:?}");
        assert_eq!(cli.global.home.as_deref(), Some("d".as_ref()), "{line:?}");
        assert_eq!(cli.global.timeout, Some(Duration::from_millis(2500)), "{line:?}");
    }
}

#[test]
fn an_unknown_oddity_says_which_there_are() {
    let error = Cli::try_parse_from(args(&["demo", "stdio", "--odd", "nonsense"])).unwrap_err();
    let (said, code) = (error.to_string(), error.exit_code());
    assert_eq!(code, 2, "{said}");
    for oddity in signalbox_demo::Oddity::all() {
        assert!(said.contains(oddity.name), "{} is one: {said}", oddity.name);
        let line = ["demo", "http", "--odd", oddity.name];
        assert!(Cli::try_parse_from(args(&line)).is_ok(), "{line:?}");
    }
}

#[test]
fn what_follows_a_bare_dash_dash_belongs_to_the_program() {
    let cli = Cli::try_parse_from(args(&["server", "add", "x", "--", "prog", "--json", "--home", "h", "--"]))
        .unwrap();
    let Command::AtDesk(AtDesk::Server(Server::Add { reach, .. })) = cli.command else {
        panic!("it is server add")
    };
    assert_eq!(reach.command, ["prog", "--json", "--home", "h", "--"]);
    assert!(!cli.global.json && cli.global.home.is_none(), "the program's options are not ours");
}

#[test]
fn lines_that_make_sense() {
    for line in [
        &["server", "add", "x", "--url", "https://e.com/mcp", "--header", "A=env:B", "--header", "C=@d"][..],
        &["server", "add", "x", "--env", "A=b", "--cwd", "/d", "--", "prog", "-v"],
        &["server", "add", "x", "--env-plain", "A=b", "--yes-plain", "A", "--", "prog"],
        &["server", "add", "x", "--url", "u", "--header-plain", "A=b"],
        &["server", "add", "x", "--env-pass", "A", "--env-pass", "B", "--", "prog"],
        &["server", "edit", "x", "--env-pass", "A"],
        &["server", "add", "--paste", "npx x"],
        &["server", "add", "x", "--paste", "-"],
        &["import", "--plain", "A", "--from-env", "s:B=C", "--leave-out", "D", "--yes-plain", "A"],
        &["server", "edit", "x", "--url", "https://e.com/mcp"],
        &["server", "rename", "x", "y"],
        &["server", "list"],
        &["server", "disable", "x"],
        &["server", "trust", "x", "--yes"],
        &["call", "s", "t", "--args", "-", "--detach", "--no-input", "--ttl", "1000"],
        &["call", "--args", "{}", "--", "s", "--home"],
        &["again", "t1"],
        &["again", "t1", "--args", "-", "--detach", "--no-input", "--ttl", "1000"],
        &["track", "s", "-"],
        &["tasks", "--server", "s", "--status", "input_required"],
        &["show", "t1"],
        &["watch"],
        &["watch", "t1", "abc"],
        &["inbox", "--all"],
        &["answer", "r1", "--accept", "--content", "{}"],
        &["answer", "r1", "--decline"],
        &["serve"],
        &["serve", "--passphrase-fd", "3"],
        &["serve", "--tray"],
        &["quit"],
        &["quit", "--yes"],
        &["secrets"],
        &["secrets", "keep", "this-run"],
        &["secrets", "unlock", "--passphrase-file", "f"],
        &["demo", "stdio", "--state", "f", "--journal", "g", "--speed", "instant"],
        &["demo", "http", "--port", "8080", "--sse", "--speed", "10"],
        &["completions", "bash"],
        &["man", "--out", "d"],
    ] {
        assert!(Cli::try_parse_from(args(line)).is_ok(), "{line:?}");
    }
}

#[test]
fn lines_that_make_none() {
    for line in [
        &["frobnicate"][..],
        &["server", "add", "x"],
        &["server", "add", "x", "--url", "u", "--", "prog"],
        &["server", "add", "x", "--url", "u", "--env", "A=b"],
        &["server", "add", "x", "--header", "A=b", "--", "prog"],
        &["server", "add", "x", "--paste", "npx", "--url", "u"],
        &["server", "add", "--url", "u"],
        &["server", "add", "x", "--url", "u", "--env-plain", "A=b"],
        &["server", "add", "x", "--url", "u", "--env-pass", "A"],
        &["server", "edit", "x", "--url", "u", "--env-pass", "A"],
        &["server", "add", "x", "--paste", "npx x", "--env-pass", "A"],
        &["server", "trust"],
        &["call", "s"],
        &["call", "s", "t", "--ttl", "soon"],
        &["tasks", "--status", "sleeping"],
        &["answer", "r1"],
        &["answer", "t1", "--accept"],
        &["answer", "r1", "--accept", "--decline"],
        &["answer", "r1", "--decline", "--content", "{}"],
        &["tasks", "--timeout", "soon"],
        &["tasks", "--timeout", "-1"],
        &["tasks", "--timeout", "NaN"],
        &["demo", "stdio", "--speed", "0"],
        &["secrets", "keep"],
        &["secrets", "keep", "elsewhere"],
        &["secrets", "unlock", "correct horse"],
        &["serve", "--passphrase-fd", "3", "--passphrase-file", "f"],
        &["completions", "tcsh"],
    ] {
        assert!(Cli::try_parse_from(args(line)).is_err(), "{line:?}");
    }
}

#[tokio::test]
async fn a_wrong_line_is_code_2_with_a_failure_document() {
    let trial = Trial::json();
    let exit = crate::run::run(&trial.console, args(&["--json", "answer", "r1"])).await;
    assert_eq!(exit, Exit::Usage);
    let failure = &trial.document()["failure"];
    assert_eq!(failure["code"], "usage");
    assert_eq!(failure["retry"], "never");
    assert!(failure["message"].as_str().is_some_and(|m| m.contains("--accept")), "{failure}");
    assert_eq!(failure.get("detail"), None::<&Value>, "absent is absent");

    let trial = Trial::text();
    assert_eq!(crate::run::run(&trial.console, args(&["answer", "r1"])).await, Exit::Usage);
    assert_eq!(trial.out.text(), "", "without --json stdout stays empty");
    assert!(trial.err.text().contains("--decline"), "{}", trial.err.text());
}

#[tokio::test]
async fn packages_get_pages_and_completions() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("man");
    let trial = Trial::text();
    let line = ["man", "--out", out.to_str().unwrap()];
    assert_eq!(crate::run::run(&trial.console, args(&line)).await, Exit::Done);
    for page in ["signalbox.1", "signalbox-call.1", "signalbox-server-add.1", "signalbox-demo-http.1"] {
        assert!(out.join(page).is_file(), "{page} is missing");
    }
    for shell in ["bash", "zsh", "fish"] {
        let trial = Trial::text();
        assert_eq!(crate::run::run(&trial.console, args(&["completions", shell])).await, Exit::Done);
        assert!(trial.out.text().contains("inbox"), "{shell} must know the commands");
    }
}
