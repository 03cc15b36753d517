//! The window's page lives in a process of its own, which can die: for want of memory, of a bug, by somebody's hand. What it
//! showed last must never stay as if it lived: the page is loaded again, where it was, with the drafts that were kept. One
//! that dies again and again is the person's to decide about.

use std::{
    collections::VecDeque,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use tauri::{AppHandle, Manager, WebviewWindow};
use tokio::time::Instant;

use crate::{close, native, window::MAIN};

/// A page that dies so often within this time is not loaded again unasked.
const OFTEN: usize = 3;
const WITHIN: Duration = Duration::from_secs(60);

/// When the page died last.
#[derive(Default)]
pub(crate) struct Life {
    deaths: Mutex<VecDeque<Instant>>,
}

impl Life {
    /// Whether the page may be loaded again unasked.
    fn died(&self, now: Instant) -> bool {
        let mut deaths = self.deaths.lock().unwrap_or_else(PoisonError::into_inner);
        deaths.push_back(now);
        deaths.retain(|death| now - *death < WITHIN);
        let often = deaths.len() >= OFTEN;
        if often {
            deaths.clear();
        }
        !often
    }
}

/// Notices when the page's process ends.
#[cfg(target_os = "linux")]
pub(crate) fn watch(app: &AppHandle, window: &WebviewWindow) -> tauri::Result<()> {
    use webkit2gtk::WebViewExt;

    let app = app.clone();
    window.with_webview(move |webview| {
        webview.inner().connect_web_process_terminated(move |_, reason| died(&app, &format!("{reason:?}")));
    })
}

/// Elsewhere nobody tells.
#[cfg(not(target_os = "linux"))]
pub(crate) fn watch(_: &AppHandle, _: &WebviewWindow) -> tauri::Result<()> {
    Ok(())
}

#[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "only WebKit for GTK tells"))]
fn died(app: &AppHandle, reason: &str) {
    let again = app.state::<Life>().died(Instant::now());
    tracing::error!(reason, again, "the process of the window's page has ended");
    if again {
        return load(app);
    }
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        match native::ask(&app, native::KEEPS_FAILING).await {
            Some(false) => close::quit(app).await,
            // Only who says so closes what may be under way.
            Some(true) | None => load(&app),
        }
    });
}

fn load(app: &AppHandle) {
    let loaded = app.get_webview_window(MAIN).map(|window| window.reload());
    if let Some(Err(error)) = loaded {
        tracing::error!(%error, "the window's page cannot be loaded again");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_third_death_within_a_minute_is_the_persons() {
        let (life, now) = (Life::default(), Instant::now());
        let after = |seconds| now + Duration::from_secs(seconds);
        assert!(life.died(now) && life.died(after(30)));
        assert!(!life.died(after(59)), "a third within a minute");
        assert!(life.died(after(60)), "the person had it tried again: counted anew");
        assert!(life.died(after(100)) && life.died(after(140)), "never three within a minute");
    }
}
