use std::path::Path;

use serde_json::json;
use signalbox_model::Secret;

use super::*;
use crate::NewSecret;

const HOME: &str = "/home/me";

fn var(name: &str) -> Option<String> {
    (name == "TOKEN").then(|| "a-token".to_owned())
}

fn around(project: Option<&Path>) -> Surroundings<'_> {
    Surroundings { home: Path::new(HOME), project, var: Some(&var) }
}

fn all(text: &str) -> (Vec<Proposed>, Vec<Skipped>) {
    read(text, around(None)).unwrap()
}

/// The only server, which can be imported.
fn one(entry: serde_json::Value) -> NewTransport {
    let (mut proposed, skipped) = all(&json!({ "mcpServers": { "it": entry } }).to_string());
    assert_eq!((proposed.len(), skipped), (1, vec![]));
    proposed.remove(0).transport
}

/// Why the only server cannot be imported.
fn why(entry: serde_json::Value) -> WhySkipped {
    let (proposed, mut skipped) = all(&json!({ "mcpServers": { "it": entry } }).to_string());
    assert_eq!((proposed.len(), skipped.len()), (0, 1));
    skipped.remove(0).why
}

fn shown(secret: &NewSecret) -> String {
    match secret {
        NewSecret::Literal { value } => value.0.clone(),
        NewSecret::Reference { secret: Secret::Env { var } } => format!("env {var}"),
        NewSecret::Reference { secret } => format!("{secret:?}"),
        NewSecret::Plain { value, .. } => panic!("nobody said that {value} is no secret"),
    }
}

#[test]
fn every_program_has_its_own_place_for_them() {
    let entry = r#"{ "command": "npx", "args": ["-y", "server", 1], }"#;
    for text in [
        format!("{{ \"mcpServers\": {{ \"it\": {entry} }} }}"),
        format!("\u{feff}// mine\n{{ \"servers\": {{ /* here */ \"it\": {entry}, }}, \"inputs\": [] }}"),
        format!("{{ \"editor.fontSize\": 12, \"mcp\": {{ \"servers\": {{ \"it\": {entry} }} }} }}"),
        format!(
            "{{ \"projects\": {{ \"/src/p\": {{ \"mcpServers\": {{ \"it\": {entry} }} }}, \"/src/q\": {{}} }} }}"
        ),
    ] {
        let (proposed, skipped) = all(&text);
        assert_eq!((proposed.len(), skipped), (1, vec![]), "{text}");
        let NewTransport::Stdio { command, args, cwd, .. } = &proposed[0].transport else { panic!("{text}") };
        assert_eq!(
            (command.as_str(), args.as_slice()),
            ("npx", &["-y", "server", "1"].map(String::from)[..])
        );
        let project = text.contains("projects").then_some("/src/p");
        assert_eq!(cwd.as_deref(), project, "a project's program is started in the project");
    }
}

#[test]
fn a_server_is_reached_by_its_url() {
    for member in ["url", "serverUrl", "httpUrl"] {
        let entry = json!({ "type": "http", member: "https://example.com/mcp", "headers": { "A": "b" } });
        let NewTransport::Http { url, headers } = one(entry) else { panic!("{member}") };
        assert_eq!((url.as_str(), shown(&headers[0].1).as_str()), ("https://example.com/mcp", "b"));
    }
}

#[test]
fn what_is_one_variable_becomes_a_reference_and_all_else_a_value() {
    for (text, value) in [
        ("plain", "plain"),
        ("env:TOKEN", "env:TOKEN"),
        ("${TOKEN}", "env TOKEN"),
        ("${env:TOKEN}", "env TOKEN"),
        ("${env:other}", "env other"),
        ("${NOT_SET}", "env NOT_SET"),
        ("${TOKEN:-none}", "env TOKEN"),
        ("${NOT_SET:-none}", "none"),
        ("Bearer ${TOKEN}", "Bearer a-token"),
        ("Bearer ${NOT_SET:-none}", "Bearer none"),
        ("${userHome}/key", "/home/me/key"),
        ("${HOME}", "/home/me"),
        ("${open", "${open"),
    ] {
        let NewTransport::Stdio { env, .. } = one(json!({ "command": "c", "env": { "K": text } })) else {
            panic!()
        };
        assert_eq!(shown(&env[0].1), value, "of {text}");
    }
    let NewTransport::Stdio { env, .. } =
        one(json!({ "command": "c", "env": { "N": 1, "Y": true, "no": null } }))
    else {
        panic!()
    };
    let env: Vec<_> = env.iter().map(|(name, value)| (name.as_str(), shown(value))).collect();
    assert_eq!(env, [("N", "1".into()), ("Y", "true".into())], "what is null is not there");
}

#[test]
fn paths_start_somewhere() {
    let project = Path::new("/src/p");
    let text = json!({ "servers": { "it": {
        "command": "./bin/server", "args": ["~/notes", "${workspaceFolder}/x", "./as-it-stands"], "cwd": "sub",
    } } })
    .to_string();
    let (proposed, _) = read(&text, around(Some(project))).unwrap();
    let NewTransport::Stdio { command, args, cwd, .. } = &proposed[0].transport else { panic!() };
    assert_eq!(Path::new(command), Path::new("/src/p/./bin/server"));
    assert_eq!(*args, ["/home/me/notes", "/src/p/x", "./as-it-stands"]);
    assert_eq!(cwd.as_deref(), Some("/src/p/sub"));
    let (_, skipped) = all(&text);
    assert!(matches!(skipped[0].why, WhySkipped::Placeholder { .. }), "outside a project: {skipped:?}");
    assert_eq!(why(json!({ "command": "./server" })), WhySkipped::Relative("./server".into()));
}

#[test]
fn a_project_is_known_by_where_its_configuration_lies() {
    for (file, project) in [
        ("/src/p/.vscode/mcp.json", Some("/src/p")),
        ("/src/p/.cursor/mcp.json", Some("/src/p")),
        ("/src/p/.mcp.json", Some("/src/p")),
        ("/home/me/.cursor/mcp.json", None),
        ("/home/me/.claude.json", None),
        ("/src/p/mcp.json", None),
        ("/mcp.json", None),
    ] {
        let found = project_of(Path::new(file), Path::new(HOME));
        assert_eq!(found.as_deref(), project.map(Path::new), "of {file}");
    }
}

#[test]
fn what_cannot_be_taken_over_says_why() {
    let placeholder = |member: &str, placeholder: &str| WhySkipped::Placeholder {
        member: member.into(),
        placeholder: placeholder.into(),
    };
    for (entry, reason) in [
        (json!("npx"), WhySkipped::NoAddress),
        (json!({}), WhySkipped::NoAddress),
        (json!({ "command": null, "url": null }), WhySkipped::NoAddress),
        (json!({ "command": ["npx"] }), WhySkipped::Odd("command".into())),
        (json!({ "command": "c", "args": "-y" }), WhySkipped::Odd("args".into())),
        (json!({ "command": "c", "args": [{}] }), WhySkipped::Odd("args".into())),
        (json!({ "command": "c", "env": ["A=b"] }), WhySkipped::Odd("env".into())),
        (json!({ "command": "c", "env": { "A": {} } }), WhySkipped::Odd("env.A".into())),
        (json!({ "command": "c", "disabled": true }), WhySkipped::Disabled),
        (json!({ "command": "c", "envFile": ".env" }), WhySkipped::EnvFile),
        (json!({ "type": "ws", "url": "wss://example.com" }), WhySkipped::Transport("ws".into())),
        (json!({ "command": "c", "env": { "A": "${input:key}" } }), placeholder("env.A", "${input:key}")),
        (json!({ "command": "c", "args": ["--key=${TOKEN}"] }), placeholder("args", "${TOKEN}")),
        (json!({ "url": "https://${env:TOKEN}@example.com" }), placeholder("url", "${env:TOKEN}")),
        (
            json!({ "url": "https://example.com", "headers": { "A": "Bearer ${NOT_SET}" } }),
            WhySkipped::Unset { member: "headers.A".into(), variable: "NOT_SET".into() },
        ),
    ] {
        assert_eq!(why(entry.clone()), reason, "of {entry}");
    }
}

#[test]
fn one_bad_server_keeps_no_other_out() {
    let (proposed, skipped) =
        all(r#"{ "mcpServers": { "bad": 1, "good": { "url": "https://example.com" } } }"#);
    assert_eq!((proposed[0].name.as_str(), skipped[0].name.as_str()), ("good", "bad"));
}

#[test]
fn what_is_no_configuration_is_refused() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    for (text, is_json) in [
        ("", true),
        ("{}", true),
        ("[]", true),
        (r#"{ "mcpServers": [] }"#, true),
        (r#"{ "mcpServers": { "secret-value": "#, false),
        ("<html>", false),
        (deep.as_str(), false),
    ] {
        let error = read(text, around(None)).expect_err("there is nothing in it");
        assert_eq!(matches!(error, Unreadable::NoServers), is_json, "{error}");
        assert!(!error.to_string().contains("secret-value"), "what stands there is not repeated: {error}");
    }
}

#[test]
fn every_client_has_files_and_a_name() {
    let places = Places { home: HOME.into(), config: "/home/me/.config".into() };
    let files: Vec<_> = ClientProgram::ALL
        .iter()
        .flat_map(|client| client.files(&places, Some(Path::new("/src/p"))))
        .collect();
    assert_eq!(files.len(), 9);
    assert!(files.contains(&"/src/p/.vscode/mcp.json".into()), "{files:?}");
    assert_eq!(ClientProgram::Cursor.files(&places, Some(Path::new(HOME))).len(), 1, "a file is read once");
    assert_eq!(
        ClientProgram::ALL.iter().flat_map(|client| client.files(&places, None)).count(),
        6,
        "those of no project"
    );
}

#[test]
fn a_variable_that_changes_what_is_run_is_no_secret() {
    let given = |name: &str, text: &str| {
        let NewTransport::Stdio { env, .. } = one(json!({ "command": "c", "env": { name: text } })) else {
            panic!("it is a program")
        };
        match &env[0].1 {
            NewSecret::Plain { value, sure: false } => format!("plain {value}"),
            value => shown(value),
        }
    };
    assert_eq!(given("LD_PRELOAD", "/tmp/x.so"), "plain /tmp/x.so");
    assert_eq!(given("Path", "/bin:${HOME}/bin"), "plain /bin:/home/me/bin");
    assert_eq!(
        given("NODE_OPTIONS", "--require x ${NOT_SET:-}"),
        "plain --require x ",
        "nor by what hides it"
    );
    assert_eq!(given("NODE_OPTIONS", "${OPTIONS}"), "env OPTIONS");
    assert_eq!(given("DYLD_AUTH_KEY", "x"), "x", "named like a secret");
    let entry = json!({ "command": "c", "env": { "NODE_OPTIONS": "--x ${TOKEN}" } });
    let (member, variable) = ("env.NODE_OPTIONS".to_owned(), "TOKEN".to_owned());
    assert_eq!(
        why(entry),
        WhySkipped::Exposed { member, variable },
        "a secret of this machine is never shown"
    );
    let entry = json!({ "url": "https://example.com", "headers": { "Path": "x" } });
    let NewTransport::Http { headers, .. } = one(entry) else { panic!("it has a URL") };
    assert!(matches!(headers[0].1, NewSecret::Literal { .. }), "a header runs nothing");
}
