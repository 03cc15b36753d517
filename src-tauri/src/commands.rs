//! All that the web view can ask of the program. `capabilities/main.json` says that the window may.

use std::sync::Arc;

use serde_json::Value;
use signalbox_api::{ApiError, Ask, Code, Retry, Theme};
use signalbox_model::{RequestId, Timestamp};
use tauri::{AppHandle, Manager as _, State, ipc::Response};
use url::Url;

use crate::{
    close::{self, How},
    closing::Closing,
    dress::{self, Dress},
    looks::Looks,
    resident, safe,
    session::Session,
    start::Start,
    stops::{Scope, Stops},
};

/// An act or a look. A look has a number by which it can be left.
#[tauri::command]
pub(crate) async fn desk(
    session: State<'_, Arc<Session>>,
    looks: State<'_, Looks>,
    ask: Value,
    look: Option<u32>,
) -> Result<Response, ApiError> {
    let answering = session.ask(Ask::from_page(ask)?);
    let answered = match look {
        Some(look) => looks.until_left(look, answering).await,
        None => answering.await,
    }?;
    Ok(Response::new(answered))
}

/// Nobody waits for this look any more.
#[tauri::command]
pub(crate) fn leave_look(looks: State<'_, Looks>, look: u32) {
    looks.leave(look);
}

/// The first view is on screen.
#[tauri::command]
pub(crate) async fn window_ready(
    start: State<'_, Start>,
    session: State<'_, Arc<Session>>,
) -> Result<(), ApiError> {
    start.ready(&session).await
}

/// Opens a page to sign in at in the person's browser: only ever after the person's act, never in this window.
#[tauri::command]
pub(crate) async fn open_url(url: String) -> Result<(), ApiError> {
    signalbox_api::browse(signalbox_api::browser, page(&url)?.into()).await
}

/// Opens a question's page in the person's browser, which accepts the question.
#[tauri::command]
pub(crate) async fn open_page(
    session: State<'_, Arc<Session>>,
    request: RequestId,
    seen: Option<Timestamp>,
    remark: Option<String>,
    asks: String,
) -> Result<(), ApiError> {
    let desk = session.desk().await?;
    let asks = Some(asks);
    match signalbox_api::open_page(desk.as_ref(), request, seen, remark, asks, signalbox_api::browser).await {
        // The question itself shows that its answer waits.
        Err(error) if error.retry == Retry::Queued => Ok(()),
        opened => opened,
    }
}

/// What the person decided about closing.
#[tauri::command]
pub(crate) async fn close_window(app: AppHandle, how: How) -> Result<(), ApiError> {
    close::decided(&app, how).await
}

/// The person wants to end what follows the tasks in the background, and the window.
#[tauri::command]
pub(crate) async fn quit(app: AppHandle) {
    close::requested(app, Scope::All).await;
}

/// What stops if the window closes now, or if what follows the tasks in the background ends as well: asked again and again
/// while the person decides.
#[tauri::command]
pub(crate) async fn what_stops(app: AppHandle, all: bool) -> Option<Stops> {
    close::what_stops(&app, if all { Scope::All } else { Scope::Window }).await
}

/// The version of the window's program: the owner may be of another one.
#[tauri::command]
pub(crate) fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// Why the window is drawn with safe graphics, if it is.
#[tauri::command]
pub(crate) fn safe_graphics() -> Option<safe::Why> {
    safe::why()
}

/// Whether the program can outlive its window. Where it can, the setting `background` says whether it does.
#[tauri::command]
pub(crate) fn outlives_window(app: AppHandle) -> bool {
    resident::is(&app)
}

/// Has the program in the background end, and one of our own version in its place.
#[tauri::command]
pub(crate) async fn restart_background(session: State<'_, Arc<Session>>) -> Result<(), ApiError> {
    close::restart_background(&session).await
}

/// What was typed last is saved: the window may go. Unless it is not `all`: then the page has the only copy of the rest.
#[tauri::command]
pub(crate) fn has_saved(closing: State<'_, Closing>, all: bool) {
    closing.saved(all);
}

/// The page wears these colours: what the system draws of the window goes with it.
#[tauri::command]
pub(crate) async fn wear(app: AppHandle, theme: Theme) {
    let handle = app.clone();
    let worn = app.run_on_main_thread(move || dress::wear(&handle.state::<Dress>(), theme));
    if let Err(error) = worn {
        tracing::warn!(%error, "the system's part of the window keeps its colours");
    }
}

/// The page asks the person about closing.
#[tauri::command]
pub(crate) fn asks_about_closing(closing: State<'_, Closing>) {
    closing.heard();
}

/// The person decided not to close.
#[tauri::command]
pub(crate) fn stay_open(closing: State<'_, Closing>) {
    closing.answered();
}

/// Other schemes start other programs, or read files.
fn page(url: &str) -> Result<Url, ApiError> {
    match Url::parse(url) {
        Ok(url) if matches!(url.scheme(), "http" | "https") => Ok(url),
        _ => Err(ApiError::new(Code::Usage, "Only http and https pages are opened in the browser.")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_web_pages_reach_the_browser() {
        assert!(page("https://example.com/a?b#c").is_ok());
        assert!(page("http://127.0.0.1:8080/").is_ok());
        for url in [
            "file:///etc/passwd",
            "javascript:alert(1)",
            "ssh://host",
            "-version",
            "example.com",
            "",
            "tauri://localhost",
        ] {
            let error = page(url).expect_err(url);
            assert_eq!(error.code, Code::Usage, "{url} must be refused");
        }
    }
}
