//! Messages that are large: none is lost, none holds up what is small, and what is in memory is bounded until it is kept.

use std::time::Duration;

use signalbox_mcp::{Client, Error, Load, Options, Room, carrying};
use signalbox_model::Json;
use tokio::task::JoinHandle;

use crate::peer::{Peer, soon};

const MIB: usize = 1024 * 1024;

type Look = JoinHandle<(Result<Json, Error>, Load)>;

fn look(client: &Client, task: &str) -> Look {
    let (client, task) = (client.clone(), task.to_owned());
    tokio::spawn(async move { carrying(client.get_task(&task)).await })
}

fn large(bytes: usize) -> String {
    format!(r#"{{"statusMessage":"{}"}}"#, "x".repeat(bytes))
}

fn patient(room: &Room) -> Options {
    Options { request_timeout: Duration::from_secs(120), room: room.clone(), ..Options::default() }
}

/// Asks so many times, and is answered with this much each time.
async fn answered(peer: &mut Peer, client: &Client, times: usize, bytes: usize) -> Vec<Look> {
    let result = large(bytes);
    let mut looks = Vec::new();
    for at in 0..times {
        looks.push(look(client, &at.to_string()));
        let asked = peer.take("tasks/get").await;
        // An event in one line, or a body.
        if at % 2 == 0 {
            asked.stream().await.message(&format!(r#"{{"id":{},"result":{result}}}"#, at + 1)).await;
        } else {
            asked.result(&result).await;
        }
    }
    looks
}

/// Those that are answered, once nothing moves any more without them.
async fn done(looks: &mut Vec<Look>, count: usize) -> Vec<(Result<Json, Error>, Load)> {
    let mut done = Vec::new();
    soon("an answer for which there is room", async {
        while done.len() < count {
            let (result, at, _) = futures_util::future::select_all(looks.iter_mut()).await;
            drop(looks.remove(at));
            done.push(result.unwrap());
        }
    })
    .await;
    done
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn large_answers_of_one_server_come_as_there_is_room() {
    let room = Room::default();
    let mut peer = Peer::start().await;
    let client = peer.client(patient(&room));
    let mut looks = answered(&mut peer, &client, 5, 15 * MIB).await;
    let first = done(&mut looks, 3).await;
    // Another server's, and the same one's that are small, wait for none of them.
    let mut other = Peer::start().await;
    let neighbour = other.client(patient(&room));
    for (peer, client) in [(&mut peer, &client), (&mut other, &neighbour)] {
        let small = look(client, "small");
        peer.take("tasks/get").await.result(r#"{"n":1}"#).await;
        let (small, _) = soon("a small answer", small).await.unwrap();
        assert_eq!(small.unwrap().text(), r#"{"n":1}"#);
    }
    assert!(looks.iter().all(|look| !look.is_finished()), "four are more than 48 MiB");
    for (answer, _) in &first {
        assert_eq!(answer.as_ref().unwrap().text().len(), large(15 * MIB).len(), "whole");
    }
    drop(first);
    for (answer, _) in done(&mut looks, 2).await {
        assert!(answer.is_ok(), "what waited comes once the others are kept");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn large_answers_of_many_servers_share_what_there_is() {
    let room = Room::default();
    let (mut looks, mut peers) = (Vec::new(), Vec::new());
    for _ in 0..5 {
        let mut peer = Peer::start().await;
        let client = peer.client(patient(&room));
        looks.extend(answered(&mut peer, &client, 1, 20 * MIB).await);
        peers.push((peer, client));
    }
    let first = done(&mut looks, 3).await;
    let (peer, client) = &mut peers[4];
    let small = look(client, "small");
    peer.take("tasks/get").await.result("{}").await;
    assert!(soon("a small answer", small).await.unwrap().0.is_ok());
    assert!(looks.iter().all(|look| !look.is_finished()), "four are more than 64 MiB");
    drop(first);
    assert!(done(&mut looks, 2).await.iter().all(|(answer, _)| answer.is_ok()));
}

#[tokio::test]
async fn a_server_that_stops_in_the_middle_holds_nothing_up() {
    let room = Room::default();
    let mut peer = Peer::start().await;
    let options = Options { request_timeout: Duration::from_millis(300), ..patient(&room) };
    let client = peer.client(options);
    let mut held = Vec::new();
    let mut looks = Vec::new();
    for at in 0..12 {
        looks.push(look(&client, &at.to_string()));
        let mut stream = peer.take("tasks/get").await.stream().await;
        stream.write(&format!("data: {}", "x".repeat(8 * MIB))).await;
        held.push(stream);
    }
    for look in looks {
        let (answer, _) = soon("the end of our patience", look).await.unwrap();
        assert_eq!(answer, Err(Error::Timeout { ms: 300 }), "as for any that does not come");
    }
    let closed = look(&client, "closed");
    let mut stream = peer.take("tasks/get").await.stream().await;
    stream.write(&format!("data: {}", "x".repeat(8 * MIB))).await;
    client.close().await;
    closed.abort();
    stream.left().await;
    let client = peer.client(patient(&room));
    let mut all = answered(&mut peer, &client, 1, 60 * MIB).await;
    assert!(done(&mut all, 1).await[0].0.is_ok(), "all room is there for the next");
}
