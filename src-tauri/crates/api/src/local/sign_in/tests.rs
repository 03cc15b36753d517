//! A server behind a door: a task stands still there until a person has signed in, and goes on by itself.

use std::{sync::Arc, time::Duration};

use signalbox_demo::{Demo, Speed, authority::Authority};
use signalbox_forms::FieldError;
use signalbox_model::{Access, Action, CallId, Health, Json, Outcome, Secret, SignIn, Tracking};
use signalbox_signin::Secrets;

use super::{Local, REMEMBERED};
use crate::local::stage::local;
use crate::{
    ApiError, Code, Desk as _, DeskExt as _, Detail, NewAccess, NewSecret, NewTransport, ServerCheck,
    SignedIn, TaskDetail, View, ViewData,
    command::{self, SecretText, SignInBegun},
    words,
};

/// Long enough for a slow machine; nothing waits for it to pass.
const PATIENCE: Duration = Duration::from_secs(60);

async fn until(local: &Local, call: CallId, what: &str, fits: impl Fn(&TaskDetail) -> bool) -> TaskDetail {
    let looking = async {
        let mut cursor = None;
        loop {
            let changes = local.changes(View::Task { call }, cursor, PATIENCE).await.unwrap();
            cursor = Some(changes.cursor);
            if let Some(ViewData::Task { task: Some(task) }) = changes.data
                && fits(&task)
            {
                return *task;
            }
        }
    };
    tokio::time::timeout(PATIENCE, looking).await.unwrap_or_else(|_| panic!("{what}: never came"))
}

fn server() -> String {
    "demo".into()
}

async fn health(local: &Local) -> Health {
    local.act(command::CheckServer { server: server() }).await.unwrap().server.health
}

/// Where a person signs in, and what this attempt is called.
async fn begin(local: &Local) -> (String, String) {
    match local.act(command::SignIn { server: server() }).await.unwrap() {
        SignInBegun { url: Some(url), attempt } => (url, attempt),
        other => panic!("a person is needed: {other:?}"),
    }
}

/// Follows the authorization server back to us, as a browser does; none when nobody waits there.
async fn browse(url: &str) -> Option<u16> {
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    http.get(url).send().await.ok().map(|page| page.status().as_u16())
}

/// Waits until this is who is signed in.
async fn until_signed_in(local: &Local, who: Option<&SignedIn>) {
    let looking = async {
        let (mut cursor, mut seen) = (None, None);
        loop {
            let changes = local.changes(View::Overview, cursor, PATIENCE).await.unwrap();
            cursor = Some(changes.cursor);
            if let Some(ViewData::Overview { change }) = changes.data {
                seen = change.after(seen);
                if seen.as_ref().expect("it goes with what was seen").servers[0].signed_in.as_ref() == who {
                    return;
                }
            }
        }
    };
    tokio::time::timeout(PATIENCE, looking).await.unwrap_or_else(|_| panic!("never signed in: {who:?}"));
}

/// What became of an attempt.
async fn end(local: &Local, attempt: String) -> Result<ServerCheck, ApiError> {
    local.act(command::AwaitSignIn { server: server(), attempt }).await
}

/// The only server of this desk.
async fn add(local: &Local, url: impl Into<String>) {
    let transport = NewTransport::Http { url: url.into(), headers: vec![] };
    local.act(command::AddServer { name: server(), transport, untrusted: false }).await.unwrap();
}

async fn sign_in(local: &Local) -> Health {
    let (url, attempt) = begin(local).await;
    assert_eq!(browse(&url).await, Some(200), "the person is told that it worked");
    end(local, attempt).await.unwrap().server.health
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_task_goes_on_by_itself_once_somebody_has_signed_in() {
    let demo = Demo::builder().speed(Speed::INSTANT).build().unwrap();
    let authority = Authority::before(&demo).await.unwrap();
    authority.script().open = true;
    let dir = tempfile::tempdir().unwrap();
    let secrets = Arc::new(Secrets::this_run("home"));
    let local = self::local(dir.path(), &secrets).await;
    add(&local, authority.url("/mcp")).await;
    let arguments = Json::parse(r#"{"service":"api","version":"1.0"}"#).unwrap();
    let start = command::Start { server: server(), tool: "deploy".into(), arguments, ttl_ms: None };
    let call = local.act(start).await.unwrap();
    let task = until(&local, call, "the question", |task| task.row.open_requests == 1).await;
    until_signed_in(&local, None).await;

    authority.script().open = false;
    let content = Json::parse(r#"{"approved":true,"rollout":"gradual","max_error_rate":1.5}"#).unwrap();
    let request = task.requests[0].id;
    let answer = command::Answer {
        request,
        action: Action::Accept,
        content: Some(content),
        hold_ms: 0,
        seen: None,
        remark: None,
        asks: None,
    };
    let refused = local.act(answer).await.unwrap_err();
    assert_eq!(refused.code, Code::SignInNeeded, "it is told why the answer stays: {refused}");
    until(&local, call, "standing still", |task| task.row.tracking == Tracking::SignInNeeded).await;

    assert!(matches!(sign_in(&local).await, Health::Ok { .. }), "the server lets us in");
    let task = until(&local, call, "its end", |task| task.row.outcome.is_some()).await;
    assert_eq!(task.row.outcome, Some(Outcome::Ok), "the answer went by itself");
    assert_eq!(demo.journal().taken().len(), 1, "once");
    let issuer = authority.url("/").as_str().trim_end_matches('/').to_owned();
    let who = SignedIn { issuer, scopes: vec![] };
    until_signed_in(&local, Some(&who)).await;

    local.engine().stop().await;
    let dir = tempfile::tempdir().unwrap();
    let local = self::local(dir.path(), &secrets).await;
    add(&local, authority.url("/mcp")).await;
    until_signed_in(&local, None).await;
    assert!(matches!(health(&local).await, Health::Ok { .. }), "what is kept is found again");
    until_signed_in(&local, Some(&who)).await;

    let signed_out = local.act(command::SignOut { server: server() }).await.unwrap();
    assert_eq!(signed_out.valid_still, None);
    assert_eq!(authority.asked("/revoke").len(), 2, "both of its tokens are taken back");
    until_signed_in(&local, None).await;
    assert!(matches!(health(&local).await, Health::SignInNeeded { .. }), "nobody is signed in any more");
    local.engine().stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_second_attempt_takes_the_place_of_the_first() {
    let authority = Authority::start().await.unwrap();
    let dir = tempfile::tempdir().unwrap();
    let local = self::local(dir.path(), &Arc::new(Secrets::this_run("home"))).await;
    add(&local, authority.url("/mcp")).await;
    let early = end(&local, "1-1".to_owned()).await.unwrap_err();
    assert_eq!(early.code, Code::SignInNeeded, "there is nothing to wait for yet");

    let (abandoned, first) = begin(&local).await;
    assert!(matches!(sign_in(&local).await, Health::Ok { .. }), "the second attempt counts");
    // Asked only now, as a slow command does.
    let failed = end(&local, first).await.unwrap_err();
    assert!(
        failed.message.contains("took the place"),
        "whoever began the first hears of the first: {failed}"
    );
    assert_ne!(browse(&abandoned).await, Some(200), "nobody waits for the first one any more");
    local.engine().stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_attempt_that_has_ended_is_told_after_others_have_begun() {
    let authority = Authority::start().await.unwrap();
    let dir = tempfile::tempdir().unwrap();
    let local = self::local(dir.path(), &Arc::new(Secrets::this_run("home"))).await;
    add(&local, authority.url("/mcp")).await;
    let (url, first) = begin(&local).await;
    assert_eq!(browse(&url).await, Some(200));
    end(&local, first.clone()).await.expect("it went well");
    let mut attempts = vec![first];
    for _ in 0..REMEMBERED {
        let told = end(&local, attempts[0].clone()).await;
        assert!(told.is_ok(), "also after {} others: {told:?}", attempts.len() - 1);
        attempts.push(begin(&local).await.1);
    }
    let forgotten = end(&local, attempts.remove(0)).await.unwrap_err();
    assert!(forgotten.message.contains("Nobody knows"), "so many are remembered: {forgotten}");
    let replaced = end(&local, attempts.remove(0)).await.unwrap_err();
    assert!(replaced.message.contains("took the place"), "{replaced}");
    local.engine().stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_person_was_granted_goes_whatever_the_server_became() {
    let authority = Authority::start().await.unwrap();
    let dir = tempfile::tempdir().unwrap();
    let secrets = Arc::new(Secrets::this_run("home"));
    let local = self::local(dir.path(), &secrets).await;
    add(&local, authority.url("/mcp")).await;
    assert!(matches!(sign_in(&local).await, Health::Ok { .. }));
    let secret = Some(NewSecret::Reference { secret: Secret::Env { var: "PATH".into() } });
    let access = NewAccess {
        client_id: Some("us".into()),
        client_secret: secret,
        machine: true,
        ..NewAccess::default()
    };
    local.act(command::SetAccess { server: server(), access, shown: None }).await.unwrap();
    local.act(command::SignOut { server: server() }).await.unwrap();
    assert_eq!(authority.asked("/revoke").len(), 2, "both tokens of the person are taken back");
    local
        .act(command::SetAccess { server: server(), access: NewAccess::default(), shown: None })
        .await
        .unwrap();
    assert!(matches!(health(&local).await, Health::SignInNeeded { .. }), "and nothing is kept of them");

    assert!(matches!(sign_in(&local).await, Health::Ok { .. }));
    let entry = || {
        let entry = secrets.sign_in_entry("s1");
        async { secrets.resolve(&Secret::Keychain { entry }).await }
    };
    assert!(entry().await.is_ok(), "the sign-in is kept here");
    let program =
        NewTransport::Stdio { command: "no-such-program".into(), args: vec![], env: vec![], cwd: None };
    local
        .act(command::EditServer { server: server(), transport: program, untrusted: false, shown: None })
        .await
        .unwrap();
    local.act(command::RemoveServer { server: server() }).await.unwrap();
    assert!(entry().await.is_err(), "also of a server that became a program");
    local.engine().stop().await;
}

#[tokio::test]
async fn as_whom_we_sign_in_is_told_no_other_host() {
    let dir = tempfile::tempdir().unwrap();
    let secrets = Arc::new(Secrets::this_run("home"));
    let local = self::local(dir.path(), &secrets).await;
    add(&local, "http://127.0.0.1:1/mcp").await;
    let edit = async |url: &str| {
        let transport = NewTransport::Http { url: url.into(), headers: vec![] };
        let act = command::EditServer { server: server(), transport, untrusted: false, shown: None };
        local.act(act).await.unwrap().access
    };
    let access = NewAccess {
        client_id: Some("us".into()),
        client_secret: Some(NewSecret::Literal { value: SecretText("hunter2".into()) }),
        machine: true,
        proxy: Some("http://127.0.0.1:1".into()),
        ..NewAccess::default()
    };
    let said = local.act(command::SetAccess { server: server(), access, shown: None }).await.unwrap().access;
    let secret = said.sign_in.client_secret.clone().unwrap();
    assert_eq!(edit("http://127.0.0.1:1/other").await, said, "the same host");
    assert!(secrets.resolve(&secret).await.is_ok(), "it is still there");

    let after = edit("http://127.0.0.1:2/mcp").await;
    assert_eq!(after, Access { sign_in: SignIn::default(), ..said }, "how it is reached stays");
    assert!(secrets.resolve(&secret).await.is_err(), "nothing names the secret any more");
    local.engine().stop().await;
}

#[tokio::test]
async fn a_program_has_no_host_that_it_could_leave() {
    let dir = tempfile::tempdir().unwrap();
    let secrets = Arc::new(Secrets::this_run("home"));
    let local = self::local(dir.path(), &secrets).await;
    let program = |args: &[&str]| NewTransport::Stdio {
        command: "no-such-program".into(),
        args: args.iter().map(|arg| (*arg).to_owned()).collect(),
        env: vec![],
        cwd: None,
    };
    let add = command::AddServer { name: server(), transport: program(&[]), untrusted: false };
    local.act(add).await.unwrap();
    let access = NewAccess {
        client_id: Some("us".into()),
        client_secret: Some(NewSecret::Literal { value: SecretText("hunter2".into()) }),
        ..NewAccess::default()
    };
    let said = local.act(command::SetAccess { server: server(), access, shown: None }).await.unwrap().access;
    let edit = command::EditServer {
        server: server(),
        transport: program(&["--fast"]),
        untrusted: false,
        shown: None,
    };
    assert_eq!(local.act(edit).await.unwrap().access, said, "it goes nowhere");
    let secret = said.sign_in.client_secret.unwrap();
    assert!(secrets.resolve(&secret).await.is_ok(), "it is still named");
    let transport = NewTransport::Http { url: "http://127.0.0.1:1/mcp".into(), headers: vec![] };
    let edit = command::EditServer { server: server(), transport, untrusted: false, shown: None };
    let after = local.act(edit).await.unwrap().access;
    assert_eq!(after.sign_in, SignIn::default(), "this host was not meant");
    assert!(secrets.resolve(&secret).await.is_err(), "nothing names the secret any more");
    local.engine().stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_way_that_cannot_be_gone_is_refused_or_told() {
    let demo = Demo::builder().speed(Speed::INSTANT).build().unwrap();
    let http = demo.serve_http(([127, 0, 0, 1], 0).into()).await.unwrap();
    let dir = tempfile::tempdir().unwrap();
    let local = self::local(dir.path(), &Arc::new(Secrets::this_run("home"))).await;
    add(&local, http.url()).await;
    let none = NewAccess::default;
    let file = |path: &str| Some(NewSecret::Reference { secret: Secret::File { path: path.into() } });
    let us = || Some("us".to_owned());
    let refused: [(&[&str], NewAccess); 10] = [
        (&["proxy"], NewAccess { proxy: Some("http://me:hunter2@proxy:3128".into()), ..none() }),
        (&["proxy"], NewAccess { proxy: Some("socks5://proxy".into()), ..none() }),
        (&["caCertificates"], NewAccess { ca_certificates: vec!["ca.pem".into()], ..none() }),
        (
            &["clientMetadataUrl"],
            NewAccess { client_metadata_url: Some("http://example.com/client".into()), ..none() },
        ),
        (
            &["clientMetadataUrl"],
            NewAccess { client_metadata_url: Some("https://example.com".into()), ..none() },
        ),
        (
            &["clientMetadataUrl"],
            NewAccess { client_metadata_url: Some("https://me:hunter2@example.com/client".into()), ..none() },
        ),
        (&["scopes"], NewAccess { scopes: vec!["read".into(), "two words".into()], ..none() }),
        (&["clientSecret"], NewAccess { client_id: us(), machine: true, ..none() }),
        (&["clientSecret", "clientId"], NewAccess { client_secret: file("token"), ..none() }),
        (
            &["proxy", "scopes", "clientId"],
            NewAccess {
                proxy: Some("proxy".into()),
                scopes: vec![String::new()],
                client_id: Some(" ".into()),
                ..none()
            },
        ),
    ];
    for (fields, access) in refused {
        let told = format!("{access:?}");
        let error =
            local.act(command::SetAccess { server: server(), access, shown: None }).await.unwrap_err();
        assert_eq!(error.code, Code::Usage, "{told}");
        assert!(!error.message.contains("hunter2"), "a password is not repeated: {error}");
        let Some(Detail::Errors(misfits)) = &error.detail else { panic!("where it does not fit: {error:?}") };
        let at = |misfit: &FieldError| misfit.field.clone().unwrap_or_default();
        assert_eq!(misfits.iter().map(at).collect::<Vec<_>>(), fields, "{told}");
        assert!(
            misfits.iter().all(|misfit| error.message.contains(&misfit.message)),
            "also in words: {error}"
        );
    }
    assert!(matches!(health(&local).await, Health::Ok { .. }), "nothing of it was taken");

    let missing = dir.path().join("ca.pem").to_str().unwrap().to_owned();
    let access = NewAccess { ca_certificates: vec![missing.clone()], ..none() };
    local.act(command::SetAccess { server: server(), access, shown: None }).await.unwrap();
    match health(&local).await {
        Health::Unreachable { note, .. } => {
            let message = words::note(&note);
            assert!(message.contains(&missing), "{message}");
        }
        other => panic!("nothing is sent without the certificates: {other:?}"),
    }
    local.act(command::SetAccess { server: server(), access: none(), shown: None }).await.unwrap();
    assert!(matches!(health(&local).await, Health::Ok { .. }), "the next connection is made anew");
    local.engine().stop().await;
}
