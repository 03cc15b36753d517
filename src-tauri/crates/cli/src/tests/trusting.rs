//! Confirming the command of a program, and what a check tells.

use signalbox_api::{ApiError, Code, Command, Reply, ServerCheck, ServerView, Withheld, command};
use signalbox_model::{Health, Note, NoteCode, Push, Transport, Wire};

use super::Trial;
use super::desk::{Scripted, World, http, server, stdio};
use crate::exit::Exit;

fn untrusted() -> ServerView {
    let transport = Transport::Stdio {
        command: "npx".into(),
        args: vec!["a server".into(), "\u{1b}[2J".into()],
        env: vec![
            ("TOKEN".into(), signalbox_model::Secret::Keychain { entry: "kept/here".into() }),
            ("LD_PRELOAD".into(), signalbox_model::Secret::Plain { value: "/tmp/\u{1b}x.so".into() }),
        ],
        cwd: Some("/srv/a b".into()),
    };
    let message = "Its command was not confirmed yet".to_owned();
    let health = Health::Unusable { note: Note::said(NoteCode::NotTrusted, message), tried_at: None };
    ServerView { trusted: false, health, ..server(transport) }
}

/// A desk that takes the confirmation of what it has.
fn desk(known: ServerView) -> Scripted {
    let world = World { servers: vec![known], ..World::default() };
    Scripted::new(world, |world, command| match command {
        Command::TrustServer(command::TrustServer { server, shown }) => {
            let known = &mut world.servers[0];
            assert_eq!(
                (server.as_str(), shown),
                ("ci", &known.transport),
                "what was shown is what is confirmed"
            );
            (known.trusted, known.health) = (true, Health::Ok { latency_ms: 3, clock_ahead_ms: None });
            Ok(Reply::Server { server: known.clone() })
        }
        Command::SeenWithheld(_) => Ok(Reply::Done),
        Command::CheckServer(_) => {
            Ok(Reply::Check { check: ServerCheck { server: world.servers[0].clone(), tools: Some(9) } })
        }
        other => Err(ApiError::new(Code::Internal, format!("not in the script: {other:?}"))),
    })
}

fn confirmed(desk: &Scripted) -> bool {
    desk.world().commands.iter().any(|command| matches!(command, Command::TrustServer(_)))
}

#[tokio::test]
async fn a_person_sees_exactly_what_is_run_before_it_is_confirmed() {
    for (typed, exit) in [("y", Exit::Done), ("Yes", Exit::Done), ("n", Exit::Failed), ("", Exit::Failed)] {
        let (desk, trial) = (desk(untrusted()), Trial::person(&[typed]));
        assert_eq!(trial.run(&desk, &["server", "trust", "ci"]).await.unwrap(), exit, "{typed:?}");
        assert_eq!(confirmed(&desk), exit == Exit::Done, "{typed:?}");
        let said = trial.err.text();
        for part in [
            r#""npx""#,
            r#""a server""#,
            r#""/srv/a b""#,
            r#""TOKEN""#,
            r#""LD_PRELOAD" = "/tmp/\u{1b}x.so"  (it changes what the program loads or runs)"#,
        ] {
            assert!(said.contains(part), "{part} is part of it: {said}");
        }
        assert_eq!(said.matches("changes what").count(), 1, "TOKEN does not: {said}");
        assert!(!said.contains("kept/here") && !said.contains('\u{1b}'), "{said:?}");
    }
}

#[tokio::test]
async fn nobody_to_ask_is_no_confirmation() {
    let off = desk(untrusted());
    let failure = Trial::json().run(&off, &["server", "trust", "ci"]).await.unwrap_err();
    assert_eq!((failure.exit(), confirmed(&off)), (Exit::InputNeeded, false));
    assert!(failure.to_string().contains("--yes"), "{failure}");
    let (desk, trial) = (desk(untrusted()), Trial::json());
    assert_eq!(trial.run(&desk, &["server", "trust", "ci", "--yes"]).await.unwrap(), Exit::Done);
    let document = trial.document();
    assert_eq!(
        (&document["trusted"], &document["tools"]),
        (&true.into(), &9.into()),
        "it is checked: {document}"
    );
}

#[tokio::test]
async fn a_check_of_what_was_not_confirmed_says_how_to() {
    let (desk, trial) = (desk(untrusted()), Trial::text());
    assert_eq!(trial.run(&desk, &["server", "check", "ci"]).await.unwrap(), Exit::Usage);
    assert!(trial.out.text().contains("confirm command"), "{}", trial.out.text());
    assert!(trial.err.text().contains("signalbox server trust"), "{}", trial.err.text());
}

#[tokio::test]
async fn what_is_wrong_is_said_once() {
    let reason = signalbox_model::Reason::Unreachable { said: "tcp connect error: refused".into() };
    let at = super::at("2026-07-28T10:00:00Z");
    let health = Health::Unreachable { note: reason.into(), since: at, tried_at: None, retry_at: at };
    let trial = Trial::text();
    let desk = desk(ServerView { health, ..http() });
    assert_eq!(trial.run(&desk, &["server", "check", "ci"]).await.unwrap(), Exit::Unreachable);
    let (out, err) = (trial.out.text(), trial.err.text());
    assert!(!out.contains("refused"), "on stderr: {out}");
    assert_eq!(err, "ci cannot be reached: tcp connect error: refused\n");
    let failure = trial.run(&desk, &["server", "trust", "nosuch"]).await.unwrap_err().to_string();
    assert_eq!(failure.matches("signalbox server list").count(), 1, "{failure}");
}

#[tokio::test]
async fn what_a_program_lost_by_an_update_is_said_to_a_person_and_then_known_as_seen() {
    let names = vec!["API_KEY".into(), "PYTHONPATH".into()];
    let withheld = Some(Withheld { names, more: 280, changed: vec!["HTTP_PROXY".into()] });
    let known = ServerView { name: "the lab".into(), withheld, ..stdio() };
    let seen = |desk: &Scripted| {
        let world = desk.world();
        world.commands.iter().any(|command| matches!(command, Command::SeenWithheld(_)))
    };
    let (person, trial) = (desk(known.clone()), Trial::terminal(false, &[]));
    assert_eq!(trial.run(&person, &["server", "check", "the lab"]).await.unwrap(), Exit::Done);
    let text = trial.out.text();
    for part in [
        "This program no longer gets API_KEY, PYTHONPATH and 280 more; it gets HTTP_PROXY without the user name and the \
         password in it.",
        "`signalbox server edit 'the lab' --env-pass API_KEY` gives one back",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(seen(&person));
    let (script, trial) = (desk(known.clone()), Trial::json());
    assert_eq!(trial.run(&script, &["server", "check", "the lab"]).await.unwrap(), Exit::Done);
    let names =
        serde_json::json!({ "names": ["API_KEY", "PYTHONPATH"], "more": 280, "changed": ["HTTP_PROXY"] });
    assert_eq!(trial.document()["withheld"], names);
    assert!(!seen(&script), "a script is no person");
    let (file, trial) = (desk(known), Trial::text());
    assert_eq!(trial.run(&file, &["server", "check", "the lab"]).await.unwrap(), Exit::Done);
    assert!(trial.out.text().contains("PYTHONPATH"), "it is written all the same");
    assert!(!seen(&file), "nobody has read the file yet");
}

#[tokio::test]
async fn a_check_tells_all_there_is_to_know() {
    for (ahead, words) in [
        (Some(90_400), Some("90 s ahead of ours")),
        (Some(-2_000), Some("2 s behind ours")),
        (Some(-900), Some("same as ours")),
        (None, None),
    ] {
        let health = Health::Ok { latency_ms: 3, clock_ahead_ms: ahead };
        let wire = Some(Wire::Legacy);
        let known = ServerView { health, wire, push: Some(Push::Off), supports_tasks: false, ..http() };
        let trial = Trial::text();
        assert_eq!(trial.run(&desk(known.clone()), &["server", "check", "ci"]).await.unwrap(), Exit::Done);
        let text = trial.out.text();
        for part in ["3 ms", "legacy", "2026-07-28", "tools", "push"] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert_eq!(text.contains("clock"), words.is_some(), "{text}");
        assert!(words.is_none_or(|words| text.contains(words)), "{words:?}: {text}");

        let trial = Trial::json();
        trial.run(&desk(known), &["server", "check", "ci"]).await.unwrap();
        let document = trial.document();
        assert_eq!(document["health"]["clockAheadMs"].as_i64(), ahead);
        assert_eq!(
            (&document["push"], &document["supportsTasks"]),
            (&"off".into(), &false.into()),
            "{document}"
        );
        assert!(document.get("trusted").is_none(), "a URL is no command: {document}");
    }
    let trial = Trial::json();
    trial.run(&desk(stdio()), &["server", "check", "ci"]).await.unwrap();
    assert_eq!(trial.document()["trusted"], true);
}

#[tokio::test]
async fn all_that_a_program_lost_is_listed_where_it_is_checked() {
    let names: Vec<String> = (0..200).map(|n| format!("VAR_{n:03}")).collect();
    let withheld = Some(Withheld { names, more: 0, changed: Vec::new() });
    let known = ServerView { withheld, ..stdio() };
    let trial = Trial::text();
    assert_eq!(trial.run(&desk(known.clone()), &["server", "check", "ci"]).await.unwrap(), Exit::Done);
    assert!(trial.out.text().contains("VAR_198, VAR_199."), "to the last one: {}", trial.out.text());
    let (message, _) = crate::text::server::withheld(&known, 20).unwrap();
    assert!(message.ends_with("VAR_019 and 180 more"), "`doctor` says how many more: {message}");
}
