//! A person signs in.

use std::{
    io,
    sync::{Arc, Mutex},
    time::Duration,
};

use serde_json::json;
use signalbox_model::Secret;
use signalbox_signin::{
    Secrets,
    oauth::{
        AccountState, Challenge, Grant, OAuthSettings, Person, RegisteredClient, Revocation, SignInError,
        WhySignIn,
    },
};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    sync::oneshot,
};
use url::Url;

use crate::rig::{Rig, account, as_client, visit, where_to};

#[tokio::test]
async fn a_person_signs_in_and_out() {
    let rig = Rig::start().await;
    assert_eq!(rig.account.token().await.unwrap(), None, "nobody has signed in yet");
    assert_eq!(rig.authority.requests(), 0, "and nobody was asked for it");

    let page = rig.sign_in().await.unwrap();
    assert!(page.text.contains("You can close this tab"), "{page:?}");
    assert_eq!(rig.token().await.unwrap(), "acce55-1");

    let registration = &rig.authority.asked("/register")[0];
    assert_eq!(registration["application_type"], "native");
    let asked = &rig.authority.asked("/authorize")[0];
    assert_eq!(
        asked["resource"],
        rig.authority.url("/mcp").as_str(),
        "also the authorization names the resource"
    );
    assert_eq!(asked["client_id"], "registered");
    assert!(!asked.contains_key("scope"), "no scope is invented");
    let issuer = rig.authority.url("/").as_str().trim_end_matches('/').to_owned();
    let standing = AccountState { issuer, scopes: vec![], over: false };
    assert_eq!(rig.account.standing().await.unwrap(), Some(standing));

    let revocation = rig.account.sign_out().await.unwrap();
    assert!(matches!(revocation, Revocation::Done), "{revocation:?}");
    let revoked: Vec<_> = rig.authority.asked("/revoke").iter().map(|form| form["token"].clone()).collect();
    assert_eq!(revoked, ["refre5h-1", "acce55-1"], "the authorization server forgets both");
    assert_eq!(rig.account.token().await.unwrap(), None);
    let again = account(&rig.secrets, rig.authority.url("/mcp"), OAuthSettings::default());
    assert_eq!(again.token().await.unwrap(), None, "nothing is kept either");
}

#[tokio::test]
async fn a_client_without_a_secret_gives_an_empty_one_where_it_must() {
    let rig = Rig::start().await;
    let python = json!({"error": "invalid_request", "error_description": "client_secret: Field required"});
    rig.sign_in().await.unwrap();
    rig.authority.script().without_secret = Some((400, python));
    let revocation = rig.account.sign_out().await.unwrap();
    assert!(matches!(revocation, Revocation::Done), "{revocation:?}");
    let asked = rig.authority.asked("/revoke");
    let said: Vec<_> = asked
        .iter()
        .map(|form| (form["token"].as_str(), form.get("client_secret").map(String::as_str)))
        .collect();
    let expected = [("refre5h-1", None), ("refre5h-1", Some("")), ("acce55-1", None), ("acce55-1", Some(""))];
    assert_eq!(said, expected, "once more, and only where the field is missed");
    assert!(
        asked.iter().all(|form| !form.contains_key("Authorization") && form["client_id"] == "registered")
    );

    rig.sign_in().await.unwrap();
    let other = json!({"error": "unsupported_token_type"});
    rig.authority.script().without_secret = Some((400, other));
    let revocation = rig.account.sign_out().await.unwrap();
    assert!(matches!(revocation, Revocation::Failed(_)), "{revocation:?}");
    assert_eq!(rig.authority.asked("/revoke").len(), 5, "any other refusal stands");
}

#[tokio::test]
async fn a_sign_in_is_kept_for_this_server_at_this_url_only() {
    let rig = Rig::start().await;
    rig.sign_in().await.unwrap();
    let requests = rig.authority.requests();

    let again = account(&rig.secrets, rig.authority.url("/mcp"), OAuthSettings::default());
    assert_eq!(again.token().await.unwrap().unwrap().expose(), "acce55-1", "it outlives the account");
    assert_eq!(rig.authority.requests(), requests, "and nobody is asked for it");
    let elsewhere = account(&rig.secrets, rig.authority.url("/other"), OAuthSettings::default());
    assert_eq!(elsewhere.token().await.unwrap(), None, "a token never goes to another URL");
    let other = Arc::new(Secrets::this_run("home"));
    let other = account(&other, rig.authority.url("/mcp"), OAuthSettings::default());
    assert_eq!(other.token().await.unwrap(), None, "a run of its own has nothing");
}

#[tokio::test]
async fn an_answer_with_another_state_changes_nothing() {
    let rig = Rig::start().await;
    let (done, pages) = oneshot::channel();
    let sign_in = rig.account.sign_in(None, |url| {
        tokio::spawn(async move {
            let back = where_to(url).await;
            let mut forged = back.clone();
            forged.set_query(Some("code=st0len&state=guessed"));
            let mut elsewhere = back.clone();
            elsewhere.set_path("/favicon.ico");
            let pages = [visit(forged).await.status, visit(elsewhere).await.status, visit(back).await.status];
            done.send(pages).unwrap();
        });
    });
    sign_in.await.unwrap();
    assert_eq!(pages.await.unwrap(), [400, 404, 200], "what is not ours is turned away, and we wait on");
    assert_eq!(rig.token().await.unwrap(), "acce55-1");
}

#[tokio::test]
async fn connections_that_say_nothing_or_too_much_hold_up_nobody() {
    let rig = Rig::start().await;
    let (done, page) = oneshot::channel();
    let sign_in = rig.account.sign_in(None, |url| {
        tokio::spawn(async move {
            let back = where_to(url).await;
            let address = ("127.0.0.1", back.port().unwrap());
            let silent = TcpStream::connect(address).await.unwrap();
            let mut endless = TcpStream::connect(address).await.unwrap();
            // It may be cut off in the middle of that.
            let _ = endless.write_all(&[b'x'; 64 * 1024]).await;
            let _ = endless.read_to_end(&mut Vec::new()).await;
            done.send(visit(back).await.status).unwrap();
            drop(silent);
        });
    });
    sign_in.await.unwrap();
    assert_eq!(page.await.unwrap(), 200);
}

#[tokio::test]
async fn connections_that_take_every_place_lose_it_after_a_while() {
    let rig = Rig::start().await;
    let (done, page) = oneshot::channel();
    let sign_in = rig.account.sign_in(None, |url| {
        tokio::spawn(async move {
            let back = where_to(url).await;
            let mut silent = Vec::new();
            for _ in 0..16 {
                silent.push(TcpStream::connect(("127.0.0.1", back.port().unwrap())).await.unwrap());
            }
            let mut next = TcpStream::connect(("127.0.0.1", back.port().unwrap())).await.unwrap();
            next.write_all(b"GET /favicon.ico HTTP/1.1\r\n\r\n").await.unwrap();
            // Until they are given up nobody reads that.
            for silent in &mut silent {
                silent.write_all(b"GET").await.unwrap();
            }
            let answered = next.try_read(&mut [0]).map_err(|error| error.kind());
            assert_eq!(answered, Err(io::ErrorKind::WouldBlock));
            tokio::time::pause();
            tokio::time::advance(Duration::from_secs(11)).await;
            tokio::time::resume();
            for silent in &mut silent {
                assert_eq!(silent.read(&mut [0]).await.unwrap_or(0), 0, "it has lost its place");
            }
            done.send(visit(back).await.status).unwrap();
        });
    });
    sign_in.await.unwrap();
    assert_eq!(page.await.unwrap(), 200);
}

#[tokio::test]
async fn a_denial_is_shown_as_what_it_is() {
    let rig = Rig::start().await;
    rig.authority.script().denial = Some("error=access_denied&error_description=<b>no</b>%0A");
    let (done, page) = oneshot::channel();
    let sign_in = rig.account.sign_in(None, |url| {
        tokio::spawn(async move { done.send(visit(where_to(url).await).await.text).unwrap() });
    });
    let error = sign_in.await.unwrap_err();
    let SignInError::Refused { code, description } = &error else { panic!("{error}") };
    assert_eq!((code.as_str(), description.as_deref()), ("access_denied", Some("<b>no</b> ")));
    let page = page.await.unwrap();
    assert!(page.contains("access_denied") && page.contains("&lt;b&gt;no"), "text stays text: {page}");
    assert!(rig.authority.asked("/token").is_empty());
}

#[tokio::test]
async fn nobody_waits_for_ever() {
    let rig =
        Rig::with(OAuthSettings { patience: Duration::from_millis(1), ..OAuthSettings::default() }).await;
    let error = rig.account.sign_in(None, |_| {}).await.unwrap_err();
    assert!(matches!(error, SignInError::TimedOut), "{error}");
}

#[tokio::test]
async fn the_client_is_the_registered_one_then_the_document_then_a_new_one() {
    let client = RegisteredClient { id: "b3fore".into(), secret: None, redirect: None };
    let rig = Rig::with(as_client(client)).await;
    rig.authority.script().registration = false;
    rig.sign_in().await.unwrap();
    assert_eq!(rig.authority.asked("/token")[0]["client_id"], "b3fore");

    let document = Url::parse("https://example.org/signalbox.json").unwrap();
    let person = Person { client: None, client_metadata_url: Some(document.clone()) };
    let settings = OAuthSettings { grant: Grant::Person(person), ..OAuthSettings::default() };
    let rig = Rig::with(settings).await;
    rig.sign_in().await.unwrap();
    assert_eq!(
        rig.authority.asked("/authorize")[0]["client_id"],
        "registered",
        "documents are not taken here"
    );
    rig.authority.script().metadata = json!({"client_id_metadata_document_supported": true});
    rig.sign_in().await.unwrap();
    assert_eq!(rig.authority.asked("/authorize")[1]["client_id"], document.as_str());

    let rig = Rig::start().await;
    rig.authority.script().registration = false;
    let error = rig.sign_in().await.unwrap_err();
    assert!(matches!(error, SignInError::NoClient), "{error}");
}

#[tokio::test]
async fn a_registered_client_proves_itself_and_comes_back_where_it_said() {
    // The port is free: it was ours a moment ago.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let redirect = Url::parse(&format!("http://localhost:{port}/oauth/done")).unwrap();
    let secret = Secret::Env { var: "PATH".into() };
    let client =
        RegisteredClient { id: "b3fore".into(), secret: Some(secret), redirect: Some(redirect.clone()) };
    let rig = Rig::with(as_client(client.clone())).await;
    let (done, page) = oneshot::channel();
    let sign_in = rig.account.sign_in(None, |url| {
        tokio::spawn(async move {
            let mut back = where_to(url).await;
            assert_eq!(back.path(), "/oauth/done");
            back.set_host(Some("127.0.0.1")).unwrap();
            done.send(visit(back).await.status).unwrap();
        });
    });
    sign_in.await.unwrap();
    assert_eq!(page.await.unwrap(), 200);
    assert_eq!(rig.authority.asked("/authorize")[0]["redirect_uri"], redirect.as_str());
    assert!(rig.authority.asked("/token")[0]["Authorization"].starts_with("Basic "));

    let taken = std::net::TcpListener::bind(("127.0.0.1", port)).unwrap();
    let error = rig.account.sign_in(None, |_| panic!("there is no way back")).await.unwrap_err();
    assert!(
        matches!(&error, SignInError::NoWayBack(why) if why.kind() == io::ErrorKind::AddrInUse),
        "{error}"
    );
    drop(taken);
    let far = RegisteredClient { redirect: Some(Url::parse("http://example.org/").unwrap()), ..client };
    let far = account(&rig.secrets, rig.authority.url("/mcp"), as_client(far));
    let error = far.sign_in(None, |_| panic!("nothing may come back there")).await.unwrap_err();
    assert!(matches!(error, SignInError::Misconfigured(_)), "{error}");
}

#[tokio::test]
async fn scopes_are_those_wanted_and_grow_with_the_next_challenge() {
    let rig = Rig::start().await;
    rig.authority.script().scopes_supported = Some(vec!["read", "list"]);
    rig.authority.script().metadata = json!({"scopes_supported": ["offline_access", "admin"]});
    rig.sign_in().await.unwrap();
    assert_eq!(rig.authority.asked("/authorize")[0]["scope"], "read list offline_access");

    let used = rig.account.token().await.unwrap();
    let challenge = Challenge::parse("Bearer error=\"insufficient_scope\", scope=\"write read\"").unwrap();
    let error = rig.account.renew(used.as_ref(), Some(&challenge)).await.unwrap_err();
    let wanted = WhySignIn::Scope { scopes: vec!["write".into(), "read".into()] };
    assert!(
        matches!(&error, SignInError::Needed { why } if *why == wanted),
        "no refresh gives more: {error}"
    );
    rig.sign_in_with(Some(&challenge)).await.unwrap();
    assert_eq!(rig.authority.asked("/authorize")[1]["scope"], "read list offline_access write");

    let challenge = Challenge::parse("Bearer scope=\"only\"").unwrap();
    rig.sign_in_with(Some(&challenge)).await.unwrap();
    assert_eq!(
        rig.authority.asked("/authorize")[2]["scope"],
        "only offline_access",
        "the challenge goes first"
    );
}

#[tokio::test]
async fn no_log_at_any_level_holds_a_secret() {
    let written = Arc::new(Mutex::new(Vec::new()));
    let writer = Arc::clone(&written);
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing_subscriber::filter::LevelFilter::TRACE)
        .with_writer(move || Log(Arc::clone(&writer)))
        .finish();
    let _guard = tracing::subscriber::set_default(subscriber);
    tracing::info!("the log works");
    let rig = Rig::start().await;
    rig.authority.script().expires_in = 1;
    rig.sign_in().await.unwrap();
    rig.token().await.unwrap();
    let verifier = rig.authority.asked("/token")[0]["code_verifier"].clone();
    let state = rig.authority.asked("/authorize")[0]["state"].clone();
    let log = String::from_utf8(written.lock().unwrap().clone()).unwrap();
    assert!(log.contains("the log works"));
    // Lines of the test's own server and browser are none of ours.
    let ours = log
        .lines()
        .filter(|line| line.contains("rmcp") || line.contains("signalbox") || line.contains("oauth2"));
    for line in ours {
        for secret in ["acce55", "refre5h", "1dent1ty", "c0de", &verifier, &state] {
            assert!(!line.contains(secret), "{secret} in the log: {line}");
        }
    }
}

struct Log(Arc<Mutex<Vec<u8>>>);

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
