//! The menu bar of macOS. Tauri's own would end the program by its Quit at once, where ours says first what would stop.

use tauri::{
    AppHandle, async_runtime,
    menu::{Menu, MenuItem, PredefinedMenuItem as Usual, Submenu, WINDOW_SUBMENU_ID},
};

use crate::{close, stops::Scope};

const QUIT: &str = "quit";

/// Puts it up.
pub(super) fn put(app: &AppHandle) {
    if let Err(error) = menu(app).and_then(|menu| app.set_menu(menu)) {
        return tracing::warn!(%error, "the menu bar is the usual one");
    }
    app.on_menu_event(|app, event| {
        if event.id() == QUIT {
            async_runtime::spawn(close::requested(app.clone(), Scope::All));
        }
    });
}

fn menu(app: &AppHandle) -> tauri::Result<Menu<tauri::Wry>> {
    let line = || Usual::separator(app);
    let quit = MenuItem::with_id(app, QUIT, "Quit Signalbox", true, Some("Cmd+Q"))?;
    let ours = Submenu::with_items(
        app,
        "Signalbox",
        true,
        &[
            &Usual::about(app, None, None)?,
            &line()?,
            &Usual::services(app, None)?,
            &line()?,
            &Usual::hide(app, None)?,
            &Usual::hide_others(app, None)?,
            &Usual::show_all(app, None)?,
            &line()?,
            &quit,
        ],
    )?;
    let edit = Submenu::with_items(
        app,
        "Edit",
        true,
        &[
            &Usual::undo(app, None)?,
            &Usual::redo(app, None)?,
            &line()?,
            &Usual::cut(app, None)?,
            &Usual::copy(app, None)?,
            &Usual::paste(app, None)?,
            &Usual::select_all(app, None)?,
        ],
    )?;
    let window = Submenu::with_id_and_items(
        app,
        WINDOW_SUBMENU_ID,
        "Window",
        true,
        &[
            &Usual::minimize(app, None)?,
            &Usual::maximize(app, None)?,
            &line()?,
            &Usual::close_window(app, None)?,
        ],
    )?;
    Menu::with_items(app, &[&ours, &edit, &window])
}
