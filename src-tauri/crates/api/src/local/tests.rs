//! What one command may bring: more of it is refused, and says why.

use std::fmt::Debug;

use signalbox_model::{CallId, Json, RequestId, Secret, ServerId, Transport};

use super::{stage::local, *};
use crate::{
    Answered, Ask, DeskExt as _, Detail, NewAccess, NewSecret, NewTransport, SecretText, ViewData,
    command::{self, Act, AddServer, Configurations},
};

async fn desk() -> (tempfile::TempDir, Arc<Local>) {
    let dir = tempfile::tempdir().unwrap();
    let secrets = Arc::new(Secrets::this_run("home"));
    let local = local(dir.path(), &secrets).await;
    (dir, Arc::new(local))
}

fn program(argument: String) -> NewTransport {
    NewTransport::Stdio { command: "lab".to_owned(), args: vec![argument], env: vec![], cwd: None }
}

fn added(name: &str, transport: NewTransport) -> AddServer {
    AddServer { name: name.to_owned(), transport, untrusted: true }
}

fn lab() -> String {
    "lab".to_owned()
}

async fn refused<A: Act<Reply: Debug>>(local: &Local, act: A, why: &str) -> ApiError {
    let error = local.act(act).await.expect_err(why);
    assert!(error.message.contains(why), "{error}");
    error
}

/// A JSON string of so many bytes.
fn json(bytes: usize) -> Json {
    Json::parse(format!("\"{}\"", "x".repeat(bytes - 2))).unwrap()
}

#[tokio::test]
async fn a_draft_has_a_bound() {
    let (_dir, local) = desk().await;
    let request = RequestId(1);
    let save = |bytes| command::SaveDraft { request, draft: Some(json(bytes)) };
    let error = refused(&local, save(1024 * 1024 + 1), "longer than 1 MiB").await;
    assert_eq!(error.code, Code::InvalidContent);
    let error = local.act(save(1024 * 1024)).await.unwrap_err();
    assert_eq!(error.code, Code::UnknownItem, "it is short enough: {error}");
}

#[tokio::test]
async fn a_note_of_a_task_has_a_bound() {
    let (_dir, local) = desk().await;
    let note = |bytes| command::NoteTask { call: CallId(1), text: "x".repeat(bytes), seen: String::new() };
    let error = refused(&local, note(4 * 1024 + 1), "at most 4 KiB").await;
    assert_eq!(error.code, Code::Usage);
    let error = local.act(note(4 * 1024)).await.unwrap_err();
    assert_eq!(error.code, Code::UnknownItem, "it is short enough: {error}");
}

#[tokio::test]
async fn preferences_have_a_bound() {
    let (_dir, local) = desk().await;
    let set = |key: String, bytes| command::SetPreference { key, value: json(bytes) };
    refused(&local, set("Columns".to_owned(), 2), "cannot be named").await;
    refused(&local, set("x".repeat(65), 2), "cannot be named").await;
    refused(&local, set("x".repeat(64), 64 * 1024 + 1), "longer than 64 KiB").await;
    local.act(set("x".repeat(64), 64 * 1024)).await.unwrap();
    for n in 1..256 {
        local.act(set(format!("list.{n}"), 2)).await.unwrap();
    }
    refused(&local, set("one.more".to_owned(), 2), "no more are kept").await;
    local.act(set("list.7".to_owned(), 3)).await.unwrap();
    let seen = local.see(crate::look::Preference { key: "list.7".to_owned() }).await.unwrap();
    assert_eq!(seen.map(|value| value.text().len()), Some(3));
    let forgotten = command::SetPreference { key: "list.7".to_owned(), value: Json::of(&()) };
    local.act(forgotten).await.unwrap();
    assert_eq!(local.see(crate::look::Preference { key: "list.7".to_owned() }).await.unwrap(), None);
}

#[tokio::test]
async fn the_arguments_of_a_call_have_a_bound() {
    let (_dir, local) = desk().await;
    let start = |bytes: usize| {
        let arguments = Json::parse(format!("{{\"a\":\"{}\"}}", "x".repeat(bytes - 8))).unwrap();
        assert_eq!(arguments.text().len(), bytes);
        command::Start { server: lab(), tool: "build".to_owned(), arguments, ttl_ms: None }
    };
    let most = 16 * 1024 * 1024;
    let error = refused(&local, start(most + 1), "longer than 16 MiB").await;
    assert_eq!(error.code, Code::InvalidContent);
    let error = local.act(start(most)).await.unwrap_err();
    assert_eq!(error.code, Code::UnknownServer, "they are short enough: {error}");
}

#[tokio::test]
async fn what_is_kept_of_one_server_has_a_bound() {
    let (_dir, local) = desk().await;
    let of = |bytes: usize| program("x".repeat(bytes - "lab".len() - 1));
    let most = 256 * 1024;
    let error = refused(&local, added("lab", of(most + 1)), "more than 256 KiB").await;
    assert_eq!(error.code, Code::Usage);
    local.act(added("lab", of(most))).await.unwrap();
    let edit = |transport| command::EditServer { server: lab(), transport, untrusted: false, shown: None };
    refused(&local, edit(of(most + 1)), "more than 256 KiB").await;
    let roots = |n: usize| vec!["file:///home/me".to_owned(); n];
    refused(&local, command::SetRoots { server: lab(), roots: roots(1) }, "more than 256 KiB").await;
    let pass = command::PassVariables { server: lab(), names: vec!["LANG".to_owned()] };
    refused(&local, pass, "more than 256 KiB").await;

    local.act(edit(program("x".to_owned()))).await.unwrap();
    refused(&local, command::SetRoots { server: lab(), roots: roots(101) }, "More than 100 roots").await;
    local.act(command::SetRoots { server: lab(), roots: roots(100) }).await.unwrap();
    refused(&local, edit(of(most - 100)), "more than 256 KiB").await;
    let plain = |bytes| {
        let value = NewSecret::Plain { value: "x".repeat(bytes), sure: true };
        let env = vec![("MODE".to_owned(), value)];
        edit(NewTransport::Stdio { command: lab(), args: vec![], env, cwd: None })
    };
    refused(&local, plain(32 * 1024 + 1), "longer than 32 KiB").await;
    local.act(plain(32 * 1024)).await.unwrap();
}

#[tokio::test]
async fn what_reaching_a_server_takes_beside_its_address_has_a_bound() {
    let (_dir, local) = desk().await;
    local.act(added("lab", program("x".to_owned()))).await.unwrap();
    let set = |access| command::SetAccess { server: lab(), access, shown: None };
    let files = |n| NewAccess { ca_certificates: vec!["/etc/ca.pem".to_owned(); n], ..NewAccess::default() };
    let scopes = |n, bytes| NewAccess { scopes: vec!["x".repeat(bytes); n], ..NewAccess::default() };
    refused(&local, set(files(65)), "More than 64 files").await;
    local.act(set(files(64))).await.unwrap();
    refused(&local, set(scopes(65, 1)), "More than 64 scopes").await;
    let error = refused(&local, set(scopes(1, 4 * 1024 + 1)), "longer than 4 KiB").await;
    let Some(Detail::Errors(errors)) = error.detail else { panic!("the field is named: {error:?}") };
    assert_eq!(errors[0].field.as_deref(), Some("scopes"));
    local.act(set(scopes(64, 4 * 1024))).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn no_more_than_a_thousand_servers_are_kept_and_removed_ones_are_none() {
    let (_dir, local) = desk().await;
    let mut adding = tokio::task::JoinSet::new();
    for n in 0..MOST_SERVERS {
        let local = Arc::clone(&local);
        let transport = Transport::Http { url: "http://127.0.0.1:1/mcp".to_owned(), headers: vec![] };
        let server = Server { enabled: false, ..Server::new(ServerId(0), format!("n{n}"), transport) };
        adding.spawn(async move { local.intent(Intent::AddServer(server)).await });
    }
    assert!(adding.join_all().await.iter().all(Result::is_ok));
    let error = refused(&local, added("lab", program("x".to_owned())), "There are 1000 servers").await;
    assert_eq!(error.code, Code::Usage);

    let text = r#"{"mcpServers":{"lab":{"command":"lab"},"n7":{"command":"lab"},"eu":{"command":"eu"}}}"#;
    let read = || command::ReadConfigurations { text: Some(SecretText(text.to_owned())) };
    let Configurations { servers, skipped } = local.act(read()).await.unwrap();
    let why: Vec<_> = skipped.iter().map(|one| (one.name.as_deref(), one.why.as_str())).collect();
    assert!(servers.is_empty() && why.len() == 2, "{why:?}");
    assert_eq!(why[1], (None, "2 more are left out: no more than 1000 servers are kept"));

    local.act(command::RemoveServer { server: "n7".to_owned() }).await.unwrap();
    let Configurations { servers, skipped } = local.act(read()).await.unwrap();
    assert_eq!((servers.len(), skipped.len()), (1, 1), "one has a place now: {skipped:?}");
    assert_eq!(skipped[0].why, "2 more are left out: no more than 1000 servers are kept", "n7 may come back");
    local.act(added("lab", program("x".to_owned()))).await.unwrap();
}

#[tokio::test]
async fn no_look_waits_for_ever() {
    let (_dir, local) = desk().await;
    let look = |after, wait_ms| Ask::Changes { view: View::Overview, after, wait_ms };
    let Ok(Answered::Changes { changes }) = local.ask(look(None, 0)).await else { panic!("a look") };
    assert!(matches!(changes.data, Some(ViewData::Overview { .. })));
    tokio::time::pause();
    let began = Instant::now();
    let Ok(Answered::Changes { changes }) = local.ask(look(Some(changes.cursor), u32::MAX)).await else {
        panic!("a look")
    };
    assert_eq!((began.elapsed().as_secs(), changes.data.is_none()), (60, true));
}

#[tokio::test]
async fn values_of_secrets_are_no_part_of_what_is_kept_of_a_server() {
    let (_dir, local) = desk().await;
    let value = NewSecret::Literal { value: SecretText("x".repeat(60_000)) };
    let env: Vec<_> = (0..8).map(|n| (format!("KEY{n}"), value.clone())).collect();
    let transport = NewTransport::Stdio { command: lab(), args: vec![], env, cwd: None };
    let server = local.act(added("lab", transport)).await.unwrap();
    let Transport::Stdio { env, .. } = &server.transport else { panic!("a program") };
    assert!(env.iter().all(|(_, secret)| matches!(secret, Secret::Keychain { .. })));
}
