//! The one window: where it may go, and how it comes to the front.

use std::path::PathBuf;

use signalbox_api::Home;
use signalbox_model::ActivationToken;
use tauri::{
    AppHandle, Manager, Theme, Url, WebviewWindowBuilder, webview::NewWindowResponse, window::Color,
};

use crate::{activation, life, resident, stand, start::Start};

/// Its label, in the configuration and the capability file.
pub(crate) const MAIN: &str = "main";

/// The UI's `--ground`, so that nothing flashes before its first view.
const LIGHT: Color = Color(0xf6, 0xf6, 0xf4, 0xff);
const DARK: Color = Color(0x15, 0x17, 0x1a, 0xff);

/// Where what the web view keeps (the place last shown) lies; none where nothing is kept.
pub(crate) struct Kept(Option<PathBuf>);

impl Kept {
    /// As the data directory of the window has it.
    pub(crate) fn of(home: Option<&Home>) -> Self {
        let dir = home.map(Home::web_view).transpose();
        Self(dir.unwrap_or_else(|error| {
            tracing::warn!(%error, "the window keeps nothing of its own");
            None
        }))
    }
}

/// Opens it, all of it or nothing: half a window would be in the way of the next. `token` lets it come forward.
pub(crate) fn open(app: &AppHandle, token: Option<ActivationToken>) -> tauri::Result<()> {
    let opened = open_whole(app, token);
    if opened.is_err()
        && let Some(half) = app.get_webview_window(MAIN)
    {
        half.destroy()?;
    }
    opened
}

fn open_whole(app: &AppHandle, token: Option<ActivationToken>) -> tauri::Result<()> {
    app.state::<Start>().has_no_page();
    let config = app.config();
    let window = config.app.windows.first().expect("BUG: tauri.conf.json has one window");
    let dev_url = tauri::is_dev().then(|| config.build.dev_url.clone()).flatten();
    let mut window = WebviewWindowBuilder::from_config(app, window)?;
    window = match &app.state::<Kept>().0 {
        Some(dir) => window.data_directory(dir.clone()),
        None => window.incognito(true),
    };
    let window = window
        .on_navigation(move |url| is_ours(url, dev_url.as_ref()))
        .on_new_window(|_, _| NewWindowResponse::Deny)
        .build()?;
    let ground = if window.theme()? == Theme::Dark { DARK } else { LIGHT };
    window.set_background_color(Some(ground))?;
    if let Err(error) = stand::restore(&window) {
        tracing::warn!(%error, "the window does not get back its size and place");
    }
    life::watch(app, &window)?;
    activation::show(&window, token)?;
    window.show()
}

/// Brings it to the front, or opens it where the program goes on without one.
pub(crate) fn raise(app: &AppHandle) {
    raise_by(app, None);
}

/// The same, by the right to come forward where the desktop gave one.
pub(crate) fn raise_by(app: &AppHandle, token: Option<ActivationToken>) {
    if !resident::has_window(app) {
        return;
    }
    let Some(window) = app.get_webview_window(MAIN) else { return };
    let raised = window
        .show()
        .and_then(|()| window.unminimize())
        .and_then(|()| activation::show(&window, token))
        .and_then(|()| window.set_focus());
    if let Err(error) = raised {
        tracing::warn!(%error, "the window cannot be brought to the front");
    }
}

/// Nothing but the UI is ever loaded: pages of others open in the person's browser.
fn is_ours(url: &Url, dev_url: Option<&Url>) -> bool {
    match (url.scheme(), url.host_str()) {
        ("tauri", Some("localhost")) | ("http" | "https", Some("tauri.localhost")) => true,
        _ => dev_url.is_some_and(|dev| url.scheme() == dev.scheme() && url.origin() == dev.origin()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        text.parse().unwrap()
    }

    #[test]
    fn the_window_shows_the_ui_and_nothing_else() {
        assert!(is_ours(&url("tauri://localhost/index.html"), None));
        assert!(is_ours(&url("http://tauri.localhost/"), None), "so it is called on Windows");
        for other in [
            "https://example.com/",
            "http://localhost:1420/",
            "file:///etc/passwd",
            "data:text/html,x",
            "tauri://evil/",
        ] {
            assert!(!is_ours(&url(other), None), "{other} must not be loaded");
        }
    }

    #[test]
    fn in_development_the_development_server_is_ours() {
        let dev = url("http://localhost:1420");
        assert!(is_ours(&url("http://localhost:1420/src/main.tsx"), Some(&dev)));
        assert!(!is_ours(&url("http://localhost:1421/"), Some(&dev)));
        assert!(!is_ours(&url("https://localhost:1420/"), Some(&dev)));
    }
}
