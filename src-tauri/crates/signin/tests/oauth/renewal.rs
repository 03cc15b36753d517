//! Tokens that expire, and authorization servers that take them back.

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::json;
use signalbox_demo::authority::Authority;
use signalbox_signin::oauth::{OAuthSettings, SignInError, WhySignIn};
use tokio::{sync::Semaphore, time};

use crate::rig::{Rig, account, value};

async fn expiring() -> Rig {
    let rig = Rig::start().await;
    rig.authority.script().expires_in = 1;
    rig.sign_in().await.unwrap();
    rig
}

fn needed(error: &SignInError) -> &WhySignIn {
    match error {
        SignInError::Needed { why } => why,
        other => panic!("a person would have to sign in, but: {other}"),
    }
}

#[tokio::test]
async fn a_token_is_renewed_before_it_expires_with_the_latest_refresh_token() {
    let rig = expiring().await;
    assert_eq!(rig.token().await.unwrap(), "acce55-2");
    let again = account(&rig.secrets, rig.authority.url("/mcp"), OAuthSettings::default());
    assert_eq!(again.token().await.unwrap().unwrap().expose(), "acce55-3", "what was rotated was kept");
    let forms = rig.authority.asked("/token");
    let used: Vec<_> = forms[1..].iter().map(|form| form["refresh_token"].as_str()).collect();
    assert_eq!(used, ["refre5h-1", "refre5h-2"]);
    assert!(
        forms.iter().all(|form| form["resource"] == rig.authority.url("/mcp").as_str()),
        "in every request"
    );
}

#[tokio::test]
async fn many_who_ask_at_once_share_one_renewal() {
    let rig = expiring().await;
    rig.authority.script().expires_in = 3600;
    let tokens = join_all((0..50).map(|_| rig.token())).await;
    assert!(tokens.iter().all(|token| token.as_ref().unwrap() == "acce55-2"), "{tokens:?}");
    assert_eq!(rig.authority.asked("/token").len(), 2, "the code's exchange and one renewal");
}

#[tokio::test]
async fn a_renewal_goes_on_when_nobody_waits_for_it() {
    let rig = expiring().await;
    rig.authority.script().expires_in = 3600;
    let held = Semaphore::MAX_PERMITS - 1;
    rig.authority.permits.forget_permits(held);
    let account = rig.account.clone();
    let asking = tokio::spawn(async move { account.token().await });
    while rig.authority.asked("/token").len() < 2 {
        tokio::task::yield_now().await;
    }
    asking.abort();
    assert!(asking.await.unwrap_err().is_cancelled());
    rig.authority.permits.add_permits(10);
    assert_eq!(rig.token().await.unwrap(), "acce55-2", "the rotated refresh token was not lost");
    assert_eq!(rig.authority.asked("/token").len(), 2);
}

#[tokio::test]
async fn a_revoked_sign_in_needs_a_person_once_and_for_all() {
    let rig = expiring().await;
    rig.authority.script().token_error = Some((400, json!({"error": "invalid_grant"})));
    let error = rig.token().await.unwrap_err();
    assert_eq!(*needed(&error), WhySignIn::Revoked { code: "invalid_grant".into() });
    let requests = rig.authority.requests();
    assert_eq!(*needed(&rig.token().await.unwrap_err()), WhySignIn::Expired);
    let again = account(&rig.secrets, rig.authority.url("/mcp"), OAuthSettings::default());
    assert_eq!(*needed(&again.token().await.unwrap_err()), WhySignIn::Expired, "after a restart, too");
    assert!(again.standing().await.unwrap().unwrap().over);
    assert_eq!(rig.authority.requests(), requests, "nobody is asked again for what is over");

    rig.authority.script().token_error = None;
    rig.authority.script().expires_in = 3600;
    rig.sign_in().await.unwrap();
    assert_eq!(rig.token().await.unwrap(), "acce55-2", "a new sign-in ends it");
}

#[tokio::test]
async fn without_a_refresh_token_an_expired_sign_in_needs_a_person() {
    let rig = Rig::start().await;
    rig.authority.script().expires_in = 1;
    rig.authority.script().refresh_tokens = false;
    rig.sign_in().await.unwrap();
    assert_eq!(*needed(&rig.token().await.unwrap_err()), WhySignIn::Expired);
}

#[tokio::test]
async fn an_authorization_server_that_is_down_is_left_alone_for_a_while() {
    let rig = expiring().await;
    rig.authority.script().token_error = Some((503, json!({})));
    let error = rig.token().await.unwrap_err();
    assert!(matches!(error, SignInError::Unreachable { .. }), "nobody has to sign in for an outage: {error}");
    let requests = rig.authority.requests();
    assert!(matches!(rig.token().await.unwrap_err(), SignInError::Unreachable { .. }));
    assert_eq!(rig.authority.requests(), requests, "not asked again at once");

    rig.authority.script().token_error = None;
    time::pause();
    time::advance(Duration::from_secs(6)).await;
    time::resume();
    assert_eq!(rig.token().await.unwrap(), "acce55-2", "the sign-in has outlived the outage");
}

#[tokio::test]
async fn a_refused_token_is_renewed_once() {
    let rig = Rig::start().await;
    let error = rig.account.renew(None, None).await.unwrap_err();
    assert_eq!(*needed(&error), WhySignIn::Never);
    rig.sign_in().await.unwrap();
    let used = value("acce55-1");
    let error = rig.account.renew(Some(&used), None).await.unwrap_err();
    assert_eq!(*needed(&error), WhySignIn::Rejected, "one that new is not refused for its age");

    time::pause();
    time::advance(Duration::from_secs(31)).await;
    time::resume();
    let renewed = rig.account.renew(Some(&used), None).await.unwrap();
    assert_eq!(renewed.expose(), "acce55-2");
    assert_eq!(
        rig.account.renew(Some(&used), None).await.unwrap(),
        renewed,
        "who comes late gets what there is"
    );
    assert_eq!(rig.authority.asked("/token").len(), 2);
}

#[tokio::test]
async fn another_authorization_server_gets_nothing_of_what_the_first_gave() {
    let rig = expiring().await;
    let other = Authority::start().await.unwrap();
    // The server comes to rely on another one: only that one's tokens count from now on.
    rig.authority.script().servers = Some(json!([other.url("/").as_str().trim_end_matches('/')]));
    let error = rig.token().await.unwrap_err();
    assert!(matches!(needed(&error), WhySignIn::Moved { .. }), "{error}");
    assert!(other.asked("/token").is_empty(), "no refresh token went there");
}
