//! One server that takes everything and answers nothing, beside one that works.

use std::time::Duration;

use signalbox_engine::{Granted, Intent};
use signalbox_model::{Health, Outcome, Transport};

use crate::rig::{Rig, SERVER, json, patiently, server};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_never_answers_delays_no_other() {
    let rig = Rig::new().await;
    // More tasks than it has permits, so that all of them are held.
    let mut held = Vec::new();
    for _ in 0..12 {
        let call = rig.call("forever", "{}").await;
        rig.handle(call).await;
        held.push(call);
    }
    let gate = rig.demo.faults().hold("*");
    patiently(gate.reached(8)).await;
    // Calls, checks and wishes to cancel are held as well.
    for call in &held {
        rig.cancel(*call).await;
    }
    for _ in 0..40 {
        rig.call("echo", r#"{"text":"x"}"#).await;
    }
    let check = {
        let engine = rig.engine.clone();
        tokio::spawn(async move { engine.intent(Intent::Check(SERVER)).await })
    };

    let other = signalbox_demo::Demo::builder().speed(signalbox_demo::Speed::INSTANT).build().unwrap();
    let http = other.serve_http("127.0.0.1:0".parse().unwrap()).await.unwrap();
    let mut second = server(Transport::Http { url: http.url(), headers: Vec::new() });
    second.name = "other".to_owned();
    let Granted::Server(second) = rig.wish(Intent::AddServer(second)).await else { panic!("a server") };
    let work = async {
        for _ in 0..20 {
            let arguments = json(r#"{"service":"api"}"#);
            let intent = Intent::Start { server: second, tool: "deploy".to_owned(), arguments, ttl_ms: None };
            let Granted::Call(call) = rig.wish(intent).await else { panic!("a call") };
            let question = rig.question(call, signalbox_model::RequestState::Open).await;
            rig.wish(Rig::accept(&question)).await;
            assert_eq!(rig.ended(call).await.outcome, Some(Outcome::Ok));
        }
    };
    // Well below the time after which a request to the silent one is given up.
    tokio::time::timeout(Duration::from_secs(25), work).await.expect("the silent server delays the other");
    assert!(matches!(rig.health().await, Health::Ok { .. }), "nobody has given the silent one up yet");
    assert!(!check.is_finished());
    patiently(rig.engine.stop()).await;
    patiently(check).await.unwrap().expect_err("the engine stopped");
}
