//! Connections over pipes in memory, to one desk that answers with as much as it is asked for.

use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, DuplexStream, ReadHalf, WriteHalf},
    task::JoinHandle,
};

use super::*;
use crate::{
    Changes, Cursor, Reply, View,
    command::{DiagnosticText, Find, Replied as _},
    desk::Answering,
};

struct Echo;

impl Desk for Echo {
    fn call(&self, command: Command) -> Answering<'_, Reply> {
        Box::pin(async move {
            match command {
                Command::Find(Find { text }) => Ok(DiagnosticText { text }.into_reply()),
                // What is read of the store is only known once it was read.
                Command::Payload(_) => Ok(DiagnosticText { text: large() }.into_reply()),
                other => panic!("{other:?}"),
            }
        })
    }

    fn changes(&self, _: View, _: Option<Cursor>, _: Duration) -> Answering<'_, Changes> {
        Box::pin(std::future::pending())
    }
}

fn large() -> String {
    "x".repeat(SMALL as usize + 1)
}

struct Guest {
    served: JoinHandle<io::Result<()>>,
    incoming: ReadHalf<DuplexStream>,
    outgoing: WriteHalf<DuplexStream>,
}

impl Guest {
    async fn greeted(serving: &Serving) -> Self {
        let (ours, theirs) = tokio::io::duplex(1024);
        let served = tokio::spawn(serve(theirs, serving.clone()));
        let (incoming, outgoing) = tokio::io::split(ours);
        let mut guest = Self { served, incoming, outgoing };
        send(&mut guest.outgoing, &encode(&Hello::ours()).unwrap()).await.unwrap();
        let hello: Option<Hello> = read(&mut guest.incoming, HELLO_LIMIT).await.unwrap();
        hello.expect("an owner says hello").check().unwrap();
        guest
    }

    async fn ask(&mut self, id: u64, command: serde_json::Value) {
        let ask = serde_json::value::to_raw_value(&json!({"ask": "call", "command": command})).unwrap();
        send(&mut self.outgoing, &encode(&ToOwner::Ask { id, ask }).unwrap()).await.unwrap();
    }

    async fn find(&mut self, id: u64, text: &str) {
        self.ask(id, json!({"type": "find", "text": text})).await;
    }

    async fn payload(&mut self, id: u64) {
        self.ask(id, json!({"type": "payload", "call": "t1", "kind": "result"})).await;
    }

    /// Whose answer comes next.
    async fn next(&mut self) -> Option<u64> {
        let answer: Option<ToClient<Answered>> = read(&mut self.incoming, LIMIT).await.unwrap();
        answer.map(|ToClient { id, result }| {
            assert!(matches!(result, Outcome::Answered(_)), "{result:?}");
            id
        })
    }
}

#[tokio::test]
async fn a_large_answer_waits_for_room_and_holds_no_small_one_up() {
    let serving = Serving::new(Arc::new(Echo));
    let others = serving.answered.take(LIMIT).await;
    let mut guest = Guest::greeted(&serving).await;
    guest.payload(1).await;
    guest.find(2, "a").await;
    assert_eq!(guest.next().await, Some(2), "there is no room for the first");
    drop(others);
    assert_eq!(guest.next().await, Some(1));
    drop(serving.answered.take(LIMIT).await);
}

#[tokio::test]
async fn what_is_read_of_the_store_waits_before_it_is_read() {
    let serving = Serving::new(Arc::new(Echo));
    let others = Arc::clone(&serving.payloads).acquire_many_owned(4).await.unwrap();
    assert_eq!(serving.payloads.available_permits(), 0, "four at the same time");
    let mut guest = Guest::greeted(&serving).await;
    guest.payload(1).await;
    guest.find(2, "a").await;
    assert_eq!(guest.next().await, Some(2), "others read theirs");
    drop(others);
    assert_eq!(guest.next().await, Some(1));
}

#[tokio::test]
async fn a_large_ask_waits_for_room_and_holds_no_other_guest_up() {
    let serving = Serving::new(Arc::new(Echo));
    let others = serving.asked.take(LIMIT).await;
    let (mut first, mut second) = (Guest::greeted(&serving).await, Guest::greeted(&serving).await);
    let text = large();
    let asking = async {
        first.find(1, &text).await;
        first.next().await
    };
    let meanwhile = async {
        second.find(2, "a").await;
        let small = second.next().await;
        drop(others);
        small
    };
    assert_eq!(tokio::join!(asking, meanwhile), (Some(1), Some(2)));
    drop(serving.asked.take(LIMIT).await);
}

#[tokio::test(start_paused = true)]
async fn room_is_free_again_when_a_guest_does_not_take_its_answer() {
    let serving = Serving::new(Arc::new(Echo));
    let mut guest = Guest::greeted(&serving).await;
    let began = time::Instant::now();
    for id in 0..8 {
        guest.payload(id).await;
    }
    assert_eq!(guest.served.await.unwrap().unwrap_err().kind(), io::ErrorKind::TimedOut);
    assert_eq!(began.elapsed().as_secs(), PATIENCE.as_secs());
    drop(serving.answered.take(LIMIT).await);
    let mut rest = Vec::new();
    guest.incoming.read_to_end(&mut rest).await.unwrap();
    assert!(rest.len() < large().len(), "nothing more came");
}

#[tokio::test(start_paused = true)]
async fn who_has_room_for_an_ask_is_not_waited_for_for_ever() {
    let serving = Serving::new(Arc::new(Echo));
    let mut guest = Guest::greeted(&serving).await;
    guest.outgoing.write_all(&LIMIT.to_be_bytes()).await.unwrap();
    let began = time::Instant::now();
    assert_eq!(guest.incoming.read(&mut [0]).await.unwrap(), 0, "it has lost its connection");
    assert_eq!(began.elapsed().as_secs(), PATIENCE.as_secs());
    drop(serving.asked.take(LIMIT).await);
}
