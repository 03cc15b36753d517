//! Another program that owns the data directory in the place of one that comes and goes.
//!
//! It is asked for whenever there is to be a new owner. Who that is in the end the lock decides, as ever: where the other
//! one does not come to it, whoever asked becomes the owner.

use signalbox_signin::Passphrase;
use signalbox_store::Reads;

use crate::{Boxed, Home, Settings, local::SETTINGS, owner::Ownership};

/// How another program is had to own a data directory.
pub trait Background: Send + Sync {
    /// Whether there can be one now. Answered within moments: whoever opens the directory waits for it.
    fn is_possible(&self) -> Boxed<'_, bool>;

    /// Starts it. Returns once it owns the directory, or is not going to.
    fn start<'a>(&'a self, home: &'a Home, passphrase: Option<&'a Passphrase>) -> Boxed<'a, ()>;
}

/// Whether another program is to own the data directory, which is ours at the moment: so nobody else writes there.
pub(crate) async fn is_wanted(background: &dyn Background, ours: &Ownership) -> bool {
    background.is_possible().await && kept(ours.home()).await.background
}

/// The settings as they are kept. Where they cannot be read, what is wrong shows when the directory is opened.
async fn kept(home: &Home) -> Settings {
    let dir = home.dir().to_owned();
    let kept = tokio::task::spawn_blocking(move || {
        let reads = Reads::of_read_only(&dir).ok()?;
        reads.setting(SETTINGS).ok()?.and_then(|json| json.read().ok())
    });
    kept.await.ok().flatten().unwrap_or_default()
}
