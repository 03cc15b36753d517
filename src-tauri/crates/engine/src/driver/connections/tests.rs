//! What a connection lives as long as, and what it is made of.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that fails may panic")]

use std::{future::poll_fn, pin::pin, task::Poll};

use signalbox_demo::{Demo, HttpServer, Wires};
use signalbox_store::Store;
use tempfile::TempDir;
use tokio::sync::mpsc;

use super::*;
use crate::{Follow, Tuning, driver::Loaded};

const SERVER: ServerId = ServerId(1);

struct Rig {
    dir: TempDir,
    demo: Demo,
    line: Line,
    connections: Connections,
    heard: mpsc::Receiver<Loaded>,
    _http: HttpServer,
    _store: Store,
}

fn authority() -> String {
    let key = rcgen::KeyPair::generate().unwrap();
    let mut params = rcgen::CertificateParams::new(Vec::new()).unwrap();
    params.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
    params.self_signed(&key).unwrap().pem()
}

impl Rig {
    async fn new(wires: Wires) -> Self {
        let demo = Demo::builder().wires(wires).build().unwrap();
        let http = demo.serve_http("127.0.0.1:0".parse().unwrap()).await.unwrap();
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("ca.pem");
        std::fs::write(&file, authority()).unwrap();
        let ca_certificates = vec![file.to_str().unwrap().to_owned()];
        let line = Line {
            server: SERVER,
            transport: Arc::new(Transport::Http { url: http.url(), headers: Vec::new() }),
            access: Arc::new(Access { ca_certificates, ..Access::default() }),
            wire: None,
            session: None,
            message_limit: Tuning::default().message_limit,
        };
        let (inputs, heard) = Inputs::new();
        let options = EngineOptions {
            follow: Follow::All,
            tuning: Tuning::default(),
            version: "0".to_owned(),
            programs: None,
        };
        let store = Store::open(&dir.path().join("store")).unwrap();
        let (secrets, reads) = (Arc::new(Secrets::new("test")), store.reads());
        let connections = Connections::new(secrets, reads, options, inputs);
        Self { dir, demo, line, connections, heard, _http: http, _store: store }
    }
}

#[tokio::test]
async fn a_client_that_is_taken_out_while_it_is_made_connects_nowhere() {
    let mut rig = Rig::new(Wires::Both).await;
    let connecting = rig.connections.connect(&rig.line);
    let mut connecting = pin!(connecting);
    let begun = poll_fn(|cx| Poll::Ready(connecting.as_mut().poll(cx).is_pending())).await;
    assert!(begun, "its files are being read");
    if let Some(client) = rig.connections.take(SERVER) {
        client.close().await;
    }
    let error = connecting.await.err();
    assert_eq!(error, Some(mcp::Error::Closed), "nobody else would close it");
    assert!(rig.heard.try_recv().is_err(), "and nobody hears of it");
}

#[tokio::test]
async fn a_connection_whose_server_was_taken_out_does_not_come_to_stand() {
    for (wires, first) in [(Wires::Both, "server/discover"), (Wires::Legacy, "initialize")] {
        let mut rig = Rig::new(wires).await;
        let gate = rig.demo.faults().hold(first);
        let connecting = {
            let (connections, line) = (rig.connections.clone(), rig.line.clone());
            tokio::spawn(async move { connections.connect(&line).await.err() })
        };
        gate.reached(1).await;
        // Whoever takes it out closes it; this one is slow to.
        let _client = rig.connections.take(SERVER).expect("it was made");
        gate.open();
        assert_eq!(connecting.await.unwrap(), Some(mcp::Error::Closed), "{first}");
        assert!(rig.heard.try_recv().is_err(), "{first}: nobody hears of it");
        assert!(rig.connections.session(SERVER, 1).is_none(), "{first}: and no reply goes out on it");
        let again = rig.connections.connect(&rig.line).await.err();
        assert_eq!(again, None, "{first}: another is made");
    }
}

#[tokio::test]
async fn who_we_are_goes_the_way_that_the_files_say_now() {
    let rig = Rig::new(Wires::Both).await;
    let login = || rig.connections.clients.login(&rig.line);
    let before = login().await.unwrap();
    assert!(Arc::ptr_eq(&before, &login().await.unwrap()), "one account while nothing changes");
    std::fs::write(rig.dir.path().join("ca.pem"), authority()).unwrap();
    assert!(!Arc::ptr_eq(&before, &login().await.unwrap()), "another authority is trusted now");
}

#[cfg(unix)]
#[tokio::test]
async fn a_pipe_among_the_certificates_keeps_nobody_waiting() {
    let rig = Rig::new(Wires::Both).await;
    let file = rig.dir.path().join("ca.pem");
    std::fs::remove_file(&file).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&file).status().unwrap().success());
    let error = rig.connections.connect(&rig.line).await.err();
    let Some(mcp::Error::Unreachable { stage: mcp::Stage::Tls, why, .. }) = &error else {
        panic!("nobody ever writes into it: {error:?}")
    };
    let said = why.to_string();
    assert!(said.contains("ca.pem") && said.contains("regular file"), "{said}");
}
