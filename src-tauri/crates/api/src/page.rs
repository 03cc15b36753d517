//! The page of a question (URL mode) in the person's browser. The wish is committed, then the browser is started, and only
//! when that worked anything is sent.
//!
//! Opening a page is one act in three steps. `BeginVisit` commits when it is opened (`visited_at`) and hands out the
//! address, http or https only. The host starts the browser. `EndVisit` tells what became of that. The accept goes at
//! once, or with the rest of its round; for pages before a call (-32042) nothing goes until the person says, by an
//! answer, that they are done there.
//!
//! A browser that fails sends nothing, and `visited_at` is what it was. An accept of a page is never held; a no may be.
//! While its task lives a page that was agreed to can be opened again, which sends nothing.

use signalbox_model::{RequestId, Timestamp};

use crate::{
    ApiError, Code, Desk, DeskExt as _,
    command::{BeginVisit, EndVisit},
    launch::launch,
    remark::noted,
};

/// What starts a browser with an address, such as [`browser`]. It may block for seconds.
pub type Browser = fn(&str) -> Result<(), ApiError>;

/// Starts the person's browser with an address. Blocks until it has taken it, for a few seconds at most.
///
/// # Errors
/// [`Code::BrowserFailed`]; the system's reason is in the log.
pub fn browser(url: &str) -> Result<(), ApiError> {
    launch(url).map_err(|error| {
        // An address may hold what only its reader is to know.
        let why = error.to_string().replace(url, "…");
        tracing::warn!(why, "no browser could be started");
        let message = "No browser could be started. Copy the address and open it yourself";
        ApiError::new(Code::BrowserFailed, message)
    })
}

/// The same without blocking: finding a browser starts programs and waits for the first that works.
///
/// # Errors
/// Those of `browser`; [`Code::Internal`] when it panicked.
pub async fn browse(browser: Browser, url: String) -> Result<(), ApiError> {
    let started = tokio::task::spawn_blocking(move || browser(&url)).await;
    started.unwrap_or_else(|_| Err(ApiError::new(Code::Internal, "Starting the browser ended early")))
}

/// Opens a question's page in the person's browser, which accepts the question: only ever after the person's act. Of a call
/// that waits until pages were visited the question stays open until the person is done there. `seen`, `remark` and `asks`: as of
/// [`Answer`](crate::command::Answer).
///
/// # Errors
/// [`Code::Usage`] for a note that is too long: nothing was opened. [`Code::BrowserFailed`]: nothing was sent. Others as of [`BeginVisit`], before the page was opened, and of
/// [`EndVisit`], after it.
pub async fn open_page(
    desk: &dyn Desk,
    request: RequestId,
    seen: Option<Timestamp>,
    remark: Option<String>,
    asks: Option<String>,
    start: Browser,
) -> Result<(), ApiError> {
    let remark = noted(remark)?;
    let url = desk.act(BeginVisit { request, seen, asks: asks.clone() }).await?.url;
    let started = browse(start, url).await;
    let ended = desk.act(EndVisit { request, opened: started.is_ok(), seen, remark, asks }).await;
    // That no browser was started is what the person must know, also where that could not be kept.
    started.map_err(|error| ApiError { message: format!("{}. Nothing was sent", error.message), ..error })?;
    ended.map_err(|error| {
        let message = format!("The page was opened. {}", error.message);
        ApiError { message, ..error }
    })
}
