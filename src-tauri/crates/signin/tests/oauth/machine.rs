//! Machines sign in for themselves.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use serde_json::{Value, json};
use signalbox_model::Secret;
use signalbox_signin::oauth::{
    Algorithm, Challenge, Grant, Machine, OAuthSettings, Proof, Revocation, SignInError, WhySignIn,
};

use crate::rig::Rig;

fn machine(proof: Proof) -> OAuthSettings {
    let grant = Grant::Machine(Machine { client_id: "r0bot".into(), proof });
    OAuthSettings { grant, scopes: vec!["run".into()], ..OAuthSettings::default() }
}

#[tokio::test]
async fn a_machine_gets_a_token_by_its_secret_and_another_when_it_expires() {
    let rig = Rig::with(machine(Proof::Secret(Secret::Env { var: "PATH".into() }))).await;
    rig.authority.script().pkce = None;
    rig.authority.script().expires_in = 1;
    assert_eq!(rig.token().await.unwrap(), "acce55-1");
    rig.authority.script().expires_in = 3600;
    assert_eq!(rig.token().await.unwrap(), "acce55-2");
    assert_eq!(rig.token().await.unwrap(), "acce55-2", "it is good for a while");
    let form = &rig.authority.asked("/token")[0];
    assert_eq!(form["grant_type"], "client_credentials");
    assert_eq!(form["scope"], "run");
    assert!(form["Authorization"].starts_with("Basic "), "{form:?}");
    assert!(rig.authority.asked("/authorize").is_empty(), "no browser is needed");

    rig.account.sign_in(None, |_| panic!("no browser is needed")).await.unwrap();
    assert_eq!(rig.token().await.unwrap(), "acce55-3");
    assert!(matches!(rig.account.sign_out().await.unwrap(), Revocation::NotOffered));
}

#[tokio::test]
async fn a_machine_asks_for_more_when_the_server_wants_more() {
    let rig = Rig::with(machine(Proof::Secret(Secret::Env { var: "PATH".into() }))).await;
    let used = rig.account.token().await.unwrap();
    let challenge = Challenge::parse("Bearer error=insufficient_scope, scope=\"deploy\"").unwrap();
    let wider = rig.account.renew(used.as_ref(), Some(&challenge)).await.unwrap();
    assert_eq!(wider.expose(), "acce55-2");
    assert_eq!(rig.authority.asked("/token")[1]["scope"], "run deploy", "what it had, it keeps");
    let error = rig.account.renew(Some(&wider), Some(&challenge)).await.unwrap_err();
    assert!(
        matches!(error, SignInError::Needed { why: WhySignIn::Rejected }),
        "it has got that already: {error}"
    );
    assert_eq!(rig.authority.asked("/token").len(), 2, "and does not ask for it again and again");
}

#[tokio::test]
async fn a_machine_signs_with_its_key() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("key.pem");
    let key = rcgen::KeyPair::generate_for(&rcgen::PKCS_ECDSA_P256_SHA256).unwrap();
    std::fs::write(&file, key.serialize_pem()).unwrap();
    let secret = Secret::File { path: file.to_str().unwrap().to_owned() };
    let rig =
        Rig::with(machine(Proof::PrivateKey { key: secret.clone(), algorithm: Algorithm::Es256 })).await;
    assert_eq!(rig.token().await.unwrap(), "acce55-1");
    let form = &rig.authority.asked("/token")[0];
    let parts: Vec<_> = form["client_assertion"].split('.').collect();
    let read =
        |part: &str| -> Value { serde_json::from_slice(&URL_SAFE_NO_PAD.decode(part).unwrap()).unwrap() };
    assert_eq!(read(parts[0])["alg"], "ES256");
    let claims = read(parts[1]);
    assert_eq!((&claims["iss"], &claims["sub"]), (&json!("r0bot"), &json!("r0bot")));
    assert_eq!(claims["aud"], rig.authority.url("/").as_str().trim_end_matches('/'), "for this server only");

    std::fs::write(&file, "no key").unwrap();
    let rig = Rig::with(machine(Proof::PrivateKey { key: secret, algorithm: Algorithm::Es256 })).await;
    let error = rig.token().await.unwrap_err();
    assert!(matches!(error, SignInError::Misconfigured(_)), "{error}");
}

#[tokio::test]
async fn a_missing_secret_is_said_so_before_anything_is_sent() {
    let secret = Secret::Env { var: "SIGNALBOX_NOT_SET".into() };
    let rig = Rig::with(machine(Proof::Secret(secret))).await;
    let error = rig.token().await.unwrap_err();
    assert!(matches!(error, SignInError::Secret(_)), "{error}");
    assert!(rig.authority.asked("/token").is_empty());
}

#[tokio::test]
async fn a_refused_machine_is_told_why() {
    let rig = Rig::with(machine(Proof::Secret(Secret::Env { var: "PATH".into() }))).await;
    rig.authority.script().token_error = Some((401, json!({"error": "invalid_client"})));
    let error = rig.token().await.unwrap_err();
    assert!(matches!(&error, SignInError::Refused { code, .. } if code == "invalid_client"), "{error}");
}
