//! Authorization servers that lie, are down or never answer: a clear end, and nobody else is held up.

use serde_json::json;
use signalbox_tests::{DemoServer, text};
use tokio::net::TcpListener;

use super::{
    ECHO,
    site::{Site, browse},
};

#[tokio::test]
async fn one_that_lies_about_who_it_is_gets_nothing() {
    let site = Site::start().await;
    let login = ["server", "login", "demo"];
    site.authority.script().issuer = Some("https://other.example".into());
    let failure = site.machine.run(&login).await.failure(1, "protocol_error");
    let message = text(&failure, "message");
    assert!(message.contains("https://other.example"), "who it claims to be: {failure}");
    assert!(site.authority.asked("/register").is_empty(), "nothing was said to it");

    site.authority.script().issuer = None;
    site.authority.script().iss = Some("https://other.example".into());
    let mut lied_to = site.machine.start(&login);
    let address = lied_to.says("the address", |line| line.starts_with("http")).await;
    browse(&address).await.expect("the browser comes back");
    let failure = lied_to.end().await.failure(1, "protocol_error");
    assert!(text(&failure, "message").contains("https://other.example"), "{failure}");
    assert!(site.authority.asked("/token").is_empty(), "the code was exchanged with nobody");
    let _ = site.machine.run(&ECHO).await.failure(5, "sign_in_needed");
}

#[tokio::test]
async fn one_that_is_down_is_said_so_and_holds_up_nobody() {
    let site = Site::start().await;
    let login = ["server", "login", "demo"];
    let other = DemoServer::start().await;
    let _ = site.machine.add("other", &other.url()).await;
    let nobody = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    site.authority.script().servers = Some(json!([format!("http://{nobody}")]));
    let failure = site.machine.run(&login).await.failure(4, "unreachable");
    assert!(text(&failure, "message").contains("127.0.0.1"), "who does not answer: {failure}");
    assert_eq!(failure["retry"], "later", "{failure}");

    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", silent.local_addr().unwrap());
    site.authority.script().servers = Some(json!([address]));
    let mut waiting = site.machine.start(&["server", "login", "demo", "--timeout", "600"]);
    let (connection, _) = silent.accept().await.unwrap();
    let _ = site.machine.run(&["call", "other", "echo", "--args", r#"{"text":"x"}"#]).await.ok();
    let late = site.machine.run(&["server", "login", "demo", "--timeout", "0.5"]).await;
    let _ = late.failure(8, "timed_out");
    drop((connection, silent));
    let failure = waiting.line().await.expect("it ends by itself");
    assert_ne!(failure["failure"]["code"], "timed_out", "{failure}");
    let _ = waiting.end().await;

    site.authority.script().servers = None;
    let _ = site.sign_in().await.ok();
}

#[tokio::test]
async fn one_that_goes_down_later_signs_nobody_out() {
    let site = Site::start().await;
    site.authority.script().expires_in = 1;
    let _ = site.sign_in().await.ok();
    site.authority.script().token_error = Some((503, json!({})));
    let failure = site.machine.run(&["server", "check", "demo"]).await.failure(4, "unreachable");
    assert!(text(&failure, "message").contains("sign-in"), "what cannot be reached: {failure}");
    site.authority.script().token_error = None;
    assert_eq!(site.authority.asked("/authorize").len(), 1, "nobody has to sign in for an outage");
}
