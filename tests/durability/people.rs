//! Several people at one question, and an owner that dies between them.

use std::fs;
use std::path::{Path, PathBuf};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;
use signalbox_tests::{Stage, soon, text};
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

const YES: &str = r#"{"approved":true,"rollout":"gradual"}"#;

/// Stands before the owner's socket, and keeps what is asked with `word` in it from the owner.
struct Between {
    kept: mpsc::UnboundedReceiver<()>,
    task: JoinHandle<()>,
}

impl Between {
    fn stand(socket: PathBuf, word: &'static str) -> Self {
        let behind = socket.with_extension("behind");
        fs::rename(&socket, &behind).unwrap();
        let listener = UnixListener::bind(&socket).unwrap();
        let (keep, kept) = mpsc::unbounded_channel();
        let task = tokio::spawn(async move {
            loop {
                let (guest, _) = listener.accept().await.unwrap();
                tokio::spawn(pass_on(guest, UnixStream::connect(&behind).await.unwrap(), word, keep.clone()));
            }
        });
        Self { kept, task }
    }
}

impl Drop for Between {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Frame by frame, as long as the owner lives.
async fn pass_on(guest: UnixStream, owner: UnixStream, word: &str, keep: mpsc::UnboundedSender<()>) {
    let ((mut from_guest, mut to_guest), (mut from_owner, mut to_owner)) =
        (guest.into_split(), owner.into_split());
    let asks = async {
        while let Ok(length) = from_guest.read_u32().await {
            let mut frame = vec![0; length as usize];
            from_guest.read_exact(&mut frame).await.unwrap();
            if String::from_utf8_lossy(&frame).contains(word) {
                keep.send(()).unwrap();
                continue;
            }
            to_owner.write_u32(length).await.unwrap();
            to_owner.write_all(&frame).await.unwrap();
        }
    };
    tokio::select! {
        () = asks => {}
        _ = copy(&mut from_owner, &mut to_guest) => {}
    }
}

fn socket_in(run: &Path) -> PathBuf {
    let mut files = fs::read_dir(run.join("signalbox")).unwrap().map(|entry| entry.unwrap().path());
    files.find(|path| path.extension().is_some_and(|ending| ending == "sock")).expect("the owner listens")
}

fn signal(pid: u32, signal: Signal) {
    kill_process(Pid::from_raw(i32::try_from(pid).unwrap()).unwrap(), signal).unwrap();
}

/// What A asked is in the socket of an owner that is killed: nothing of it is committed. B answers at the next owner, and
/// A goes on only then.
#[tokio::test]
async fn what_the_next_owner_was_told_by_somebody_else_is_not_ones_own_answer() {
    let mut stage = Stage::served().await;
    let task = stage.asks("deploy", r#"{"service":"web"}"#).await;
    let request = text(&task["inputRequests"][0], "id").to_owned();
    let mut between = Between::stand(socket_in(&stage.machine.path("run")), r#""type":"answer""#);
    let ours = stage.machine.start(&["answer", &request, "--decline"]);
    soon("the answer is in the socket", between.kept.recv()).await.unwrap();
    signal(ours.pid(), Signal::STOP);
    stage.kill_owner().await;
    drop(between);

    let theirs = stage.machine.run(&["answer", &request, "--accept", "--content", YES]).await.ok();
    assert_eq!(theirs["state"], "answered", "{theirs}");
    signal(ours.pid(), Signal::CONT);
    let failure = ours.end().await.failure(6, "answered_meanwhile");
    assert!(text(&failure, "message").contains("accept with"), "what was said: {failure}");
    let said = &failure["detail"]["answer"];
    assert_eq!(
        (&said["action"], &said["content"]["approved"]),
        (&json!("accept"), &json!(true)),
        "{failure}"
    );
    assert!(said["decidedAt"].is_string(), "{failure}");
    let taken = stage.demo.taken("approval");
    assert_eq!(taken, [json!({ "action": "accept", "content": { "approved": true, "rollout": "gradual" } })]);
}
