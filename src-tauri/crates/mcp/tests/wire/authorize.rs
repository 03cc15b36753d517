//! Saying who we are.

use std::sync::{Arc, Mutex};

use http::{HeaderName, HeaderValue};
use signalbox_mcp::{Authorization, Authorize, Client, Endpoint, Error, Options};

use crate::support::{Received, Server, ok_json, response};

const DISCOVERED: &str =
    r#"{"supportedVersions":["2026-07-28"],"capabilities":{},"serverInfo":{"name":"x","version":"1"}}"#;

/// Has a few tokens, the first of which is used up by and by.
struct Tokens {
    left: Mutex<Vec<&'static str>>,
    /// What it was told of refusals.
    refused: Mutex<Vec<(Option<String>, Option<String>)>>,
}

impl Tokens {
    fn new(tokens: &[&'static str]) -> Arc<Self> {
        Arc::new(Self { left: Mutex::new(tokens.to_vec()), refused: Mutex::default() })
    }

    fn first(&self) -> Option<HeaderValue> {
        self.left.lock().unwrap().first().map(|token| HeaderValue::from_static(token))
    }
}

impl Authorize for Tokens {
    fn authorization(&self) -> Authorization<'_> {
        Box::pin(async {
            match self.first() {
                Some(value) if value == "down" => Err(Error::Closed),
                Some(value) if value.is_empty() => Ok(None),
                value => Ok(value),
            }
        })
    }

    fn better<'a>(&'a self, used: Option<&'a HeaderValue>, challenge: Option<&'a str>) -> Authorization<'a> {
        Box::pin(async move {
            let used = used.map(|used| used.to_str().unwrap().to_owned());
            self.refused.lock().unwrap().push((used, challenge.map(str::to_owned)));
            let mut left = self.left.lock().unwrap();
            if !left.is_empty() {
                left.remove(0);
            }
            Ok(left.first().map(|token| HeaderValue::from_static(token)))
        })
    }
}

/// Lets in who says `good`.
fn doorkeeper(request: &Received) -> Vec<u8> {
    match request.headers.get("authorization").map(String::as_str) {
        Some("good") => ok_json(&request.result(DISCOVERED)),
        Some("narrow") => response(403, "www-authenticate: Bearer error=\"insufficient_scope\"\r\n", ""),
        Some("forbidden") => response(403, "", ""),
        _ => response(401, "www-authenticate: Bearer scope=\"a\"\r\nwww-authenticate: Basic\r\n", ""),
    }
}

async fn ask(
    tokens: &Arc<Tokens>,
    headers: Vec<(HeaderName, HeaderValue)>,
) -> (Result<(), Error>, Vec<Option<String>>) {
    let mut server = Server::start(doorkeeper).await;
    let endpoint = Endpoint::Http { url: server.url.clone(), headers };
    let client = Client::new(endpoint, Options::default());
    client.authorize_with(Arc::clone(tokens) as Arc<dyn Authorize>);
    let asked = client.discover().await.map(drop);
    let said = server.received().into_iter().map(|request| request.headers.get("authorization").cloned());
    (asked, said.collect())
}

fn said(words: &[&str]) -> Vec<Option<String>> {
    words.iter().map(|word| Some((*word).to_owned())).collect()
}

#[tokio::test]
async fn a_refused_request_goes_once_more_with_something_better() {
    let tokens = Tokens::new(&["old", "good"]);
    let (asked, sent) = ask(&tokens, Vec::new()).await;
    asked.expect("the second word was good");
    assert_eq!(sent, said(&["old", "good"]));
    let refused = [(Some("old".to_owned()), Some("Bearer scope=\"a\", Basic".to_owned()))];
    assert_eq!(*tokens.refused.lock().unwrap(), refused, "told what was used, and all challenges");

    let tokens = Tokens::new(&["narrow", "good"]);
    let (asked, sent) = ask(&tokens, Vec::new()).await;
    asked.expect("a 403 with a challenge is a refusal at the door, too");
    assert_eq!(sent, said(&["narrow", "good"]));
}

#[tokio::test]
async fn twice_refused_is_refused() {
    let (asked, sent) = ask(&Tokens::new(&["old", "older", "good"]), Vec::new()).await;
    let challenge = Some("Bearer scope=\"a\", Basic".to_owned());
    assert_eq!(asked.unwrap_err(), Error::SignInNeeded { status: 401, challenge });
    assert_eq!(sent, said(&["old", "older"]), "once more, not again and again");
}

#[tokio::test]
async fn what_is_said_only_when_asked_may_be_old_and_is_replaced_once() {
    let (asked, sent) = ask(&Tokens::new(&["", "old", "good"]), Vec::new()).await;
    asked.expect("what replaces the old word was good");
    assert_eq!(sent, [vec![None], said(&["old", "good"])].concat());
    let (asked, sent) = ask(&Tokens::new(&["", "old", "older", "good"]), Vec::new()).await;
    assert!(matches!(asked, Err(Error::SignInNeeded { status: 401, .. })), "{asked:?}");
    assert_eq!(sent, [vec![None], said(&["old", "older"])].concat(), "not again and again");
}

#[tokio::test]
async fn with_nothing_better_the_refusal_stands() {
    let (asked, sent) = ask(&Tokens::new(&["narrow"]), Vec::new()).await;
    let challenge = Some("Bearer error=\"insufficient_scope\"".to_owned());
    assert_eq!(asked.unwrap_err(), Error::SignInNeeded { status: 403, challenge });
    assert_eq!(sent, said(&["narrow"]));

    let tokens = Tokens::new(&["forbidden"]);
    let (asked, _) = ask(&tokens, Vec::new()).await;
    assert!(asked.is_err());
    assert!(tokens.refused.lock().unwrap().is_empty(), "a 403 without a challenge is about something else");

    let (asked, sent) = ask(&Tokens::new(&["down"]), Vec::new()).await;
    assert_eq!(asked.unwrap_err(), Error::Closed, "as who we are could not be told");
    assert!(sent.is_empty());
}

#[tokio::test]
async fn a_configured_header_stands_where_nothing_else_is_said() {
    let header = || vec![(HeaderName::from_static("authorization"), HeaderValue::from_static("good"))];
    let (asked, _) = ask(&Tokens::new(&[]), header()).await;
    asked.expect("the configured one is sent");
    let (asked, sent) = ask(&Tokens::new(&["other"]), header()).await;
    assert!(asked.is_err());
    assert_eq!(sent, said(&["other"]), "one at a time");
}
