//! A key that is held, on a keyboard on which a test decides what becomes of each.

use std::{io, path::Path, sync::mpsc};

use signalbox_model::{
    Call, CallId, Delivery, Identity, InputRequest, Mode, Origin, RequestId, RequestState, Server, ServerId,
    Status, Timestamp, Transport,
};
use signalbox_signin::Secrets;
use signalbox_store::{Batch, BatchKind, Store, Write};
use tokio::{
    sync::{
        mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
        oneshot,
    },
    task::AbortHandle,
};

use super::*;
use crate::{
    Boxed, Deaf, DeskExt as _, command,
    local::stage::local,
    look,
    shortcut::{Grip, ShortcutState::*},
};

/// Somebody wants a key. It gets none before the test says so.
struct Wish {
    keys: Shortcut,
    at: Instant,
    answer: oneshot::Sender<Result<Box<dyn Grip>, ShortcutState>>,
}

impl Wish {
    /// It is held from now on.
    fn give(self) -> Given {
        let (happens, happened) = unbounded_channel();
        let _ = self.answer.send(Ok(Box::new(Happened(happened))));
        Given(happens)
    }

    fn refuse(self, why: ShortcutState) {
        let _ = self.answer.send(Err(why));
    }
}

/// A key that was given.
struct Given(UnboundedSender<Result<(), Lost>>);

impl Given {
    fn happens(&self, what: Result<(), Lost>) {
        self.0.send(what).expect("the key is held");
    }

    /// Resolves once it was let go.
    async fn let_go(self) {
        self.0.closed().await;
    }
}

struct Happened(UnboundedReceiver<Result<(), Lost>>);

impl Grip for Happened {
    fn pressed(&mut self) -> Boxed<'_, Result<(), Lost>> {
        Box::pin(async { self.0.recv().await.expect("a test keeps its side of a key that is held") })
    }
}

/// Hands all wishes to the test.
struct Asked(UnboundedSender<Wish>);

impl Keyboard for Asked {
    fn allows(&self) -> Result<(), ShortcutState> {
        Ok(())
    }

    fn take(&self, keys: Shortcut) -> Boxed<'_, Result<Box<dyn Grip>, ShortcutState>> {
        let (answer, answered) = oneshot::channel();
        let _ = self.0.send(Wish { keys, at: Instant::now(), answer });
        Box::pin(async { answered.await.expect("a test answers each wish that is waited for") })
    }
}

/// An owner, with what it holds for its person.
struct Stage {
    _dir: tempfile::TempDir,
    local: Arc<Local>,
    wishes: UnboundedReceiver<Wish>,
    shown: UnboundedReceiver<Option<ItemRef>>,
    holds: AbortHandle,
}

impl Stage {
    /// Its person has chosen this key before.
    async fn set(keys: Option<&str>) -> Self {
        Self::with(keys, &[]).await
    }

    async fn with(keys: Option<&str>, kept: &[Write]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        keep(dir.path(), kept);
        let secrets = Arc::new(Secrets::this_run("home"));
        let local = Arc::new(local(dir.path(), &secrets).await);
        local.act(command::SetShortcut { keys: keys.map(str::to_owned) }).await.unwrap();
        let (wish, wishes) = unbounded_channel();
        let (show, shown) = unbounded_channel();
        let show = move |item| {
            let _ = show.send(item);
        };
        let holds = tokio::spawn(hold_shortcut(&local, Arc::new(Asked(wish)), show)).abort_handle();
        Self { _dir: dir, local, wishes, shown, holds }
    }

    /// The next one who wants a key.
    async fn wish(&mut self) -> Wish {
        self.wishes.recv().await.expect("it is tried")
    }

    /// What the person sees now.
    async fn state(&self) -> ShortcutState {
        self.local.see(look::Overview {}).await.unwrap().shortcut
    }

    /// Resolves once the person sees this.
    async fn says(&self, state: ShortcutState) {
        let mut after = None;
        loop {
            let wait = Duration::from_secs(60);
            let (cursor, seen) = self.local.look(look::Overview {}, after, wait).await.unwrap();
            let seen = seen.unwrap_or_else(|| panic!("nothing is told, and {state:?} should be"));
            if seen.shortcut == state {
                return;
            }
            after = Some(cursor);
        }
    }

    /// The person chooses another one. Who waits for the command waits for what becomes of it.
    fn choose(&self, keys: Option<&'static str>) {
        let local = Arc::clone(&self.local);
        tokio::spawn(async move { local.act(command::SetShortcut { keys: keys.map(str::to_owned) }).await });
    }
}

fn key(text: &str) -> Shortcut {
    text.parse().unwrap()
}

/// What an owner that left has kept in its directory.
fn keep(dir: &Path, writes: &[Write]) {
    let store = Store::open(dir).unwrap();
    let (done, answer) = mpsc::channel();
    let done = Box::new(move |result| {
        let _ = done.send(result);
    });
    store.submit(Batch { writes: writes.to_vec(), kind: BatchKind::Intent, done }).unwrap();
    answer.recv().unwrap().unwrap();
}

/// A call that waits for an answer to its question.
fn asked(request: RequestId) -> Vec<Write> {
    let (server, call) = (ServerId(1), CallId(1));
    let transport = Transport::Http { url: "http://127.0.0.1:1/mcp".to_owned(), headers: vec![] };
    vec![
        Write::PutServer(Server::new(server, "ci".to_owned(), transport)),
        Write::PutCall(Box::new(Call {
            tool: "deploy".to_owned(),
            delivery: Delivery::Answered,
            status: Status::InputRequired,
            open_requests: 1,
            ..Call::new(call, server, Origin::Started, Timestamp(1))
        })),
        question(request, RequestState::Open),
    ]
}

fn question(request: RequestId, state: RequestState) -> Write {
    let identity = Identity::Round { call: CallId(1), n: 1, key: request.to_string() };
    Write::PutRequest(Box::new(InputRequest {
        method: "elicitation/create".to_owned(),
        mode: Mode::Form,
        state,
        ..InputRequest::new(request, ServerId(1), identity, Timestamp(1))
    }))
}

#[tokio::test]
async fn a_press_shows_the_next_question() {
    let question = RequestId(1);
    let mut stage = Stage::with(Some("Ctrl+Alt+S"), &asked(question)).await;
    let held = stage.wish().await.give();
    held.happens(Ok(()));
    assert_eq!(stage.shown.recv().await.unwrap(), Some(ItemRef::Request(question)));
}

#[tokio::test]
async fn a_press_passes_over_answers_that_are_on_their_way() {
    let (open, kept) = (RequestId(200), asked(RequestId(200)));
    let on_their_way = (1..200).map(|id| question(RequestId(id), RequestState::Sending));
    let mut stage =
        Stage::with(Some("Ctrl+Alt+S"), &kept.into_iter().chain(on_their_way).collect::<Vec<_>>()).await;
    let held = stage.wish().await.give();
    held.happens(Ok(()));
    let shown = stage.shown.recv().await.unwrap();
    assert_eq!(
        shown,
        Some(ItemRef::Request(open)),
        "a server may be away for days, and there is nothing to do for its answers"
    );
}

#[tokio::test]
async fn each_press_is_heard_also_where_there_is_no_question() {
    let mut stage = Stage::set(Some("Ctrl+Alt+S")).await;
    let wish = stage.wish().await;
    assert_eq!((wish.keys, stage.state().await), (key("Ctrl+Alt+S"), Trying));
    let held = wish.give();
    stage.says(Held).await;
    for _ in 0..2 {
        held.happens(Ok(()));
        assert_eq!(stage.shown.recv().await.unwrap(), None, "the window comes forward all the same");
    }
    assert!(stage.shown.try_recv().is_err(), "once for each press");
    assert_eq!(stage.state().await, Held, "a press lets nothing go");
}

#[tokio::test]
async fn what_another_program_holds_is_tried_again_after_a_while() {
    let mut stage = Stage::set(Some("Ctrl+Alt+S")).await;
    let mut wish = stage.wish().await;
    tokio::time::pause();
    for _ in 0..3 {
        let tried = wish.at;
        wish.refuse(Taken);
        stage.says(Taken).await;
        wish = stage.wish().await;
        let after = wish.at.duration_since(tried);
        assert!(TRY_AGAIN <= after && after < TRY_AGAIN * 2, "not at once, and not much later: {after:?}");
        assert_eq!(stage.state().await, Taken, "a try that the person did not ask for takes nothing back");
    }
    let _held = wish.give();
    stage.says(Held).await;
}

#[tokio::test]
async fn another_choice_lets_the_first_go() {
    let mut stage = Stage::set(Some("Ctrl+Alt+S")).await;
    let first = stage.wish().await.give();
    stage.says(Held).await;
    stage.choose(Some("Ctrl+Alt+F"));
    first.let_go().await;
    let wish = stage.wish().await;
    assert_eq!((wish.keys, stage.state().await), (key("Ctrl+Alt+F"), Trying), "a choice is told at once");
    wish.refuse(Taken);
    stage.says(Taken).await;
    stage.choose(Some("Ctrl+Alt+S"));
    let wish = stage.wish().await;
    assert_eq!((wish.keys, stage.state().await), (key("Ctrl+Alt+S"), Trying), "so is going back");
    let last = wish.give();
    stage.says(Held).await;
    stage.choose(None);
    last.let_go().await;
    stage.says(Off).await;
    assert!(stage.wishes.try_recv().is_err(), "no key, no wish");
}

#[tokio::test]
async fn another_choice_ends_a_try_that_is_under_way() {
    let mut stage = Stage::set(Some("Ctrl+Alt+S")).await;
    let mut slow = stage.wish().await;
    stage.choose(Some("Ctrl+Alt+F"));
    slow.answer.closed().await;
    let wish = stage.wish().await;
    assert_eq!(wish.keys, key("Ctrl+Alt+F"));
    let _held = wish.give();
    stage.says(Held).await;
}

#[tokio::test]
async fn a_keyboard_that_is_laid_out_anew_is_asked_again_at_once() {
    let mut stage = Stage::set(Some("Ctrl+Alt+S")).await;
    let held = stage.wish().await.give();
    stage.says(Held).await;
    tokio::time::pause();
    let before = Instant::now();
    held.happens(Err(Lost::Moved));
    held.let_go().await;
    let wish = stage.wish().await;
    assert_eq!((wish.keys, wish.at), (key("Ctrl+Alt+S"), before), "nothing is waited for");
    let _held = wish.give();
    stage.says(Held).await;
}

#[tokio::test]
async fn a_display_that_is_gone_is_looked_for_again() {
    let mut stage = Stage::set(Some("Ctrl+Alt+S")).await;
    let held = stage.wish().await.give();
    stage.says(Held).await;
    tokio::time::pause();
    let before = Instant::now();
    held.happens(Err(Lost::Gone(io::ErrorKind::BrokenPipe.into())));
    stage.says(NoDisplay).await;
    let wish = stage.wish().await;
    assert!(wish.at.duration_since(before) >= TRY_AGAIN, "not at once: it may never come back");
    assert_eq!(stage.state().await, NoDisplay, "which stands until there is one again");
    let _held = wish.give();
    stage.says(Held).await;
}

#[tokio::test]
async fn who_is_given_no_keys_does_not_try() {
    /// Counts how often it is asked.
    struct Counting(UnboundedSender<()>);

    impl Keyboard for Counting {
        fn allows(&self) -> Result<(), ShortcutState> {
            let _ = self.0.send(());
            Deaf.allows()
        }

        fn take(&self, keys: Shortcut) -> Boxed<'_, Result<Box<dyn Grip>, ShortcutState>> {
            Deaf.take(keys)
        }
    }

    let stage = Stage::set(Some("Ctrl+Alt+S")).await;
    stage.holds.abort();
    stage.says(Nobody).await;
    let (asks, mut asked) = unbounded_channel();
    let holds = tokio::spawn(hold_shortcut(&stage.local, Arc::new(Counting(asks)), |_| {}));
    asked.recv().await.unwrap();
    stage.says(NotHere).await;
    tokio::time::pause();
    let again = tokio::time::timeout(TRY_AGAIN * 100, asked.recv()).await;
    assert!(again.is_err(), "nothing but another choice changes that");
    holds.abort();
}

#[tokio::test]
async fn nobody_holds_it_once_its_holder_is_gone() {
    let mut stage = Stage::set(Some("Ctrl+Alt+S")).await;
    assert_eq!(stage.wish().await.keys, key("Ctrl+Alt+S"));
    stage.holds.abort();
    stage.says(Nobody).await;

    let mut stage = Stage::set(Some("Ctrl+Alt+S")).await;
    let held = stage.wish().await.give();
    stage.says(Held).await;
    stage.holds.abort();
    held.let_go().await;
    stage.says(Nobody).await;
}
