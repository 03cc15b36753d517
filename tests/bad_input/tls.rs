//! Certificates that are not what they should be: no connection, and what to do about it.

use std::net::SocketAddr;
use std::sync::Arc;

use signalbox_tests::{DemoServer, Machine};
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::{ServerConfig, crypto::aws_lc_rs, pki_types::PrivateKeyDer};

use crate::beside::Beside;

/// A server behind TLS, and the certificate of who vouches for it, in PEM.
struct Encrypted {
    url: String,
    authority: String,
    _demo: DemoServer,
}

/// What its certificate says.
struct Certificate {
    name: &'static str,
    until: i32,
    vouches_for_itself: bool,
}

const SOUND: Certificate = Certificate { name: "localhost", until: 2999, vouches_for_itself: false };

impl Encrypted {
    async fn with(certificate: &Certificate) -> Self {
        let key = rcgen::KeyPair::generate().unwrap();
        let mut authority = rcgen::CertificateParams::new(Vec::new()).unwrap();
        authority.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
        let pem = authority.self_signed(&key).unwrap().pem();
        let issuer = rcgen::Issuer::new(authority, &key);
        let own = rcgen::KeyPair::generate().unwrap();
        let mut leaf = rcgen::CertificateParams::new(vec![certificate.name.to_owned()]).unwrap();
        leaf.not_after = rcgen::date_time_ymd(certificate.until, 1, 1);
        let leaf = match certificate.vouches_for_itself {
            true => leaf.self_signed(&own).unwrap(),
            false => leaf.signed_by(&own, &issuer).unwrap(),
        };
        let config = ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![leaf.der().clone()], PrivateKeyDer::try_from(own.serialize_der()).unwrap())
            .unwrap();
        let demo = DemoServer::start().await;
        let url = listen(TlsAcceptor::from(Arc::new(config)), demo.addr()).await;
        Self { url, authority: pem, _demo: demo }
    }
}

async fn listen(acceptor: TlsAcceptor, behind: SocketAddr) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let acceptor = acceptor.clone();
            tokio::spawn(async move {
                // Whoever does not trust us leaves here.
                let Ok(mut outer) = acceptor.accept(stream).await else { return };
                let mut inner = TcpStream::connect(behind).await.unwrap();
                let _ = copy_bidirectional(&mut outer, &mut inner).await;
            });
        }
    });
    format!("https://localhost:{port}/mcp")
}

/// Trusts the authority in this file.
async fn trust(machine: &Machine, file: &str) {
    let _ = machine.run(&["server", "edit", "odd", "--ca", file]).await.ok();
}

#[tokio::test]
async fn nobody_vouches_for_it_until_a_person_does() {
    let server = Encrypted::with(&SOUND).await;
    let beside = Beside::with(&["--url", &server.url]).await;
    let hints = ["authority's certificate (CA)", "UnknownIssuer"];
    beside.fails(4, "unreachable", &hints).await;
    let file = beside.machine.file("ca.pem", &server.authority);
    trust(&beside.machine, &file).await;
    let _ = beside.check().await.ok();
    let _ = beside.machine.run(&["call", "odd", "build"]).await.ok();
    beside.ends().await;
}

#[tokio::test]
async fn certificates_that_do_not_hold() {
    let cases = [
        (Certificate { vouches_for_itself: true, ..SOUND }, "authority's certificate (CA)"),
        (Certificate { until: 2020, ..SOUND }, "has expired"),
        (Certificate { name: "example.org", ..SOUND }, "another name"),
    ];
    for (certificate, hint) in cases {
        let server = Encrypted::with(&certificate).await;
        let beside = Beside::with(&["--url", &server.url]).await;
        trust(&beside.machine, &beside.machine.file("ca.pem", &server.authority)).await;
        beside.fails(4, "unreachable", &[hint]).await;
    }
}

#[tokio::test]
async fn a_server_that_speaks_no_tls() {
    let demo = DemoServer::start().await;
    let beside = Beside::with(&["--url", &demo.url().replace("http:", "https:")]).await;
    beside.fails(4, "unreachable", &["http://"]).await;
}

#[tokio::test]
async fn a_file_that_holds_no_authority() {
    let server = Encrypted::with(&SOUND).await;
    let beside = Beside::with(&["--url", &server.url]).await;
    let notes = beside.machine.file("notes.pem", "these are my notes");
    let missing = beside.machine.path("missing.pem").into_os_string().into_string().unwrap();
    for file in [&notes, &missing] {
        trust(&beside.machine, file).await;
        beside.fails(4, "unreachable", &[file]).await;
    }
    trust(&beside.machine, &beside.machine.file("ca.pem", &server.authority)).await;
    let _ = beside.check().await.ok();
}

#[tokio::test]
async fn a_machine_without_authorities_reaches_what_is_not_encrypted() {
    let server = Encrypted::with(&SOUND).await;
    let machine = Machine::new().with("SSL_CERT_FILE", "/nonexistent").with("SSL_CERT_DIR", "/nonexistent");
    let beside = Beside::on(machine, &["--url", &server.url]).await;
    beside.fails(4, "unreachable", &["No CA certificates"]).await;
}
