//! Links of ours that macOS hands over: to the program that runs, or to one that it starts for them. Which links are ours it knows from
//! the bundle (`Info.plist`).

use std::sync::Arc;

use signalbox_api::{DeskExt as _, Home, Link};
use tauri::{AppHandle, Manager as _, async_runtime};

use crate::{
    args::Shown,
    session::{Session, State},
    window,
};

/// Shows where the last of them leads, once the data directory is open. A link is for the default one: a window of another only
/// comes forward.
pub(crate) fn follow(app: &AppHandle, links: impl DoubleEndedIterator<Item = String>) {
    let (app, link) = (app.clone(), links.rev().find(|link| Link::is_meant(link)));
    async_runtime::spawn(async move {
        let session = Arc::clone(&app.state::<Arc<Session>>());
        let told = match session.when(|state| !matches!(state, State::Opening)).await {
            State::Open(desk) if is_usual(&session) => {
                desk.act(Shown::wish(link.map(Shown::Link), None)).await.is_ok()
            }
            _ => false,
        };
        if !told {
            window::raise(&app);
        }
    });
}

fn is_usual(session: &Session) -> bool {
    let usual = Home::resolve(None);
    usual.is_ok_and(|usual| session.home().is_ok_and(|home| *home == usual))
}
