//! An account behind a connection: what a host puts between the two crates.

use std::sync::Arc;

use http::HeaderValue;
use serde_json::json;
use signalbox_mcp::{Authorization, Authorize, Client, Endpoint, Error, Options, Stage};
use signalbox_signin::{
    SecretValue,
    oauth::{Account, Challenge, SignInError},
};

use crate::rig::Rig;

struct SignedIn(Account);

impl Authorize for SignedIn {
    fn authorization(&self) -> Authorization<'_> {
        Box::pin(async { said(self.0.token().await) })
    }

    fn better<'a>(&'a self, used: Option<&'a HeaderValue>, challenge: Option<&'a str>) -> Authorization<'a> {
        Box::pin(async move {
            let used = used.and_then(SecretValue::of_bearer);
            let challenge = challenge.and_then(Challenge::parse);
            said(self.0.renew(used.as_ref(), challenge.as_ref()).await.map(Some))
        })
    }
}

/// What only a person can help with is left to the server: it refuses, and says what it wants.
fn said(token: Result<Option<SecretValue>, SignInError>) -> Result<Option<HeaderValue>, Error> {
    match token {
        Ok(token) => Ok(token.as_ref().and_then(SecretValue::bearer)),
        Err(SignInError::Unreachable { .. }) => Err(unreachable(Stage::Connect)),
        Err(SignInError::Secret(_)) => Err(unreachable(Stage::Keychain)),
        Err(_) => Ok(None),
    }
}

fn unreachable(stage: Stage) -> Error {
    Error::Unreachable { stage, why: "the sign-in".into(), retry_after: None }
}

fn client(rig: &Rig) -> Client {
    let endpoint = Endpoint::Http { url: rig.authority.url("/mcp"), headers: Vec::new() };
    let client = Client::new(endpoint, Options::default());
    client.authorize_with(Arc::new(SignedIn(rig.account.clone())));
    client
}

/// What was said at the door, in order.
fn shown(rig: &Rig) -> Vec<Option<String>> {
    let asked = rig.authority.asked("/mcp").into_iter().filter(|asked| asked.contains_key("method"));
    asked.map(|mut asked| asked.remove("Authorization")).collect()
}

fn bearer(token: &str) -> Option<String> {
    Some(format!("Bearer {token}"))
}

#[tokio::test]
async fn a_connection_goes_on_by_itself_after_a_sign_in() {
    let rig = Rig::start().await;
    let client = client(&rig);
    let Err(Error::SignInNeeded { status: 401, challenge: Some(challenge) }) = client.discover().await else {
        panic!("nobody has signed in yet");
    };
    let challenge = Challenge::parse(&challenge).unwrap();
    assert!(challenge.resource_metadata.is_some(), "the error carries all that a sign-in needs");
    rig.sign_in_with(Some(&challenge)).await.unwrap();
    client.discover().await.expect("the same client gets in now");
    assert_eq!(shown(&rig), [None, bearer("acce55-1")]);
}

#[tokio::test]
async fn an_expired_token_is_replaced_on_the_way_and_an_outage_is_no_sign_out() {
    let rig = Rig::start().await;
    rig.authority.script().expires_in = 1;
    rig.sign_in().await.unwrap();
    let client = client(&rig);
    rig.authority.script().token_error = Some((503, json!({})));
    let error = client.discover().await.unwrap_err();
    assert!(matches!(error, Error::Unreachable { .. }), "nobody has to sign in for an outage: {error:?}");
    assert_eq!(shown(&rig), [], "and nothing is sent without");

    let rig = Rig::start().await;
    rig.authority.script().expires_in = 1;
    rig.sign_in().await.unwrap();
    rig.authority.script().expires_in = 3600;
    self::client(&rig).discover().await.unwrap();
    assert_eq!(shown(&rig), [bearer("acce55-2")], "renewed before it was refused");
}

#[tokio::test]
async fn a_revoked_sign_in_is_a_refusal() {
    let rig = Rig::start().await;
    rig.authority.script().expires_in = 1;
    rig.sign_in().await.unwrap();
    rig.authority.script().token_error = Some((400, json!({"error": "invalid_grant"})));
    let error = client(&rig).discover().await.unwrap_err();
    assert!(matches!(error, Error::SignInNeeded { status: 401, .. }), "{error:?}");
}
