//! Servers out of a pasted configuration.

use serde_json::json;
use signalbox_api::{
    Code, Desk, DeskExt as _, Home, NewSecret, NewTransport, OwnerKind, SecretPlace, SecretText, ServerView,
    command::{self, Configurations},
    import::{ImportOutcome, Importable, Instead, PastedKind, Wanted},
    open,
};
use signalbox_model::{Secret, Transport};

const CONFIGURATION: &str = r#"{ "mcpServers": {
    "lab": { "command": "lab", "args": ["--all"] },
    "eu": { "url": "https://example.com/mcp" },
    "off": { "command": "off", "disabled": true },
    "s1": { "command": "named like an id" },
} }"#;

fn pasted(text: &str) -> Option<SecretText> {
    Some(SecretText(text.to_owned()))
}

async fn importable(desk: &dyn Desk, text: &str) -> (Vec<Importable>, Vec<String>) {
    let read = command::ReadConfigurations { text: pasted(text) };
    let Configurations { servers, skipped } = desk.act(read).await.unwrap();
    (servers, skipped.into_iter().filter_map(|server| server.name).collect())
}

fn as_shown(server: Importable) -> Wanted {
    Wanted { server, values: Vec::new() }
}

/// The name of each with whether it may be run, or why it was not taken over.
async fn import(desk: &dyn Desk, text: &str, servers: Vec<Wanted>) -> Vec<Result<(String, bool), Code>> {
    let outcomes = desk.act(command::ImportServers { text: pasted(text), servers }).await.unwrap();
    let outcomes = outcomes.into_iter().map(|outcome| match outcome {
        ImportOutcome::Taken { server } => Ok((server.name, server.trusted)),
        ImportOutcome::Not { error } => Err(error.code),
    });
    outcomes.collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_shown_is_taken_untrusted_and_nothing_else() {
    let dir = tempfile::tempdir().unwrap();
    let opened = open(&Home::at(&dir.path().join("home")).unwrap(), OwnerKind::Serve).await.unwrap();
    let desk = &*opened.desk();
    let (shown, skipped) = importable(desk, CONFIGURATION).await;
    let places: Vec<_> = shown.iter().map(|server| (server.place.as_str(), server.is_program)).collect();
    let program = "'named like an id'";
    assert_eq!(places, [("lab --all", true), ("https://example.com/mcp", false), (program, true)]);
    assert_eq!(skipped, ["off"]);

    let changed = CONFIGURATION.replace("--all", "--everything");
    let all = || shown.iter().cloned().map(as_shown).collect::<Vec<_>>();
    let outcomes = import(desk, &changed, all()).await;
    let eu = Ok(("eu".to_owned(), false));
    assert_eq!(
        outcomes,
        [Err(Code::Usage), eu, Err(Code::Usage)],
        "changed since, fine, no name for a server"
    );
    let outcomes = import(desk, CONFIGURATION, all()[..1].to_vec()).await;
    assert_eq!(outcomes, [Ok(("lab".to_owned(), false))]);

    let (left, skipped) = importable(desk, CONFIGURATION).await;
    assert_eq!((left.len(), skipped), (1, vec!["off".to_owned(), "lab".to_owned(), "eu".to_owned()]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_text_that_is_no_configuration_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let opened = open(&Home::at(&dir.path().join("home")).unwrap(), OwnerKind::Serve).await.unwrap();
    for text in ["", "<html>", "[]", &json!({ "servers": "none" }).to_string()] {
        let read = command::ReadConfigurations { text: pasted(text) };
        let error = opened.desk().act(read).await.unwrap_err();
        assert_eq!(error.code, Code::Usage, "{text}: {error}");
    }
}

/// Nothing can be kept: this machine has no keychain, or one that nobody opened.
const SECRETIVE: &str = r#"{ "mcpServers": {
    "one": { "command": "a", "env": { "MODE": "fast", "API_KEY": "k-123" } },
    "two": { "command": "b" },
    "three": { "command": "c", "env": { "LEVEL": "debug" } },
} }"#;

#[tokio::test(flavor = "multi_thread")]
async fn what_one_server_lacks_keeps_no_other_out_and_every_value_has_a_way() {
    let dir = tempfile::tempdir().unwrap();
    let home = Home::at(&dir.path().join("home")).unwrap();
    let opened = open(&home, OwnerKind::Serve).await.unwrap();
    let desk = &*opened.desk();
    // An encrypted file that is locked keeps nothing, as no keychain does.
    let passphrase = Some(SecretText("x".into()));
    let place = SecretPlace::File;
    desk.act(command::KeepSecrets { place, passphrase, set_aside: false }).await.unwrap();
    opened.close().await;
    let opened = open(&home, OwnerKind::Serve).await.unwrap();
    let desk = &*opened.desk();

    let (shown, _) = importable(desk, SECRETIVE).await;
    let outcomes = import(desk, SECRETIVE, shown.iter().cloned().map(as_shown).collect()).await;
    let two = Ok(("two".to_owned(), false));
    assert_eq!(outcomes, [Err(Code::SecretsLocked), two, Err(Code::SecretsLocked)], "it goes on to the end");
    let (left, _) = importable(desk, SECRETIVE).await;
    assert_eq!(left.iter().map(|server| server.name.as_str()).collect::<Vec<_>>(), ["one", "three"]);

    let plain = |sure| Instead::Plain { sure };
    let wanted = |server: &Importable, values: &[(&str, Instead)]| Wanted {
        server: server.clone(),
        values: values.iter().map(|(name, what)| ((*name).to_owned(), what.clone())).collect(),
    };
    let outcomes =
        import(desk, SECRETIVE, vec![wanted(&left[0], &[("MODE", plain(false)), ("API_KEY", plain(false))])]);
    assert_eq!(outcomes.await, [Err(Code::Usage)], "a name that sounds like a secret takes a second word");
    let env = Instead::Env { var: "MY_KEY".into() };
    let both = vec![
        wanted(&left[0], &[("MODE", plain(false)), ("API_KEY", env)]),
        wanted(&left[1], &[("LEVEL", Instead::Nothing)]),
    ];
    let outcomes = import(desk, SECRETIVE, both).await;
    assert_eq!(outcomes, [Ok(("one".to_owned(), false)), Ok(("three".to_owned(), false))]);
    let env = |server: ServerView| match server.transport {
        Transport::Stdio { env, .. } => env,
        Transport::Http { .. } => panic!("these are programs"),
    };
    let mut given = std::collections::BTreeMap::new();
    for server in super::trust::all(desk).await {
        given.insert(server.name.clone(), env(server));
    }
    let mode = ("MODE".to_owned(), Secret::Plain { value: "fast".into() });
    assert_eq!(given["one"], [mode, ("API_KEY".to_owned(), Secret::Env { var: "MY_KEY".into() })]);
    assert_eq!(given["three"], []);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_paste_is_read_and_registers_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let opened = open(&Home::at(&dir.path().join("home")).unwrap(), OwnerKind::Serve).await.unwrap();
    let desk = &*opened.desk();
    let read = |text: &str| desk.act(command::ReadPasted { text: SecretText(text.to_owned()) });
    let pasted = read("claude mcp add lab -e K=$V -- sh -c 'touch x'").await.unwrap();
    assert_eq!((pasted.kind, pasted.servers[0].name.as_str()), (PastedKind::Client, "lab"));
    let NewTransport::Stdio { args, env, .. } = &pasted.servers[0].transport else {
        panic!("it is a program")
    };
    assert_eq!(*args, ["-c", "touch x"]);
    assert!(matches!(&env[0].1, NewSecret::Reference { secret: Secret::Env { var } } if var == "V"));
    // PATH is set wherever tests run.
    let mixed = r#"{"command":"x","env":{"A":"is ${PATH}"}}"#;
    let pasted = read(mixed).await.unwrap();
    assert_eq!(
        (pasted.servers.len(), pasted.skipped.len()),
        (0, 1),
        "no variable goes into the window: {pasted:?}"
    );
    assert_eq!(read("'").await.unwrap_err().code, Code::Usage);
    assert!(super::trust::all(desk).await.is_empty(), "reading registers nothing");
}
