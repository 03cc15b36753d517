//! An authority of one's own that vouches for a server.
#![allow(clippy::unwrap_used, reason = "a test helper that fails fails its test")]

use std::sync::Arc;

use signalbox_engine::Intent;
use signalbox_model::{Health, Transport};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
};
use tokio_rustls::{
    TlsAcceptor,
    rustls::{ServerConfig, crypto::aws_lc_rs, pki_types::PrivateKeyDer},
    server::TlsStream,
};

use crate::rig::{Rig, SERVER, server};

const DISCOVERED: &str =
    r#"{"supportedVersions":["2026-07-28"],"capabilities":{},"serverInfo":{"name":"x","version":"1"}}"#;

fn authority() -> (rcgen::CertificateParams, rcgen::KeyPair, String) {
    let key = rcgen::KeyPair::generate().unwrap();
    let mut params = rcgen::CertificateParams::new(Vec::new()).unwrap();
    params.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
    let pem = params.self_signed(&key).unwrap().pem();
    (params, key, pem)
}

/// Says to every request what it is.
async fn answer(mut stream: TlsStream<TcpStream>) -> Option<()> {
    let (mut request, mut part) = (Vec::new(), [0; 4096]);
    let id = loop {
        let read = stream.read(&mut part).await.ok().filter(|read| *read > 0)?;
        request.extend_from_slice(part.get(..read)?);
        let text = std::str::from_utf8(&request).ok()?;
        let body = text.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        if let Ok(body) = serde_json::from_str::<serde_json::Value>(body) {
            break body["id"].clone();
        }
    };
    let body = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{DISCOVERED}}}"#);
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length";
    stream.write_all(format!("{head}: {}\r\n\r\n{body}", body.len()).as_bytes()).await.ok()?;
    stream.shutdown().await.ok()
}

/// A server for `localhost`, and the certificate of the authority that vouches for it.
async fn private_server() -> (String, String) {
    let (params, key, pem) = authority();
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
    let url = format!("https://localhost:{}/mcp", listener.local_addr().unwrap().port());
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let accepting = acceptor.accept(stream);
            // Whoever does not trust us leaves here.
            tokio::spawn(async move { answer(accepting.await.ok()?).await });
        }
    });
    (url, pem)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_of_authorities_that_is_mended_in_place_is_read_again() {
    let rig = Rig::new().await;
    let (url, pem) = private_server().await;
    let file = rig.dir.path().join("ca.pem");
    std::fs::write(&file, authority().2).unwrap();
    let mut changed = server(Transport::Http { url, headers: Vec::new() });
    changed.id = SERVER;
    changed.access.ca_certificates = vec![file.to_str().unwrap().to_owned()];
    rig.wish(Intent::PutServer(changed)).await;
    for _ in 0..2 {
        rig.wish(Intent::Check(SERVER)).await;
        let health = rig.health().await;
        assert!(matches!(health, Health::Unreachable { .. }), "another vouches for others: {health:?}");
    }
    std::fs::write(&file, pem).unwrap();
    rig.wish(Intent::Check(SERVER)).await;
    let health = rig.health().await;
    assert!(matches!(health, Health::Ok { .. }), "its authority is in the file now: {health:?}");
}
