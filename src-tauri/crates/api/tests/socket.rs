//! The owner's socket, with a desk of a few lines behind it and everything else real.
//!
//! Longer than most: owners, guests and what neither is meet at one socket, and all of them need the same stage.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on says where")]

use std::{fs, os::unix::fs::PermissionsExt, path::PathBuf, sync::Arc, time::Duration};

use signalbox_api::{
    Answering, ApiError, Changes, Code, Command, Cursor, Desk, DeskExt as _, Home, OwnerKind, Ownership,
    Remote, Reply, Retry, Role, SocketServer, View, ViewData,
    command::{self, DiagnosticText, Replied as _},
    own_or_join,
};
use signalbox_model::CallId;
use signalbox_model::Timestamp;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{UnixListener, UnixStream},
    sync::{Semaphore, watch},
    time,
};

const LONG: Duration = Duration::from_secs(60);

/// Answers `Diagnostics` at once, `Forget` when released, and `Tools` not at all: it panics.
struct TestDesk {
    seq: watch::Sender<u64>,
    waiting: watch::Sender<usize>,
    begun: watch::Sender<usize>,
    done: watch::Sender<usize>,
    release: Semaphore,
}

impl TestDesk {
    fn new() -> Arc<Self> {
        Arc::new(Self {
            seq: watch::Sender::new(0),
            waiting: watch::Sender::new(0),
            begun: watch::Sender::new(0),
            done: watch::Sender::new(0),
            release: Semaphore::new(0),
        })
    }

    async fn reached(counter: &watch::Sender<usize>, wanted: usize) {
        let mut seen = counter.subscribe();
        let reached = seen.wait_for(|n| *n == wanted);
        drop(time::timeout(LONG, reached).await.expect("the desk must see this").unwrap());
    }
}

struct Waiting<'a>(&'a watch::Sender<usize>);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.send_modify(|n| *n -= 1);
    }
}

impl Desk for TestDesk {
    fn call(&self, command: Command) -> Answering<'_, Reply> {
        Box::pin(async move {
            match command {
                Command::Diagnostics(_) => Ok(DiagnosticText { text: "all fine".into() }.into_reply()),
                Command::Forget(_) => {
                    self.begun.send_modify(|n| *n += 1);
                    self.release.acquire().await.unwrap().forget();
                    self.done.send_modify(|n| *n += 1);
                    Ok(Reply::Done)
                }
                Command::Tools(_) => panic!("a bug"),
                Command::Secrets(_) => Ok(Reply::Done),
                _ => Err(ApiError::new(Code::UnknownItem, "no such thing")),
            }
        })
    }

    fn changes(&self, view: View, after: Option<Cursor>, wait: Duration) -> Answering<'_, Changes> {
        Box::pin(async move {
            if matches!(view, View::Forward { .. }) {
                let data = Some(ViewData::Task { task: None });
                return Ok(Changes { cursor: Cursor { epoch: 1, seq: 0, shape: 0 }, data });
            }
            self.waiting.send_modify(|n| *n += 1);
            let _waiting = Waiting(&self.waiting);
            let mut seq = self.seq.subscribe();
            let known = after.map_or(0, |cursor| cursor.seq);
            let seen = time::timeout(wait, seq.wait_for(|seq| *seq > known)).await.map(|seq| *seq.unwrap());
            Ok(Changes { cursor: Cursor { epoch: 1, seq: seen.unwrap_or(known), shape: 0 }, data: None })
        })
    }
}

struct Owned {
    desk: Arc<TestDesk>,
    server: SocketServer,
    ownership: Ownership,
    home: Home,
    _dir: tempfile::TempDir,
}

fn home() -> (tempfile::TempDir, Home) {
    let dir = tempfile::tempdir().unwrap();
    let home = Home::at(dir.path()).unwrap();
    (dir, home)
}

fn owned() -> Owned {
    let (dir, home) = home();
    let ownership = Ownership::take(&home, OwnerKind::Serve).unwrap();
    let desk = TestDesk::new();
    let server = SocketServer::start(Arc::<TestDesk>::clone(&desk), &ownership).unwrap();
    Owned { desk, server, ownership, home, _dir: dir }
}

fn socket(home: &Home) -> PathBuf {
    home.socket().unwrap()
}

fn frame(json: &str) -> Vec<u8> {
    let mut frame = u32::try_from(json.len()).unwrap().to_be_bytes().to_vec();
    frame.extend(json.as_bytes());
    frame
}

async fn text_frame(stream: &mut UnixStream) -> String {
    let mut bytes = vec![0; stream.read_u32().await.unwrap() as usize];
    stream.read_exact(&mut bytes).await.unwrap();
    String::from_utf8(bytes).unwrap()
}

/// A connection that has exchanged hellos by hand.
async fn greeted(home: &Home) -> UnixStream {
    let mut stream = UnixStream::connect(socket(home)).await.unwrap();
    stream.write_all(&frame(r#"{"signalbox":10,"version":"0.0.0"}"#)).await.unwrap();
    assert!(text_frame(&mut stream).await.contains(r#""signalbox":10"#));
    stream
}

async fn diagnostics(remote: &Remote) -> String {
    remote.act(command::Diagnostics {}).await.unwrap().text
}

#[tokio::test]
async fn a_long_wait_delays_nobody() {
    let owned = owned();
    let (first, second) =
        (Remote::connect(&owned.home).await.unwrap(), Remote::connect(&owned.home).await.unwrap());
    let wait = first.changes(View::Overview, None, LONG);
    let meanwhile = async {
        TestDesk::reached(&owned.desk.waiting, 1).await;
        assert_eq!(diagnostics(&first).await, "all fine", "the same connection");
        assert_eq!(diagnostics(&second).await, "all fine", "another connection");
        owned.desk.seq.send_replace(7);
    };
    let (changes, ()) = tokio::join!(wait, meanwhile);
    assert_eq!(changes.unwrap().cursor.seq, 7);
    let error = second
        .act(command::Undo { request: "r1".parse().unwrap(), decided_at: Timestamp(0) })
        .await
        .unwrap_err();
    assert_eq!(
        (error.code, error.message.as_str()),
        (Code::UnknownItem, "no such thing"),
        "errors cross whole"
    );
}

#[tokio::test]
async fn what_belongs_to_another_question_is_the_answer_of_another_version() {
    let owned = owned();
    let remote = Remote::connect(&owned.home).await.unwrap();
    let reply = remote.call(command::Secrets {}.into()).await.unwrap_err();
    assert_eq!(reply.code, Code::VersionMismatch, "no host gets another command's reply: {reply}");
    let changes = remote.changes(View::Forward { raises: false }, None, LONG).await.unwrap_err();
    assert_eq!(changes, reply, "nor another view");
    assert_eq!(remote.act(command::Secrets {}).await.unwrap_err(), reply);
    assert_eq!(diagnostics(&remote).await, "all fine", "and the next question is answered");
}

#[tokio::test]
async fn a_client_that_goes_ends_its_waits_and_not_its_commands() {
    let owned = owned();
    let staying = Remote::connect(&owned.home).await.unwrap();
    {
        let leaving = Remote::connect(&owned.home).await.unwrap();
        let (wait, command) =
            (leaving.changes(View::Overview, None, LONG), leaving.act(command::Forget { call: CallId(1) }));
        tokio::select! {
            _ = wait => panic!("nothing changed"),
            _ = command => panic!("nothing was released"),
            () = async {
                TestDesk::reached(&owned.desk.waiting, 1).await;
                TestDesk::reached(&owned.desk.begun, 1).await;
            } => {}
        }
    }
    TestDesk::reached(&owned.desk.waiting, 0).await;
    owned.desk.release.add_permits(1);
    TestDesk::reached(&owned.desk.done, 1).await;
    assert_eq!(diagnostics(&staying).await, "all fine");
}

#[tokio::test]
async fn a_wait_nobody_waits_for_ends_while_the_client_stays() {
    let owned = owned();
    let remote = Remote::connect(&owned.home).await.unwrap();
    tokio::select! {
        _ = remote.changes(View::Overview, None, LONG) => panic!("nothing changed"),
        () = TestDesk::reached(&owned.desk.waiting, 1) => {}
    }
    TestDesk::reached(&owned.desk.waiting, 0).await;
    assert_eq!(diagnostics(&remote).await, "all fine");
}

#[tokio::test]
async fn too_many_asks_are_refused_and_the_connection_goes_on() {
    let owned = owned();
    let remote = Arc::new(Remote::connect(&owned.home).await.unwrap());
    let mut waits = tokio::task::JoinSet::new();
    for _ in 0..64 {
        let remote = Arc::clone(&remote);
        waits.spawn(async move { remote.changes(View::Overview, None, LONG).await });
    }
    TestDesk::reached(&owned.desk.waiting, 64).await;
    assert_eq!(remote.act(command::Diagnostics {}).await.unwrap_err().code, Code::Throttled);
    waits.shutdown().await;
    TestDesk::reached(&owned.desk.waiting, 0).await;
    assert_eq!(diagnostics(&remote).await, "all fine");
}

#[tokio::test]
async fn clients_that_ask_nothing_keep_nobody_out() {
    let owned = owned();
    let waits = Arc::new(Remote::connect(&owned.home).await.unwrap());
    let waiting = tokio::spawn({
        let waits = Arc::clone(&waits);
        async move { waits.changes(View::Overview, None, LONG).await }
    });
    TestDesk::reached(&owned.desk.waiting, 1).await;
    let mut idle = Vec::new();
    for _ in 1..128 {
        idle.push(greeted(&owned.home).await);
    }
    let full = Remote::connect(&owned.home).await.err().expect("every place is taken");
    assert_eq!(full.code, Code::OwnerGone, "it is tried again for a while: {full}");

    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(6)).await;
    tokio::time::resume();
    assert_eq!(idle[0].read(&mut [0]).await.unwrap(), 0, "who asks nothing makes room");
    let remote = Remote::connect(&owned.home).await.expect("there is a place now");
    assert_eq!(diagnostics(&remote).await, "all fine");
    assert!(!waiting.is_finished(), "who waits for something keeps its place");
}

#[tokio::test]
async fn sockets_that_do_not_even_say_hello_keep_nobody_out() {
    let owned = owned();
    let mut silent = Vec::new();
    for _ in 0..128 {
        let mut stream = UnixStream::connect(socket(&owned.home)).await.unwrap();
        assert!(text_frame(&mut stream).await.contains("signalbox"), "the owner says hello first");
        silent.push(stream);
    }
    let full = Remote::connect(&owned.home).await.err().expect("every place is taken");
    assert_eq!(full.code, Code::OwnerGone, "it is tried again for a while: {full}");

    time::pause();
    time::advance(Duration::from_secs(6)).await;
    time::resume();
    assert_eq!(silent[0].read(&mut [0]).await.unwrap(), 0, "who says nothing makes room");
    let remote = Remote::connect(&owned.home).await.expect("there is a place now");
    assert_eq!(diagnostics(&remote).await, "all fine");
}

#[tokio::test]
async fn a_bug_behind_the_desk_is_an_answer() {
    let owned = owned();
    let remote = Remote::connect(&owned.home).await.unwrap();
    let error = remote.act(command::Tools { server: "x".into() }).await.unwrap_err();
    assert_eq!(error.code, Code::Internal);
    assert_eq!(diagnostics(&remote).await, "all fine");
}

#[tokio::test]
async fn another_version_is_named_on_both_sides() {
    let (_dir, home) = home();
    let ownership = Ownership::take(&home, OwnerKind::Serve).unwrap();
    let listener = UnixListener::bind(socket(&home)).unwrap();
    let future_owner = async {
        let (mut stream, _) = listener.accept().await.unwrap();
        stream.write_all(&frame(r#"{"signalbox":99,"version":"7.7.7","more":true}"#)).await.unwrap();
        stream
    };
    let (remote, _stream) = tokio::join!(Remote::connect(&home), future_owner);
    let error = remote.err().expect("a client must not talk to what it does not understand");
    assert_eq!(error.code, Code::OwnerNewer, "ending it is no way out");
    for part in ["7.7.7", "99", env!("CARGO_PKG_VERSION")] {
        assert!(error.message.contains(part), "{part} must be told: {error}");
    }

    let past_owner = async {
        let (mut stream, _) = listener.accept().await.unwrap();
        stream.write_all(&frame(r#"{"signalbox":1,"version":"0.0.1"}"#)).await.unwrap();
        stream
    };
    let (remote, _stream) = tokio::join!(Remote::connect(&home), past_owner);
    let error = remote.err().expect("nor to what understands less");
    assert_eq!(error.code, Code::VersionMismatch);
    assert!(error.message.contains("older"), "{error}");
    drop(listener);

    // The other way round: the owner says who it is, and hangs up.
    let _server = SocketServer::start(TestDesk::new(), &ownership).unwrap();
    let mut client = UnixStream::connect(socket(&home)).await.unwrap();
    client.write_all(&frame(r#"{"signalbox":99,"version":"7.7.7"}"#)).await.unwrap();
    let mut rest = Vec::new();
    client.read_to_end(&mut rest).await.unwrap();
    assert!(String::from_utf8_lossy(&rest).contains(env!("CARGO_PKG_VERSION")), "its hello comes first");
}

#[tokio::test]
async fn the_owner_survives_nonsense() {
    let owned = owned();
    for nonsense in [&b"GET / HTTP/1.1\r\n\r\n"[..], &[0xff; 64], &frame("not json"), &frame("{}"), &[0, 0]] {
        let mut stream = UnixStream::connect(socket(&owned.home)).await.unwrap();
        stream.write_all(nonsense).await.unwrap();
        stream.shutdown().await.unwrap();
        let mut rest = Vec::new();
        // Reset or end: either way it hangs up.
        let _ = stream.read_to_end(&mut rest).await;
    }
    // A length over the limit ends it as well, whatever follows.
    let mut stream = UnixStream::connect(socket(&owned.home)).await.unwrap();
    stream.write_all(&(4 * 1024 + 1_u32).to_be_bytes()).await.unwrap();
    let mut hello = Vec::new();
    let ended = time::timeout(LONG, stream.read_to_end(&mut hello)).await;
    ended.expect("a hello over 4 KiB is not waited for").unwrap();
    // After the hellos: an ask from a future version gets an answer, a frame over the limit ends the connection.
    let mut stream = greeted(&owned.home).await;
    stream
        .write_all(&frame(r#"{"ask":{"id":5,"ask":{"ask":"call","command":{"type":"fly"}}}}"#))
        .await
        .unwrap();
    let answer = text_frame(&mut stream).await;
    assert!(answer.starts_with(r#"{"id":5,"result":{"failed""#) && answer.contains("usage"), "{answer}");
    stream.write_all(&(256 * 1024 * 1024 + 1_u32).to_be_bytes()).await.unwrap();
    assert_eq!(stream.read(&mut [0]).await.unwrap(), 0, "a huge frame must end the connection");

    let remote = Remote::connect(&owned.home).await.unwrap();
    assert_eq!(diagnostics(&remote).await, "all fine");
}

#[tokio::test]
async fn something_else_behind_the_socket_is_told_apart() {
    let (_dir, home) = home();
    let _ownership = Ownership::take(&home, OwnerKind::Serve).unwrap();
    let listener = UnixListener::bind(socket(&home)).unwrap();
    let stranger = async {
        let (mut stream, _) = listener.accept().await.unwrap();
        stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await.unwrap();
        stream
    };
    let (remote, _stream) = tokio::join!(Remote::connect(&home), stranger);
    assert_eq!(remote.err().unwrap().code, Code::StorageInUse);
}

#[tokio::test]
async fn a_socket_that_somebody_else_made_is_not_talked_to() {
    let (_dir, home) = home();
    let _ownership = Ownership::take(&home, OwnerKind::Serve).unwrap();
    let path = socket(&home);
    let refused = async |what: &str| {
        let error = Remote::connect(&home).await.err().unwrap_or_else(|| panic!("{what} was talked to"));
        assert_eq!(error.code, Code::StorageInUse, "{what}: {error}");
    };
    fs::write(&path, "").unwrap();
    refused("what is no socket").await;
    fs::remove_file(&path).unwrap();

    let elsewhere = tempfile::tempdir().unwrap();
    let other = UnixListener::bind(elsewhere.path().join("other.sock")).unwrap();
    std::os::unix::fs::symlink(elsewhere.path().join("other.sock"), &path).unwrap();
    refused("a link to another socket").await;
    drop(other);
    fs::remove_file(&path).unwrap();

    let _foreign = UnixListener::bind(&path).unwrap();
    // Only root can give a file away; for everybody else the two above must do.
    if std::os::unix::fs::lchown(&path, Some(12_345), None).is_ok() {
        refused("another user's socket").await;
    }
}

#[tokio::test]
async fn when_the_owner_dies_every_ask_ends() {
    let owned = owned();
    let remote = Remote::connect(&owned.home).await.unwrap();
    let (wait, command) =
        (remote.changes(View::Overview, None, LONG), remote.act(command::Forget { call: CallId(1) }));
    let (server, desk) = (owned.server, &owned.desk);
    let death = async move {
        TestDesk::reached(&desk.waiting, 1).await;
        TestDesk::reached(&desk.begun, 1).await;
        drop(server);
    };
    let (wait, command, ()) = tokio::join!(wait, command, death);
    let (wait, command) = (wait.unwrap_err(), command.unwrap_err());
    assert_eq!((wait.code, wait.retry), (Code::OwnerGone, Retry::Later));
    assert_eq!((command.code, command.retry), (Code::OwnerGone, Retry::Never), "it may have been done");
    remote.closed().await;
    let later = remote.act(command::Diagnostics {}).await.unwrap_err();
    assert_eq!((later.code, later.retry), (Code::OwnerGone, Retry::Later), "it was not even sent");
}

#[tokio::test]
async fn stopping_lets_commands_end_and_takes_the_socket_away() {
    let owned = owned();
    let path = socket(&owned.home);
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    let remote = Remote::connect(&owned.home).await.unwrap();
    let (wait, command) =
        (remote.changes(View::Overview, None, LONG), remote.act(command::Forget { call: CallId(1) }));
    let (server, desk) = (owned.server, &owned.desk);
    let stop = async move {
        TestDesk::reached(&desk.waiting, 1).await;
        TestDesk::reached(&desk.begun, 1).await;
        let ended = async {
            // Waits end first: then the stop has begun.
            TestDesk::reached(&desk.waiting, 0).await;
            desk.release.add_permits(1);
        };
        tokio::join!(server.stop(), ended)
    };
    let (wait, command, _) = tokio::join!(wait, command, stop);
    assert_eq!(wait.unwrap_err().code, Code::OwnerGone);
    assert_eq!(command, Ok(()), "a command under way is answered");
    assert!(!path.exists(), "the socket file must go");
    assert_eq!(Remote::connect(&owned.home).await.err().unwrap().code, Code::OwnerGone);
}

#[tokio::test]
async fn stopping_waits_for_no_command_for_ever() {
    let owned = owned();
    let remote = Remote::connect(&owned.home).await.unwrap();
    let (command, desk) = (remote.act(command::Forget { call: CallId(1) }), &owned.desk);
    let stop = async move {
        TestDesk::reached(&desk.begun, 1).await;
        time::pause();
        let began = time::Instant::now();
        owned.server.stop().await;
        time::resume();
        began.elapsed().as_secs()
    };
    let (command, waited) = tokio::join!(command, stop);
    assert_eq!(command.unwrap_err().code, Code::OwnerGone, "it was not released");
    assert_eq!(waited, 3, "seconds");
}

#[tokio::test]
async fn a_socket_left_behind_is_replaced_by_the_next_owner() {
    let (_dir, home) = home();
    drop(UnixListener::bind(socket(&home)).unwrap());
    assert!(socket(&home).exists(), "a dead owner leaves its socket");
    assert_eq!(Remote::connect(&home).await.err().unwrap().code, Code::OwnerGone);
    let ownership = Ownership::take(&home, OwnerKind::Serve).unwrap();
    let server = SocketServer::start(TestDesk::new(), &ownership).unwrap();
    assert_eq!(diagnostics(&Remote::connect(&home).await.unwrap()).await, "all fine");

    // An owner that is slow to go must not take its successor's socket along.
    let successor = SocketServer::start(TestDesk::new(), &ownership).unwrap();
    server.stop().await;
    assert_eq!(diagnostics(&Remote::connect(&home).await.unwrap()).await, "all fine");
    successor.stop().await;
}

#[tokio::test]
async fn a_guest_takes_over_when_the_owner_leaves() {
    let owned = owned();
    let Role::Guest(remote) = own_or_join(&owned.home, OwnerKind::Window).await.unwrap() else {
        panic!("there is an owner");
    };
    assert_eq!(diagnostics(&remote).await, "all fine");
    owned.server.stop().await;
    remote.closed().await;
    let takeover = own_or_join(&owned.home, OwnerKind::Window);
    let leave = async { drop(owned.ownership) };
    let (role, ()) = tokio::join!(takeover, leave);
    let Ok(Role::Owner(ownership)) = role else { panic!("the owner has left") };
    assert_eq!(ownership.owner().kind, OwnerKind::Window);
}

#[tokio::test(start_paused = true)]
async fn an_owner_that_does_not_answer_is_named() {
    let (_dir, home) = home();
    let _silent = Ownership::take(&home, OwnerKind::Serve).unwrap();
    let error = own_or_join(&home, OwnerKind::Command).await.err().unwrap();
    assert_eq!(error.code, Code::StorageInUse);
    assert!(error.message.contains(&std::process::id().to_string()), "it must say which process: {error}");
}
