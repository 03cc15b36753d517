//! The way to a server: its certificates and the proxy before it.

use std::sync::Arc;

use signalbox_mcp::{Client, Endpoint, Error, Network, NetworkError, Options, Stage};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpListener,
};
use tokio_rustls::{
    TlsAcceptor,
    rustls::{ServerConfig, crypto::aws_lc_rs, pki_types::PrivateKeyDer},
};
use url::Url;

use crate::support::{Server, ok_json, response};

const DISCOVERED: &str =
    r#"{"supportedVersions":["2026-07-28"],"capabilities":{},"serverInfo":{"name":"x","version":"1"}}"#;

fn client(url: &Url, network: Network) -> Client {
    let options = Options { network, ..Options::default() };
    Client::new(Endpoint::Http { url: url.clone(), headers: Vec::new() }, options)
}

/// An authority of our own, and a server for `localhost` that it vouches for.
async fn private_server() -> (Vec<u8>, Url) {
    let key = rcgen::KeyPair::generate().unwrap();
    let mut params = rcgen::CertificateParams::new(Vec::new()).unwrap();
    params.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
    let authority = params.self_signed(&key).unwrap();
    let issuer = rcgen::Issuer::new(params, &key);
    let own = rcgen::KeyPair::generate().unwrap();
    let leaf = rcgen::CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
    let leaf = leaf.signed_by(&own, &issuer).unwrap();

    let config = ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![leaf.der().clone()], PrivateKeyDer::try_from(own.serialize_der()).unwrap())
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url =
        Url::parse(&format!("https://localhost:{}/mcp", listener.local_addr().unwrap().port())).unwrap();
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let acceptor = acceptor.clone();
            tokio::spawn(async move {
                // Whoever does not trust us leaves here.
                let Ok(mut stream) = acceptor.accept(stream).await else { return };
                let mut request = vec![0; 64 * 1024];
                let read = stream.read(&mut request).await.unwrap_or_default();
                assert!(request[..read].starts_with(b"POST /mcp "), "one request in one record");
                let body = format!(r#"{{"jsonrpc":"2.0","id":1,"result":{DISCOVERED}}}"#);
                let _ = stream.write_all(&ok_json(&body)).await;
                let _ = stream.shutdown().await;
            });
        }
    });
    (authority.pem().into_bytes(), url)
}

#[tokio::test]
async fn a_private_authority_is_trusted_where_a_person_says_so() {
    let (authority, url) = private_server().await;
    let error = client(&url, Network::default()).discover().await.unwrap_err();
    let Error::Unreachable { stage: Stage::Tls, why, .. } = &error else {
        panic!("nobody vouches for it: {error:?}")
    };
    assert!(why.to_string().contains("authority's certificate"), "what to do: {why}");
    let network = Network::new(vec![authority], None).unwrap();
    client(&url, network).discover().await.expect("its authority was given");
    let (other, _) = private_server().await;
    let network = Network::new(vec![other], None).unwrap();
    let error = client(&url, network).discover().await.unwrap_err();
    assert!(
        matches!(error, Error::Unreachable { stage: Stage::Tls, .. }),
        "another vouches for others: {error:?}"
    );
}

#[tokio::test]
async fn requests_go_through_the_proxy_but_none_to_this_machine_does() {
    let mut proxy = Server::start(|request| ok_json(&request.result(DISCOVERED))).await;
    let mut with_name = proxy.url.clone();
    with_name.set_username("me").unwrap();
    with_name.set_password(Some("pa55")).unwrap();
    let network = Network::new(Vec::new(), Some(with_name)).unwrap();
    let far = Url::parse("http://server.invalid/mcp").unwrap();
    client(&far, network.clone())
        .discover()
        .await
        .expect("the proxy answers for a name that does not resolve");
    let received = proxy.received().remove(0);
    assert!(received.line.starts_with("POST http://server.invalid/mcp "), "{}", received.line);
    assert_eq!(received.headers["proxy-authorization"], "Basic bWU6cGE1NQ==");

    let mut near = Server::start(|request| ok_json(&request.result(DISCOVERED))).await;
    client(&near.url, network.clone()).discover().await.unwrap();
    assert!(near.received()[0].line.starts_with("POST /mcp "), "asked directly");
    assert!(!format!("{network:?}").contains("pa55"), "{network:?}");
}

#[tokio::test]
async fn a_proxy_that_leads_nowhere_is_named_without_its_password() {
    let closed = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let refusing = Server::start(|_| response(502, "", "")).await;
    let refusing = refusing.url.port().unwrap();
    for (proxy, target) in [
        (format!("http://me:pa55@{closed}"), "http://server.invalid/mcp"),
        ("http://me:pa55@proxy.invalid:3128".to_owned(), "http://server.invalid/mcp"),
        (format!("http://me:pa55@{closed}"), "https://server.invalid/mcp"),
        (format!("http://me:pa55@127.0.0.1:{refusing}"), "https://server.invalid/mcp"),
    ] {
        let place = proxy.split('@').nth(1).unwrap().to_owned();
        let network = Network::new(Vec::new(), proxy.parse().ok()).unwrap();
        let error = client(&target.parse().unwrap(), network).discover().await.unwrap_err();
        let Error::Unreachable { stage: Stage::Proxy, why, .. } = &error else {
            panic!("{target} through {place}: {error:?}")
        };
        assert!(why.to_string().contains(&place), "{why}");
        assert!(!why.to_string().contains("pa55"), "{why}");
    }
}

#[test]
fn what_is_no_way_is_refused() {
    for pem in [&b""[..], b"no certificate", b"-----BEGIN CERTIFICATE-----\n%%%\n-----END CERTIFICATE-----\n"]
    {
        let refused = Network::new(vec![pem.to_vec()], None);
        assert_eq!(refused.unwrap_err(), NetworkError::Certificates { index: 0 });
    }
    for proxy in ["ftp://proxy.example", "file:///proxy", "mailto:proxy@example.org"] {
        let refused = Network::new(Vec::new(), Some(Url::parse(proxy).unwrap()));
        assert_eq!(refused.unwrap_err(), NetworkError::Proxy, "{proxy}");
    }
}
