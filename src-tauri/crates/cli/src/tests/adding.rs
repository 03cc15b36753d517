//! Adding servers: plain variables, and anything that names one.

use signalbox_api::{ApiError, Code, Command, NewSecret, NewTransport, Reply, command};
use signalbox_model::{Secret, ServerId, Transport};

use super::Trial;
use super::desk::{Scripted, World, server};
use crate::exit::Exit;

/// A desk that takes every server but those named `taken`.
pub(super) fn desk() -> Scripted {
    Scripted::new(World::default(), |world, command| match command {
        Command::AddServer(command::AddServer { name, .. }) if name == "taken" => {
            Err(ApiError::new(Code::NameTaken, "Another server has the name taken"))
        }
        Command::AddServer(command::AddServer { name, transport, untrusted }) => {
            let mut added = server(kept(transport));
            (added.name, added.trusted, added.id) = (name.clone(), !untrusted, ServerId(9));
            world.servers.push(added.clone());
            Ok(Reply::Server { server: added })
        }
        other => Err(ApiError::new(Code::Internal, format!("not in the script: {other:?}"))),
    })
}

/// What a desk keeps of it.
pub(super) fn kept(transport: &NewTransport) -> Transport {
    let all = |values: &[(String, NewSecret)]| {
        let kept = |(name, value): &(String, NewSecret)| {
            let secret = match value {
                NewSecret::Literal { .. } => Secret::Keychain { entry: "kept/here".into() },
                NewSecret::Plain { value, .. } => Secret::Plain { value: value.clone() },
                NewSecret::Reference { secret } => secret.clone(),
            };
            (name.clone(), secret)
        };
        values.iter().map(kept).collect()
    };
    match transport {
        NewTransport::Http { url, headers } => Transport::Http { url: url.clone(), headers: all(headers) },
        NewTransport::Stdio { command, args, env, cwd } => {
            let (command, args, cwd) = (command.clone(), args.clone(), cwd.clone());
            Transport::Stdio { command, args, env: all(env), cwd }
        }
    }
}

/// The names that were added, each with whether it may be started.
pub(super) fn added(desk: &Scripted) -> Vec<(String, bool)> {
    desk.world().servers.iter().map(|server| (server.name.clone(), server.trusted)).collect()
}

#[tokio::test]
async fn a_plain_variable_is_kept_as_it_is_and_shown() {
    let (desk, trial) = (desk(), Trial::json());
    let line = ["server", "add", "x", "--env", "B=hunter2", "--env-plain", "MODE=a=b", "--", "prog"];
    assert_eq!(trial.run(&desk, &line).await.unwrap(), Exit::Done);
    let document = trial.document();
    let env = serde_json::json!([{"name": "B", "from": "secret"}, {"name": "MODE", "value": "a=b"}]);
    assert_eq!(document["env"], env, "{document}");
    let trial = Trial::text();
    trial.run(&desk, &["server", "list"]).await.unwrap();
    assert!(trial.out.text().contains("MODE=\"a=b\""), "{}", trial.out.text());
    assert!(!trial.out.text().contains("hunter2"));
}

#[tokio::test]
async fn what_is_named_like_a_secret_takes_a_second_word_to_be_plain() {
    let desk = desk();
    for option in ["--env-plain", "--header-plain"] {
        let way: &[&str] =
            if option == "--env-plain" { &["--", "prog"] } else { &["--url", "https://e.com"] };
        let line = |more: &[&'static str]| {
            let mut line = vec!["server", "add", "x", option, "API_KEY=hunter2"];
            line.extend(more);
            line.extend(way);
            line
        };
        let failure = Trial::text().run(&desk, &line(&[])).await.unwrap_err();
        assert_eq!(failure.exit(), Exit::Usage);
        let said = failure.to_string();
        assert!(said.contains("--yes-plain API_KEY") && !said.contains("hunter2"), "{said}");
        assert_eq!(added(&desk), [], "nothing was added");
    }
    let line = ["server", "add", "x", "--env-plain", "API_KEY=k", "--yes-plain", "API_KEY", "--", "prog"];
    assert_eq!(Trial::text().run(&desk, &line).await.unwrap(), Exit::Done);
    let sure = |command: &Command| {
        matches!(command, Command::AddServer(command::AddServer { transport: NewTransport::Stdio { env, .. }, .. })
            if matches!(&env[0].1, NewSecret::Plain { sure: true, .. }))
    };
    assert!(desk.world().commands.iter().any(sure), "the desk hears of the second word");
}

#[tokio::test]
async fn a_pasted_program_waits_for_consent_and_a_url_needs_none() {
    for (text, name, trusted) in [
        ("npx -y @x/y 'two words'", "y", false),
        ("claude mcp add lab -e KEY=hunter2 -- npx lab", "lab", false),
        (r#"claude mcp add-json lab '{"command":"npx","env":{"K":"hunter2"}}'"#, "lab", false),
        (r#"code --add-mcp '{"name":"lab","command":"npx"}'"#, "lab", false),
        (r#"{"mcpServers":{"a":{"command":"npx","args":["b"],"env":{"K":"hunter2"}}}}"#, "a", false),
        ("https://deploy.example.com/mcp", "deploy", true),
        ("claude mcp add --transport http lab https://lab.example.com/mcp", "lab", true),
        (r#"{"mcpServers":{"a":{"url":"https://a.example.com/mcp"}}}"#, "a", true),
    ] {
        let (desk, trial) = (desk(), Trial::text());
        assert_eq!(
            trial.run(&desk, &["server", "add", "--paste", text]).await.unwrap(),
            Exit::Done,
            "{text}"
        );
        assert_eq!(added(&desk), [(name.to_owned(), trusted)], "{text}");
        let said = trial.err.text();
        assert!(
            said.contains(&format!("{name:?}")) && !said.contains("hunter2"),
            "what it understood: {said}"
        );
        assert_eq!(said.contains("server trust"), !trusted, "{said}");
    }
    let (desk, trial) = (desk(), Trial::json());
    let line = ["server", "add", "mine", "--paste", "npx x; rm -rf /"];
    assert_eq!(trial.run(&desk, &line).await.unwrap(), Exit::Done);
    let words = |server: &signalbox_api::ServerView| match &server.transport {
        Transport::Stdio { command, args, .. } => format!("{command:?} {args:?}"),
        Transport::Http { url, .. } => url.clone(),
    };
    let kept = words(&desk.world().servers[0]);
    assert_eq!(kept, r#""npx" ["x;", "rm", "-rf", "/"]"#, "words, and no shell");
    assert!(trial.err.text().contains("No shell runs this"), "{}", trial.err.text());
    assert_eq!(added(&desk), [("mine".to_owned(), false)], "under the name that was given");
}

#[tokio::test]
async fn a_variable_by_which_something_else_is_run_stands_out_in_a_paste() {
    for text in [
        "claude mcp add lab -e 'NODE_OPTIONS=--require ./x' -e LOG=x -- npx lab",
        r#"{"mcpServers":{"lab":{"command":"npx","env":{"NODE_OPTIONS":"--require ./x","LOG":"x"}}}}"#,
    ] {
        let (desk, trial) = (desk(), Trial::text());
        assert_eq!(trial.run(&desk, &["server", "add", "--paste", text]).await.unwrap(), Exit::Done);
        let said = trial.err.text();
        let line = r#""NODE_OPTIONS" = "--require ./x"  (it changes what the program loads or runs)"#;
        assert!(said.contains(line), "whoever confirms the program has to see its value: {said}");
        assert!(said.contains(r#""LOG", to be kept as a secret"#), "{said}");
        assert_eq!(said.matches("changes what").count(), 1, "LOG does not: {said}");
    }
}

#[tokio::test]
async fn a_variable_is_passed_by_name() {
    let (desk, trial) = (desk(), Trial::json());
    let line = ["server", "add", "x", "--env-pass", "PYTHONPATH", "--", "prog"];
    assert_eq!(trial.run(&desk, &line).await.unwrap(), Exit::Done);
    let env = serde_json::json!([{ "name": "PYTHONPATH", "from": "env:PYTHONPATH" }]);
    assert_eq!(trial.document()["env"], env, "as --env PYTHONPATH=env:PYTHONPATH");
}

#[tokio::test]
async fn several_are_added_one_by_one_and_each_is_told() {
    let text = r#"{"mcpServers":{"a":{"command":"x"},"taken":{"command":"y"},"off":{"command":"z","disabled":true}}}"#;
    let (desk, trial) = (desk(), Trial::json());
    assert_eq!(trial.run(&desk, &["server", "add", "--paste", text]).await.unwrap(), Exit::Failed);
    assert_eq!(added(&desk), [("a".to_owned(), false)]);
    let document = trial.document();
    let skipped: Vec<_> = document["skipped"].as_array().unwrap().iter().map(|one| &one["name"]).collect();
    assert_eq!(skipped, ["off", "taken"], "{document}");
    let named = ["server", "add", "mine", "--paste", text];
    let failure = Trial::json().run(&desk, &named).await.unwrap_err();
    assert_eq!(failure.exit(), Exit::Usage, "one name is not for two: {failure}");
}

#[tokio::test]
async fn what_was_understood_and_is_refused_is_said_not_to_be_there() {
    let text = "claude mcp add taken -e KEY=hunter2 -- npx lab";
    let failure = Trial::text().run(&desk(), &["server", "add", "--paste", text]).await.unwrap_err();
    let said = failure.to_string();
    assert!(said.contains("has the name taken. \"taken\" was not added"), "{said}");
}

#[tokio::test]
async fn what_names_no_server_adds_none() {
    for text in ["npx 'x", "", "{}", "ws://e.com", "https://me:hunter2@e.com", "<html>"] {
        let desk = desk();
        let failure = Trial::text().run(&desk, &["server", "add", "x", "--paste", text]).await.unwrap_err();
        assert_eq!((failure.exit(), added(&desk)), (Exit::Usage, vec![]), "{text}");
        assert!(!failure.to_string().contains("hunter2"), "{failure}");
    }
    let line = ["server", "add", "--paste", "taken"];
    let failure = Trial::text().run(&desk(), &line).await.unwrap_err();
    assert_eq!(failure.exit(), Exit::Usage, "what the desk refuses is said as usual: {failure}");
}
