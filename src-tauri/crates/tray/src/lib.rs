//! The icon in the tray: how many questions need their person, the next of them, what is under way, and the way to the window.
//!
//! `menu` has the words, `icon` the picture, `follow` does what is pressed. Who draws it is a [`Panel`]: a Linux desktop's over
//! D-Bus in `serve --tray`, the system's own in the window's program on macOS and Windows. It looks at the desk as any host
//! does: at what changed, after a rest, and once a minute while a time that passes is shown. Where nothing shows it, it looks at
//! nothing.

mod follow;
pub mod icon;
mod menu;
mod read;

use std::time::Duration;

use signalbox_api::{Boxed, Desk};
use tokio::{
    sync::watch,
    time::{Instant, sleep_until},
};

pub use follow::{PRESSES, Pressed, ShowWindow, follow};
pub use menu::{MenuEntry, Press};

use menu::State;

/// A panel is told of changes at most this often.
const REST: Duration = Duration::from_secs(1);
/// How long one look waits.
const WAIT: Duration = Duration::from_secs(60);

/// What is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// How many questions need their person: the number at the icon.
    pub needs_you: u32,
    /// What the icon says in words. No text of a server stands there.
    pub title: String,
    /// What it says beside that; empty where there is nothing.
    pub more: String,
    /// The lines of its menu.
    pub menu: Vec<MenuEntry>,
}

impl Shown {
    /// While nothing is known of the desk: the way to the window, and the end.
    #[must_use]
    pub fn unknown() -> Self {
        let (needs_you, more, title) = (0, String::new(), menu::title(&State::default()));
        Self { needs_you, title, more, menu: menu::unknown() }
    }
}

/// As things stand at the desk now; [`Shown::unknown`] where it does not say.
pub async fn now(desk: &dyn Desk) -> Shown {
    match read::read(desk).await {
        Ok((state, _)) => sight(&state).0,
        Err(error) => {
            tracing::warn!(%error, "the icon in the tray does not know how things stand");
            Shown::unknown()
        }
    }
}

/// Draws the icon.
pub trait Panel: Send + Sync {
    /// Draws this in the place of what it drew before. Whether it could: else it is asked again.
    fn draw(&self, shown: Shown) -> Boxed<'_, bool>;
}

/// Keeps the icon as things stand at the desk, while anything shows it. Ends when nothing ever shows it again.
pub async fn keep(desk: &dyn Desk, panel: &dyn Panel, mut is_seen: watch::Receiver<bool>) {
    let mut shown = None;
    while is_seen.wait_for(|seen| *seen).await.is_ok() {
        let (state, since) = match read::read(desk).await {
            Ok(read) => read,
            Err(error) => {
                tracing::warn!(%error, "the icon in the tray may be behind");
                sleep_until(Instant::now() + WAIT).await;
                continue;
            }
        };
        let now = Instant::now();
        let (sight, ticks_in) = sight(&state);
        if shown.as_ref() != Some(&sight) {
            shown = panel.draw(sight.clone()).await.then_some(sight);
        }
        sleep_until(now + REST).await;
        tokio::select! {
            () = read::changed(desk, since) => {}
            () = sleep_until(now + ticks_in.unwrap_or(WAIT)) => {}
            // A panel that comes anew reads all by itself.
            _ = is_seen.changed() => {}
        }
    }
}

/// What is shown, and in how long it reads otherwise by itself.
fn sight(state: &State) -> (Shown, Option<Duration>) {
    let now = signalbox_engine::wall();
    let shown = Shown {
        needs_you: state.needs_you,
        title: menu::title(state),
        more: menu::more(state),
        menu: menu::menu(state, now),
    };
    (shown, menu::ticks_in(state, now).map(Duration::from_millis))
}
