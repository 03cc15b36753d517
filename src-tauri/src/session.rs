//! The data directory behind the window, opened for as long as its program lives, and tried again where it cannot be.

use std::{future, sync::Arc, time::Duration};

use signalbox_api::{
    ASKS, ApiError, Ask, Background, Code, Desk, DeskExt as _, Home, Keyboard, Local, Notifications,
    OwnerKind, Passphrase, Retry, Standing, WindowLock, before_next_try, command, logging::Logs,
};
use tokio::{
    sync::{Notify, Semaphore, watch},
    task::JoinSet,
    time,
};

use crate::forward::{self, Raise};

/// How long to wait before a data directory is tried again that could not be opened.
const TRY_AGAIN: Duration = Duration::from_secs(3);

/// The data directory, opened for as long as the program lives.
pub(crate) struct Session {
    home: Result<Home, ApiError>,
    /// By which we are the one window of our version.
    only: Option<WindowLock>,
    logs: Option<Logs>,
    /// Who is to own it in our place.
    background: Option<Arc<dyn Background>>,
    wanted: watch::Sender<bool>,
    state: watch::Sender<State>,
    /// Somebody has asked the owner to end.
    quit: Notify,
    /// A permit for each ask that is under way.
    seats: Semaphore,
}

/// Where it stands.
#[derive(Clone)]
pub(crate) enum State {
    /// On the way: questions wait.
    Opening,
    /// Questions are answered, by whoever owns it.
    Open(Arc<Standing>),
    /// It cannot be opened. The window shows why; the files stay as they are.
    Broken(ApiError),
    /// Left, for good or for another owner.
    Closed,
}

/// What the window's program lends the session: its window, and the system's keyboard.
#[derive(Clone)]
pub(crate) struct Face {
    /// Brings the window to the front, by the right to do so where the desktop gave one.
    pub(crate) raise: Arc<Raise>,
    /// Tells of the person's key.
    pub(crate) keyboard: Arc<dyn Keyboard>,
}

#[cfg(test)]
impl Face {
    /// Of a session without a window.
    pub(crate) fn none() -> Self {
        Self { raise: Arc::new(|_| {}), keyboard: Arc::new(signalbox_api::Deaf) }
    }
}

impl Session {
    /// Opens nothing yet. Without a home all that is ever answered is why there is none.
    #[cfg(test)]
    pub(crate) fn new(home: Result<Home, ApiError>, logs: Option<Logs>) -> Arc<Self> {
        Self::behind(home, None, logs, None)
    }

    /// Likewise; where nobody owns the data directory, `background` is to, where there is one.
    pub(crate) fn behind(
        home: Result<Home, ApiError>,
        only: Option<WindowLock>,
        logs: Option<Logs>,
        background: Option<Arc<dyn Background>>,
    ) -> Arc<Self> {
        let (wanted, state) = (watch::Sender::new(false), watch::Sender::new(State::Closed));
        Arc::new(Self {
            home,
            only,
            logs,
            background,
            wanted,
            state,
            quit: Notify::new(),
            seats: Semaphore::new(ASKS),
        })
    }

    /// The data directory.
    pub(crate) fn home(&self) -> Result<&Home, ApiError> {
        self.home.as_ref().map_err(Clone::clone)
    }

    /// Opens the data directory and keeps it open: takes over from an owner that leaves, and tries again where that
    /// may help. Raises its face whenever somebody wishes for the window.
    pub(crate) fn open(self: &Arc<Self>, face: Face) {
        self.wanted.send_replace(true);
        self.state.send_replace(State::Opening);
        tokio::spawn(Arc::clone(self).keep_open(face));
    }

    /// Leaves the data directory: what is under way is written, the lock is free. Nothing but [`Self::open`] opens it
    /// again.
    pub(crate) async fn close(&self) {
        self.wanted.send_replace(false);
        self.when(|state| matches!(state, State::Closed)).await;
    }

    /// Resolves once somebody has asked the owner to end, and the window with it.
    pub(crate) async fn asked_to_quit(&self) {
        self.quit.notified().await;
    }

    /// Tries at once to open a data directory that could not be opened: something was done about it.
    pub(crate) fn try_again(&self) {
        self.wanted.send_modify(|_| {});
    }

    /// The desk, as soon as there is one.
    pub(crate) async fn desk(&self) -> Result<Arc<Standing>, ApiError> {
        match self.when(|state| !matches!(state, State::Opening)).await {
            State::Open(desk) => Ok(desk),
            State::Broken(error) => Err(error),
            State::Opening | State::Closed => Err(ApiError::new(Code::OwnerGone, "the window is closing")),
        }
    }

    /// Carries out an act, or looks, and answers as the page reads it. Refused while as many are under way as a guest may have. A look ends when the window leaves the data directory; an act runs to its end.
    pub(crate) async fn ask(&self, ask: Ask) -> Result<String, ApiError> {
        let Ok(_seat) = self.seats.try_acquire() else {
            let message = format!("more than {ASKS} asks at the same time: wait for answers first");
            return Err(ApiError::new(Code::Throttled, message));
        };
        let desk = self.desk().await?;
        let looks = matches!(ask, Ask::Changes { .. });
        tokio::select! {
            answered = desk.ask_for_text(ask) => answered,
            () = self.left(&desk), if looks => Err(ApiError::new(Code::OwnerGone, "the window leaves the data directory")),
        }
    }

    /// Resolves once this desk is not the one that is open.
    pub(crate) async fn left(&self, desk: &Arc<Standing>) {
        self.when(|state| !matches!(state, State::Open(open) if Arc::ptr_eq(open, desk))).await;
    }

    /// The passphrase of the encrypted file that keeps secrets, while it is open here.
    pub(crate) async fn passphrase(&self) -> Option<Passphrase> {
        match self.state() {
            State::Open(desk) => desk.local().await.and_then(|local| local.passphrase()),
            State::Opening | State::Broken(_) | State::Closed => None,
        }
    }

    /// Where it stands now.
    pub(crate) fn state(&self) -> State {
        self.state.borrow().clone()
    }

    /// The first state that `is` what is waited for.
    pub(crate) async fn when(&self, is: impl FnMut(&State) -> bool) -> State {
        let mut states = self.state.subscribe();
        states.wait_for(is).await.expect("BUG: the sender lives as long as we do").clone()
    }

    async fn keep_open(self: Arc<Self>, face: Face) {
        let mut wanted = self.wanted.subscribe();
        while *wanted.borrow_and_update() {
            let error = match self.open_once(&face.keyboard).await {
                Ok(desk) => {
                    let desk = Arc::new(desk);
                    self.state.send_replace(State::Open(Arc::clone(&desk)));
                    let mut quits = false;
                    let known = desk.local().await.map(|_| 0);
                    let error = tokio::select! {
                        error = desk.keep() => Some(error),
                        () = forward::watch(desk.as_ref(), known, face.raise.as_ref()) => {
                            quits = true;
                            None
                        }
                        _ = wanted.wait_for(|wanted| !wanted) => None,
                    };
                    if quits {
                        desk.ends();
                        self.quit.notify_one();
                        let _ = wanted.wait_for(|wanted| !wanted).await;
                    }
                    self.state.send_replace(State::Opening);
                    desk.close().await;
                    error
                }
                Err(error) => Some(error),
            };
            if let Some(error) = error {
                tracing::error!(code = error.code.as_str(), %error, "the data directory cannot be opened");
                let again = error.retry != Retry::Never;
                self.state.send_replace(State::Broken(error));
                let left = async {
                    tokio::select! {
                        _ = wanted.changed() => {}
                        () = self.forward(&face) => {}
                    }
                };
                if again {
                    let _ = time::timeout(TRY_AGAIN, left).await;
                } else {
                    left.await;
                }
            }
        }
        self.state.send_replace(State::Closed);
    }

    /// Raises our face at each wish at the lock, for as long as this is polled: while there is no owner who could tell us of one.
    async fn forward(&self, face: &Face) {
        let Some(only) = &self.only else { return future::pending().await };
        only.forgets();
        loop {
            if only.hears() {
                // What is wished at a lock comes without words.
                (face.raise)(None);
            }
            before_next_try().await;
        }
    }

    async fn open_once(&self, keyboard: &Arc<dyn Keyboard>) -> Result<Standing, ApiError> {
        // Where nobody gave one, the window asks for it.
        let passphrase = signalbox_api::passphrase(None).await?;
        let (logs, keyboard) = (self.logs.clone(), Arc::clone(keyboard));
        let beside = Box::new(move |local: &Arc<Local>| equip(local, logs.as_ref(), Arc::clone(&keyboard)));
        let background = self.background.clone();
        Standing::open_behind(self.home()?.clone(), OwnerKind::Window, passphrase, beside, background).await
    }
}

/// What an owner has beside the engine: its notifications, its log level and the person's key.
fn equip(local: &Arc<Local>, logs: Option<&Logs>, keyboard: Arc<dyn Keyboard>) -> JoinSet<()> {
    if let Some(logs) = logs {
        local.keep_logs(logs.clone());
    }
    if let Some(program) = signalbox_api::own_program() {
        local.play_demo(program);
    }
    let owner = Arc::downgrade(local);
    let show = move |wish: command::BringForward| {
        if let Some(local) = owner.upgrade() {
            tokio::spawn(async move { local.act(wish).await });
        }
    };
    let mut beside = Notifications::start(local, show.clone());
    let show = move |item| show(command::BringForward { item, link: None, token: None });
    beside.spawn(signalbox_api::hold_shortcut(local, keyboard, show));
    beside
}

#[cfg(test)]
mod tests {
    use signalbox_api::{
        Answered, Changes, Cursor, InboxTab, Overview, OwnerKind, ShortcutState, View, ViewData,
    };

    use super::*;

    fn session(home: &Home) -> Arc<Session> {
        let session = Session::new(Ok(home.clone()), None);
        session.open(Face::none());
        session
    }

    async fn owns(session: &Session) -> bool {
        match session.when(|state| !matches!(state, State::Opening)).await {
            State::Open(desk) => desk.local().await.is_some(),
            State::Broken(error) => panic!("not opened: {error}"),
            State::Opening | State::Closed => false,
        }
    }

    /// What the page would read.
    async fn looks(
        session: &Session,
        view: View,
        after: Option<Cursor>,
        wait_ms: u32,
    ) -> Result<Changes, ApiError> {
        let text = session.ask(Ask::Changes { view, after, wait_ms }).await?;
        match serde_json::from_str(&text).expect("it is an answer") {
            Answered::Changes { changes } => Ok(changes),
            Answered::Reply { .. } => panic!("a look is answered with changes: {text}"),
        }
    }

    /// The overview of the owner after the one that this cursor is of: that owner says all of it. What the one that leaves says
    /// before, such as that nobody holds the key any more, is a change alone.
    async fn all_of_the_next(session: &Session, mut after: Cursor) -> Overview {
        loop {
            let changes = looks(session, View::Overview, Some(after), 60_000).await;
            let changes = changes.expect("the look goes on at the next owner");
            after = changes.cursor;
            if let Some(ViewData::Overview { change }) = changes.data
                && let Some(overview) = change.after(None)
            {
                return overview;
            }
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_guest_takes_over_when_the_owner_leaves() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path()).unwrap();
        let first = session(&home);
        assert!(owns(&first).await, "nobody else is there");
        let second = session(&home);
        assert!(!owns(&second).await, "there is one owner");

        let changes = looks(&second, View::Overview, None, 0).await.unwrap();
        let waiting = tokio::spawn({
            let second = Arc::clone(&second);
            async move { all_of_the_next(&second, changes.cursor).await }
        });
        first.close().await;
        assert_eq!(looks(&first, View::Overview, None, 0).await.unwrap_err().code, Code::OwnerGone);
        let owner = waiting.await.unwrap().owner;
        assert_eq!((owner.kind, owner.pid), (OwnerKind::Window, std::process::id()));
        assert!(owns(&second).await, "that is the window that was a guest");

        let rows = View::Inbox {
            tab: InboxTab::NeedsYou,
            filter: String::new(),
            within: String::new(),
            offset: 0,
            limit: 1,
        };
        let changes = looks(&second, rows.clone(), None, 0).await.unwrap();
        // Of the inbox: the end itself changes the overview, which then says that nobody holds the key.
        let waiting = looks(&second, rows, Some(changes.cursor), 60_000);
        let (waited, ()) = tokio::join!(waiting, second.close());
        assert_eq!(waited.unwrap_err().code, Code::OwnerGone, "a look must not wait for nobody");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_page_that_asks_without_end_is_refused_and_served_again_afterwards() {
        let dir = tempfile::tempdir().unwrap();
        let session = session(&Home::at(dir.path()).unwrap());
        assert!(owns(&session).await, "nobody else counts its asks");
        let overview = |after, wait_ms| Ask::Changes { view: View::Overview, after, wait_ms };
        // Who looks before it is known what becomes of the key does not wait.
        let mut seen = None;
        let settled = loop {
            let changes = looks(&session, View::Overview, seen, 60_000).await.unwrap();
            seen = Some(changes.cursor);
            if let Some(ViewData::Overview { change }) = changes.data
                && change.shortcut == ShortcutState::NotHere
            {
                break seen;
            }
        };
        let mut waiting = JoinSet::new();
        for _ in 0..64 {
            let (session, ask) = (Arc::clone(&session), overview(settled, 60_000));
            waiting.spawn(async move { session.ask(ask).await });
        }
        while session.seats.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        assert_eq!(session.ask(overview(None, 0)).await.unwrap_err().code, Code::Throttled);
        waiting.shutdown().await;
        assert!(session.ask(overview(None, 0)).await.is_ok(), "there is room again");
        session.close().await;
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn what_was_left_can_be_opened_again() {
        let dir = tempfile::tempdir().unwrap();
        let session = session(&Home::at(dir.path()).unwrap());
        for _ in 0..2 {
            assert!(owns(&session).await);
            session.close().await;
            assert!(matches!(session.state(), State::Closed));
            session.open(Face::none());
        }
        session.close().await;
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_damaged_store_is_an_answer_and_is_kept() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path()).unwrap();
        let file = home.dir().join("signalbox.db");
        std::fs::write(&file, "not a database, but somebody's file".repeat(100)).unwrap();
        let before = std::fs::read(&file).unwrap();
        let session = session(&home);
        let error = session.desk().await.err().expect("it cannot be opened");
        assert_eq!(error.code, Code::StorageDamaged);
        session.close().await;
        assert_eq!(std::fs::read(&file).unwrap(), before, "the file must be kept as it is");
    }

    #[tokio::test]
    async fn without_a_data_directory_every_question_is_answered_with_the_reason() {
        let denied = ApiError::new(Code::StorageDenied, "not ours");
        let session = Session::new(Err(denied.clone()), None);
        session.open(Face::none());
        assert_eq!(session.desk().await.err(), Some(denied));
        session.close().await;
    }
}
