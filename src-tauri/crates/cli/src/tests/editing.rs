//! `server edit`: what is not named stays.

use signalbox_api::{ApiError, Code, Command, Reply, ServerView, command, have_same_origin};
use signalbox_model::{Secret, SignIn, Transport};

use super::Trial;
use super::adding::kept;
use super::desk::{Scripted, World, server};
use crate::{exit::Exit, text};

fn program(trusted: bool) -> ServerView {
    let env = vec![
        ("MODE".into(), Secret::Plain { value: "fast".into() }),
        ("API_KEY".into(), Secret::Plain { value: "known".into() }),
        ("TOKEN".into(), Secret::Keychain { entry: "kept/token".into() }),
        ("FOO".into(), Secret::Env { var: "FOO".into() }),
    ];
    let cwd = Some("/srv".into());
    ServerView { trusted, ..server(Transport::Stdio { command: "/bin/cat".into(), args: vec![], env, cwd }) }
}

fn url() -> ServerView {
    let headers = vec![("Authorization".into(), Secret::Keychain { entry: "kept/auth".into() })];
    server(Transport::Http { url: "https://ci.example.com/mcp".into(), headers })
}

/// A desk that edits as an owner does.
fn desk(known: ServerView) -> Scripted {
    let world = World { servers: vec![known], ..World::default() };
    Scripted::new(world, |world, command| match command {
        Command::EditServer(command::EditServer { transport, untrusted, .. }) => {
            let known = &mut world.servers[0];
            let transport = kept(transport);
            let stays = matches!(
                (&known.transport, &transport),
                (Transport::Http { url: before, .. }, Transport::Http { url: after, .. })
                    if have_same_origin(before, after)
            );
            if !stays {
                known.access.sign_in = SignIn::default();
            }
            known.transport = transport;
            known.trusted |= !untrusted;
            Ok(Reply::Server { server: known.clone() })
        }
        other => Err(ApiError::new(Code::Internal, format!("not in the script: {other:?}"))),
    })
}

/// What a server is after these words behind `server edit ci`, and what was printed.
async fn edited(known: ServerView, words: &[&str]) -> (ServerView, Trial) {
    let (desk, trial) = (desk(known), Trial::text());
    let line = [&["server", "edit", "ci"], words].concat();
    assert_eq!(trial.run(&desk, &line).await.unwrap(), Exit::Done, "{words:?}");
    let server = desk.world().servers[0].clone();
    (server, trial)
}

fn names(server: &ServerView) -> Vec<&str> {
    let (Transport::Stdio { env: values, .. } | Transport::Http { headers: values, .. }) = &server.transport;
    values.iter().map(|(name, _)| name.as_str()).collect()
}

#[tokio::test]
async fn variables_stay_with_another_command_of_the_same_server() {
    let (after, trial) = edited(program(true), &["--", "/bin/cat", "-u"]).await;
    let Transport::Stdio { env, .. } = program(true).transport else { panic!("a program") };
    let now = Transport::Stdio {
        command: "/bin/cat".into(),
        args: vec!["-u".into()],
        env,
        cwd: Some("/srv".into()),
    };
    assert_eq!(after.transport, now, "secrets, and what is plain although it is named like one, too");
    let said = trial.out.text();
    assert!(said.contains("variables: MODE, API_KEY, TOKEN, FOO"), "{said}");
    assert!(!said.contains("kept/token") && !said.contains("known"), "names, no values: {said}");
}

#[tokio::test]
async fn flags_alone_change_what_they_name() {
    let words = ["--env-plain", "MODE=slow", "--env-pass", "BAR", "--env-drop", "TOKEN"];
    let (after, _) = edited(program(true), &words).await;
    assert_eq!(names(&after), ["API_KEY", "FOO", "MODE", "BAR"]);
    let Transport::Stdio { command, env, .. } = &after.transport else { panic!("a program") };
    assert_eq!((command.as_str(), &env[2].1), ("/bin/cat", &Secret::Plain { value: "slow".into() }));
    let (after, trial) = edited(url(), &["--header", "authorization=env:T", "--header-plain", "X=1"]).await;
    assert_eq!(names(&after), ["authorization", "X"], "a header's name has no case");
    assert!(trial.out.text().contains("headers: authorization, X"), "{}", trial.out.text());
    let (after, _) = edited(url(), &["--url", "https://ci.example.com/other"]).await;
    assert_eq!(names(&after), ["Authorization"]);
    let (after, trial) = edited(url(), &["--header-drop", "AUTHORIZATION"]).await;
    assert_eq!(names(&after), [""; 0]);
    assert!(trial.out.text().contains("headers: none"), "{}", trial.out.text());
}

#[tokio::test]
async fn what_was_given_for_one_host_goes_to_no_other() {
    for other in ["https://c1.example.com/mcp", "http://ci.example.com/mcp", "https://ci.example.com:444/mcp"]
    {
        let (after, trial) = edited(url(), &["--url", other, "--header", "X=env:T"]).await;
        assert_eq!(names(&after), ["X"], "{other}: a slip of the pen gives no secret away");
        let said = trial.err.text();
        assert!(said.contains("old host as Authorization is not sent"), "{other}: {said}");
        let (after, _) = edited(url(), &["--url", other, "--header-drop", "authorization"]).await;
        assert_eq!(names(&after), [""; 0], "{other}: it has that header until then");
    }
}

#[tokio::test]
async fn as_whom_we_sign_in_was_said_for_one_host() {
    let mut known = url();
    known.access.sign_in.client_id = Some("us".into());
    let (before, mut after) = (known.clone(), known);
    let said = |after: &ServerView| text::server::lost(&before, after).join(" ");
    assert_eq!(said(&after), "", "nothing was lost");
    after.access.sign_in.client_id = Some("them".into());
    assert_eq!(said(&after), "", "it was said anew");
    after.access.sign_in = SignIn::default();
    assert!(said(&after).contains("said for the old host"), "{}", said(&after));
}

#[tokio::test]
async fn a_sign_in_that_is_lost_is_told_at_once() {
    let mut known = url();
    known.access.sign_in.client_id = Some("us".into());
    let said = async |words: &[&str]| edited(known.clone(), words).await.1.err.text();
    let same = said(&["--url", "https://ci.example.com/other"]).await;
    assert!(!same.contains("sign in"), "nothing was lost: {same}");
    let other = said(&["--url", "https://c1.example.com/mcp"]).await;
    assert!(other.contains("said for the old host"), "{other}");
    let program = said(&["--", "/bin/cat"]).await;
    assert!(program.contains("forgotten with its URL"), "{program}");

    // What cannot be done after it makes it no less lost.
    let (desk, trial) = (desk(known), Trial::text());
    let line = ["server", "edit", "ci", "--url", "https://c1.example.com/mcp", "--root", "file:///srv"];
    trial.run(&desk, &line).await.unwrap_err();
    assert!(trial.err.text().contains("said for the old host"), "{}", trial.err.text());
}

#[tokio::test]
async fn another_kind_of_transport_loses_them_and_says_so() {
    let (after, trial) = edited(program(true), &["--url", "https://ci.example.com/mcp"]).await;
    assert_eq!(names(&after), [""; 0]);
    let said = trial.err.text();
    assert!(said.contains("gone with its program: MODE, API_KEY, TOKEN, FOO"), "{said}");
}

#[tokio::test]
async fn what_waits_to_be_confirmed_is_confirmed_by_typing_all_of_it() {
    let whole = ServerView { trusted: false, ..server(kept_program()) };
    for (known, words, trusted) in [
        (program(false), &["--", "/bin/cat"][..], false),
        (program(false), &["--env-plain", "MODE=slow"], false),
        (program(true), &["--env-plain", "MODE=slow"], true),
        (whole, &["--env-plain", "A=1", "--", "/bin/cat"], true),
    ] {
        let (after, trial) = edited(known, words).await;
        assert_eq!(after.trusted, trusted, "{words:?}");
        assert_eq!(trial.err.text().contains("signalbox server trust"), !trusted, "{}", trial.err.text());
    }
}

/// A program with nothing that could stay.
fn kept_program() -> Transport {
    Transport::Stdio { command: "x".into(), args: vec![], env: vec![], cwd: None }
}

#[tokio::test]
async fn what_does_not_fit_changes_nothing() {
    for (known, words, why) in [
        (program(true), &["--header", "A=env:B"][..], "only a URL has headers"),
        (url(), &["--env-pass", "A"], "only a program has variables"),
        (url(), &["--cwd", "/srv"], "only a program has variables"),
        (program(true), &["--env-drop", "NONE"], "no variable NONE (it has: MODE, API_KEY, TOKEN, FOO)"),
        (url(), &["--header-drop", "X"], "no header X (it has: Authorization)"),
        (url(), &[], "name what is to change"),
    ] {
        let desk = desk(known);
        let line = [&["server", "edit", "ci"], words].concat();
        let failure = Trial::text().run(&desk, &line).await.unwrap_err();
        assert_eq!(failure.exit(), Exit::Usage, "{failure}");
        assert!(failure.to_string().contains(why), "{failure}");
        assert!(desk.world().commands.is_empty(), "{words:?}");
    }
}
