//! Servers that lie, flood or lead elsewhere.

use serde_json::json;
use signalbox_demo::authority::Authority;
use signalbox_signin::oauth::{Distrust, OAuthSettings, SignInError};
use tokio::{net::TcpListener, time};
use url::Url;

use crate::rig::{Rig, account};

async fn distrust(rig: &Rig) -> Distrust {
    match rig.sign_in().await {
        Err(SignInError::Distrusted(distrust)) => distrust,
        other => panic!("the sign-in should have been given up: {other:?}"),
    }
}

#[tokio::test]
async fn an_authorization_server_that_lies_about_who_it_is_is_refused() {
    let rig = Rig::start().await;
    rig.authority.script().issuer = Some("https://other.example".into());
    let lie = distrust(&rig).await;
    assert!(
        matches!(&lie, Distrust::Issuer { received, .. } if received == "https://other.example"),
        "{lie}"
    );
    assert!(rig.authority.asked("/register").is_empty(), "nothing was said to it");

    rig.authority.script().issuer = None;
    rig.authority.script().iss = Some("https://other.example".into());
    let lie = distrust(&rig).await;
    assert!(
        matches!(&lie, Distrust::Issuer { received, .. } if received == "https://other.example"),
        "{lie}"
    );
    rig.authority.script().denial = Some("error=access_denied");
    assert!(matches!(distrust(&rig).await, Distrust::Issuer { .. }), "nor does its refusal count");
    assert!(rig.authority.asked("/token").is_empty(), "no code was exchanged");

    rig.authority.script().denial = None;
    rig.authority.script().iss = None;
    rig.authority.script().metadata = json!({"authorization_response_iss_parameter_supported": true});
    assert!(matches!(distrust(&rig).await, Distrust::NoIssuer { .. }), "it promised to say who it is");
}

#[tokio::test]
async fn without_s256_nobody_signs_in() {
    let rig = Rig::start().await;
    for methods in [None, Some(vec![]), Some(vec!["plain"])] {
        rig.authority.script().pkce = methods;
        assert_eq!(distrust(&rig).await, Distrust::NoPkce);
    }
    assert!(rig.authority.asked("/register").is_empty(), "nobody registers there for nothing");
}

#[tokio::test]
async fn a_token_that_fits_no_header_is_not_taken() {
    let rig = Rig::start().await;
    rig.authority.script().token_bytes = 16 * 1024 + 1;
    let error = rig.sign_in().await.unwrap_err();
    assert!(error.to_string().contains("a token that fits no header"), "{error}");
    rig.authority.script().token_bytes = 16 * 1024;
    rig.sign_in().await.unwrap();
    assert_eq!(rig.token().await.unwrap().len(), 16 * 1024);
}

#[tokio::test]
async fn documents_are_bounded() {
    let rig = Rig::start().await;
    rig.authority.script().padding = 300 * 1024;
    assert!(matches!(distrust(&rig).await, Distrust::TooMuch { .. }));
    rig.authority.script().padding = 100 * 1024;
    rig.sign_in().await.expect("large is not too large");
}

#[tokio::test]
async fn a_list_of_servers_without_end_is_left() {
    let rig = Rig::start().await;
    let other = Authority::start().await.unwrap();
    other.script().bare = true;
    let servers: Vec<_> = (0..5000).map(|n| other.url(&format!("/{n}"))).collect();
    rig.authority.script().servers = Some(json!(servers));
    assert!(matches!(distrust(&rig).await, Distrust::TooMuch { .. }));
    assert!(other.requests() <= 40, "{} requests", other.requests());
}

#[tokio::test]
async fn no_redirect_to_another_origin_is_followed() {
    let rig = Rig::start().await;
    let other = Authority::start().await.unwrap();
    rig.authority.script().redirect = Some(other.url("/.well-known/oauth-protected-resource/mcp").into());
    assert!(matches!(distrust(&rig).await, Distrust::Redirected { .. }));
    rig.authority.script().redirect = None;
    for endpoint in ["registration_endpoint", "token_endpoint"] {
        rig.authority.script().metadata =
            json!({ endpoint: rig.authority.url(&format!("/away?to={}", other.url("/token"))) });
        assert!(matches!(distrust(&rig).await, Distrust::Redirected { .. }), "{endpoint}");
    }
    assert_eq!(other.requests(), 0);
}

#[tokio::test]
async fn nothing_goes_over_the_network_in_the_clear() {
    let rig = Rig::start().await;
    for address in [
        "http://example.org/x",
        "http://localhost.example/x",
        "http://127.0.0.1.example/x",
        "ftp://127.0.0.1/x",
        "javascript:alert(1)",
        "http://u:p@127.0.0.1/x",
    ] {
        for endpoint in
            ["authorization_endpoint", "token_endpoint", "registration_endpoint", "revocation_endpoint"]
        {
            rig.authority.script().metadata = json!({ endpoint: address });
            let found = distrust(&rig).await;
            assert!(matches!(&found, Distrust::Insecure { .. }), "{endpoint} {address}: {found}");
        }
    }
    let plain =
        account(&rig.secrets, Url::parse("http://example.org/mcp").unwrap(), OAuthSettings::default());
    let error = plain.sign_in(None, |_| panic!("no browser")).await.unwrap_err();
    assert!(matches!(&error, SignInError::Distrusted(Distrust::Insecure { .. })), "{error}");
}

#[tokio::test]
async fn metadata_of_another_resource_is_refused() {
    let rig = Rig::start().await;
    rig.authority.script().resource = Some("https://other.example/mcp".into());
    assert!(matches!(distrust(&rig).await, Distrust::Resource { .. }));
}

#[tokio::test]
async fn a_server_without_metadata_offers_no_sign_in() {
    let rig = Rig::start().await;
    let bare = account(&rig.secrets, rig.authority.url("/bare"), OAuthSettings::default());
    rig.authority.script().bare = true;
    let error = bare.sign_in(None, |_| panic!("no browser")).await.unwrap_err();
    assert!(matches!(error, SignInError::NotOffered), "no address is guessed: {error}");
}

#[tokio::test]
async fn answers_that_are_no_tokens_are_said_so_and_not_quoted() {
    let rig = Rig::start().await;
    let answers = [
        json!({"access_token": "s3cret", "token_type": "dpop"}),
        json!({"access_token": "s3cret\n", "token_type": "bearer"}),
        json!({"access_token": "", "token_type": "bearer"}),
        json!({"access_token": ["s3cret"], "token_type": "bearer"}),
        json!(["s3cret"]),
    ];
    for answer in answers {
        rig.authority.script().token_error = Some((200, answer.clone()));
        let error = rig.sign_in().await.unwrap_err();
        assert!(matches!(error, SignInError::Malformed { .. }), "{answer}: {error}");
        assert!(!format!("{error} {error:?}").contains("s3cret"), "{error:?}");
    }
    assert_eq!(rig.account.token().await.unwrap(), None, "nobody is signed in by that");
}

#[tokio::test]
async fn an_authorization_server_that_is_down_is_said_so() {
    let rig = Rig::start().await;
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    rig.authority.script().servers = Some(json!([format!("http://{nobody}")]));
    let error = rig.sign_in().await.unwrap_err();
    assert!(matches!(error, SignInError::Unreachable { .. }), "{error}");
}

#[tokio::test]
async fn a_server_that_never_answers_is_given_up() {
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let rig = Rig::start().await;
    let url = Url::parse(&format!("http://{}/mcp", silent.local_addr().unwrap())).unwrap();
    let account = account(&rig.secrets, url, OAuthSettings::default());
    // The patience passes at once, since there is nothing else to do.
    time::pause();
    let error = account.sign_in(None, |_| panic!("no browser")).await.unwrap_err();
    assert!(matches!(error, SignInError::Unreachable { .. }), "{error}");
}
