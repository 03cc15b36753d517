//! Who owns a data directory where a program in the background is to.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use signalbox_api::{
    Background, Boxed, DeskExt as _, Home, Opened, OwnerKind, Passphrase, Settings, Standing, command, look,
    open,
};
use tokio::{sync::Mutex, task::JoinSet};

use crate::stage::LIMIT;

/// Starts owners in this process, where it can.
#[derive(Default)]
struct Scripted {
    impossible: bool,
    /// It comes to nothing.
    fails: bool,
    starts: AtomicUsize,
    owner: Mutex<Option<Opened>>,
}

impl Background for Scripted {
    fn is_possible(&self) -> Boxed<'_, bool> {
        Box::pin(std::future::ready(!self.impossible))
    }

    fn start<'a>(&'a self, home: &'a Home, _: Option<&'a Passphrase>) -> Boxed<'a, ()> {
        Box::pin(async move {
            self.starts.fetch_add(1, Ordering::Relaxed);
            if !self.fails {
                *self.owner.lock().await = Some(open(home, OwnerKind::Serve).await.unwrap());
            }
        })
    }
}

impl Scripted {
    fn starts(&self) -> usize {
        self.starts.load(Ordering::Relaxed)
    }

    async fn owner(&self) -> Opened {
        self.owner.lock().await.take().expect("it was started")
    }
}

struct Place {
    _dir: tempfile::TempDir,
    home: Home,
}

impl Place {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path()).unwrap();
        Self { _dir: dir, home }
    }

    async fn window(&self, background: &Arc<Scripted>) -> Standing {
        let background = Some(Arc::clone(background) as Arc<dyn Background>);
        let beside = Box::new(|_: &_| JoinSet::new());
        let opening = Standing::open_behind(self.home.clone(), OwnerKind::Window, None, beside, background);
        tokio::time::timeout(LIMIT, opening).await.expect("it opens").unwrap()
    }
}

async fn owner_of(desk: &Standing) -> OwnerKind {
    desk.see(look::Overview {}).await.unwrap().after(None).expect("all of it").owner.kind
}

#[tokio::test(flavor = "multi_thread")]
async fn whenever_nobody_owns_it_the_background_is_to() {
    let (place, background) = (Place::new(), Arc::new(Scripted::default()));
    let window = place.window(&background).await;
    assert_eq!((owner_of(&window).await, background.starts()), (OwnerKind::Serve, 1));

    // It lets go of its socket before it lets go of the lock.
    background.owner().await.close().await;
    assert_eq!((owner_of(&window).await, background.starts()), (OwnerKind::Serve, 2), "the window goes on");

    let next = async {
        background.owner().await.close().await;
        assert_eq!(owner_of(&window).await, OwnerKind::Serve);
    };
    tokio::select! {
        error = window.keep() => panic!("there is a next owner: {error}"),
        () = next => {}
    }
    assert_eq!(background.starts(), 3, "once for each that left");
    assert!(window.local().await.is_none(), "no engine ever ran here");
    window.close().await;
    background.owner().await.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn where_there_can_be_none_the_window_owns_it() {
    let (place, background) = (Place::new(), Arc::new(Scripted { impossible: true, ..Scripted::default() }));
    let window = place.window(&background).await;
    assert_eq!((owner_of(&window).await, background.starts()), (OwnerKind::Window, 0));
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn where_it_comes_to_nothing_the_window_owns_it() {
    let (place, background) = (Place::new(), Arc::new(Scripted { fails: true, ..Scripted::default() }));
    let window = place.window(&background).await;
    assert_eq!((owner_of(&window).await, background.starts()), (OwnerKind::Window, 1), "tried once");
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn where_the_person_wants_none_the_window_owns_it() {
    let (place, background) = (Place::new(), Arc::new(Scripted::default()));
    let owner = open(&place.home, OwnerKind::Command).await.unwrap();
    let settings = Settings { background: false, ..Settings::default() };
    owner.desk().act(command::SetSettings { settings }).await.unwrap();
    owner.close().await;
    let window = place.window(&background).await;
    assert_eq!((owner_of(&window).await, background.starts()), (OwnerKind::Window, 0));
    let settings = Settings::default();
    window.act(command::SetSettings { settings }).await.unwrap();
    window.close().await;
    let window = place.window(&background).await;
    assert_eq!((owner_of(&window).await, background.starts()), (OwnerKind::Serve, 1));
    window.close().await;
    background.owner().await.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_that_open_it_at_once_none_is_left_without_an_owner() {
    let place = Place::new();
    let [one, other] = [(); 2].map(|()| Arc::new(Scripted::default()));
    let (first, second) = tokio::join!(place.window(&one), place.window(&other));
    for window in [&first, &second] {
        assert_eq!(owner_of(window).await, OwnerKind::Serve);
    }
    first.close().await;
    second.close().await;
    for background in [one, other] {
        let opened = background.owner.lock().await.take();
        if let Some(opened) = opened {
            opened.close().await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_owns_it_already_is_joined() {
    let (place, background) = (Place::new(), Arc::new(Scripted::default()));
    let command = open(&place.home, OwnerKind::Command).await.unwrap();
    let window = place.window(&background).await;
    assert_eq!((owner_of(&window).await, background.starts()), (OwnerKind::Command, 0));
    command.close().await;
    assert_eq!(
        (owner_of(&window).await, background.starts()),
        (OwnerKind::Serve, 1),
        "it goes on afterwards"
    );
    window.close().await;
    background.owner().await.close().await;
}
