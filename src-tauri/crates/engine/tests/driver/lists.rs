//! Lists for people: each goes to whoever asked, and so does each error.

use signalbox_demo::Fault;
use signalbox_engine::{Granted, Intent, List, Refusal};
use signalbox_mcp::Error;
use signalbox_model::{Health, ServerId, Transport};

use crate::rig::{Rig, SERVER, patiently, server};

/// What a server says once that has lost its list.
const BROKEN: i64 = -32_001;

/// Whether the error is the one that the server answered with.
fn is_broken(refusal: &Refusal) -> bool {
    matches!(refusal, Refusal::Server(error) if matches!(**error, Error::Rpc { code: BROKEN, .. }))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_error_of_a_list_is_told_to_who_asked_for_it_and_to_nobody_else() {
    let rig = Rig::new().await;
    rig.wish(Intent::Check(SERVER)).await;
    let broken = serde_json::json!({"code": BROKEN, "message": "the list is broken"});
    rig.demo.faults().next(1, "tools/list", Fault::Error(broken));
    let all_at_once = async {
        tokio::join!(
            rig.engine.tools(SERVER),
            rig.engine.tools(SERVER),
            rig.engine.list_tasks(SERVER),
            rig.engine.intent(Intent::Check(SERVER)),
        )
    };
    let (first, second, tasks, check) = patiently(Box::pin(all_at_once)).await;
    let (failed, listed) = if first.is_err() { (first, second) } else { (second, first) };
    assert!(failed.as_ref().is_err_and(is_broken), "who asked with that request: {failed:?}");
    assert!(listed.is_ok_and(|tools| !tools.is_empty()), "who asked with another");
    assert_eq!(tasks, Ok(None), "the modern wire lists none");
    assert_eq!(check, Ok(Granted::Done));
    assert!(matches!(rig.health().await, Health::Ok { .. }), "it answered");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_people_who_ask_at_once_both_hear() {
    let rig = Rig::new().await;
    let gate = rig.demo.faults().hold("tools/list");
    let ask = || {
        let engine = rig.engine.clone();
        tokio::spawn(async move { engine.tools(SERVER).await })
    };
    let (one, other) = (ask(), ask());
    patiently(gate.reached(2)).await;
    gate.open();
    let (one, other) = (patiently(one).await.unwrap(), patiently(other).await.unwrap());
    assert!(one.as_ref().is_ok_and(|tools| !tools.is_empty()), "{one:?}");
    assert_eq!(one, other);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_asks_an_untrusted_server_is_refused_and_nothing_is_started() {
    let rig = Rig::new().await;
    let ran = rig.dir.path().join("it ran");
    let args = vec![ran.to_str().unwrap().to_owned()];
    let command = Transport::Stdio { command: "touch".to_owned(), args, env: Vec::new(), cwd: None };
    let mut program = server(command);
    (program.name, program.trusted) = ("program".to_owned(), false);
    let Granted::Server(program) = rig.wish(Intent::AddServer(program)).await else { panic!("a server") };
    for list in [List::Tools, List::Tasks] {
        let asked = patiently(rig.engine.intent(Intent::List { server: program, list: list.clone() })).await;
        assert!(matches!(asked, Err(Refusal::NotTrusted(_))), "{list:?}: {asked:?}");
    }
    assert_eq!(patiently(rig.engine.tools(ServerId(9))).await, Err(Refusal::UnknownServer));
    patiently(rig.engine.stop()).await;
    assert!(!ran.exists(), "nothing was started");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_caller_that_goes_away_leaves_nothing() {
    let rig = Rig::new().await;
    rig.wish(Intent::Check(SERVER)).await;
    let gate = rig.demo.faults().hold("tools/list");
    // As many as may be asked at the same time: were the first still there, no other would come through.
    for round in 1..=2 {
        let asked = (0..16).map(|_| {
            let engine = rig.engine.clone();
            tokio::spawn(async move { engine.tools(SERVER).await })
        });
        let asked: Vec<_> = asked.collect();
        patiently(gate.reached(16 * round)).await;
        for caller in asked {
            caller.abort();
            assert!(patiently(caller).await.is_err_and(|end| end.is_cancelled()));
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_waits_for_a_list_when_the_engine_stops_is_told_so() {
    let rig = Rig::new().await;
    let gate = rig.demo.faults().hold("tools/list");
    let engine = rig.engine.clone();
    let asked = tokio::spawn(async move { engine.tools(SERVER).await });
    patiently(gate.reached(1)).await;
    patiently(rig.engine.stop()).await;
    assert_eq!(patiently(asked).await.unwrap(), Err(Refusal::Stopping));
}
