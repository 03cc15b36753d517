//! Servers out of a pasted configuration.

use serde_json::json;
use signalbox_api::{Code, Command, Desk, Home, OwnerKind, Reply, SecretText, import::Importable, open};

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
    match desk.call(Command::ReadConfigurations { text: pasted(text) }).await.unwrap() {
        Reply::Importable { servers, skipped } => {
            (servers, skipped.into_iter().filter_map(|server| server.name).collect())
        }
        other => panic!("configurations were read: {other:?}"),
    }
}

async fn import(desk: &dyn Desk, text: &str, servers: Vec<Importable>) -> (Vec<(String, bool)>, Vec<String>) {
    match desk.call(Command::ImportServers { text: pasted(text), servers }).await.unwrap() {
        Reply::Imported { servers, skipped } => (
            servers.into_iter().map(|server| (server.name, server.trusted)).collect(),
            skipped.into_iter().filter_map(|server| server.name).collect(),
        ),
        other => panic!("servers were imported: {other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_shown_is_taken_untrusted_and_nothing_else() {
    let dir = tempfile::tempdir().unwrap();
    let opened = open(&Home::at(&dir.path().join("home")).unwrap(), OwnerKind::Serve).await.unwrap();
    let desk = &*opened.desk();
    let (shown, skipped) = importable(desk, CONFIGURATION).await;
    let places: Vec<_> = shown.iter().map(|server| (server.place.as_str(), server.is_program)).collect();
    let program = "named like an id";
    assert_eq!(places, [("lab --all", true), ("https://example.com/mcp", false), (program, true)]);
    assert_eq!(skipped, ["off"]);

    let changed = CONFIGURATION.replace("--all", "--everything");
    let (taken, refused) = import(desk, &changed, shown.clone()).await;
    assert_eq!(taken, [("eu".to_owned(), false)], "the other command was never shown");
    assert_eq!(refused, ["s1"], "a name that cannot be one is said");
    let (taken, _) = import(desk, CONFIGURATION, shown[..1].to_vec()).await;
    assert_eq!(taken, [("lab".to_owned(), false)]);

    let (left, skipped) = importable(desk, CONFIGURATION).await;
    assert_eq!((left.len(), skipped), (1, vec!["off".to_owned(), "lab".to_owned(), "eu".to_owned()]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_text_that_is_no_configuration_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let opened = open(&Home::at(&dir.path().join("home")).unwrap(), OwnerKind::Serve).await.unwrap();
    for text in ["", "<html>", "[]", &json!({ "servers": "none" }).to_string()] {
        let read = Command::ReadConfigurations { text: pasted(text) };
        let error = opened.desk().call(read).await.unwrap_err();
        assert_eq!(error.code, Code::Usage, "{text}: {error}");
    }
}
