//! The owner in the background, where the desktop has a tray to show it in: `signalbox serve --tray`. It needs no window, and so
//! closing the window stops nothing. Where there is no tray, or the program does not come to own the data directory, the
//! window itself is the owner: a background that nobody sees is none that anybody asked for.

use std::sync::Mutex;

use signalbox_api::{Background, Boxed, Home, Passphrase};
use tokio::{task::JoinHandle, time::Instant};

use crate::{often::Often, serve, tray};

/// `signalbox serve --tray`, started where nobody owns the data directory.
#[derive(Default)]
pub(crate) struct Serve {
    starts: Often,
    /// The look at the desktop that began with us.
    looking: Mutex<Option<JoinHandle<bool>>>,
}

impl Serve {
    /// Begins to look at the desktop, so that whoever opens the data directory soon does not wait for it.
    pub(crate) fn looking() -> Self {
        Self { starts: Often::default(), looking: Mutex::new(Some(tokio::spawn(tray::is_there()))) }
    }
}

impl Background for Serve {
    fn is_possible(&self) -> Boxed<'_, bool> {
        // Later it is looked again: a tray comes and goes.
        let looking = self.looking.lock().ok().and_then(|mut looking| looking.take());
        Box::pin(async move {
            match looking {
                Some(looking) => looking.await.unwrap_or(false),
                None => tray::is_there().await,
            }
        })
    }

    fn start<'a>(&'a self, home: &'a Home, passphrase: Option<&'a Passphrase>) -> Boxed<'a, ()> {
        Box::pin(async move {
            if self.starts.is_it(Instant::now()) {
                return tracing::error!(
                    "the program in the background keeps ending: this window is the owner"
                );
            }
            if let Err(error) = serve::stand_in(home, passphrase.cloned()).await {
                tracing::warn!(%error, "nothing goes on in the background: this window is the owner");
            }
        })
    }
}
