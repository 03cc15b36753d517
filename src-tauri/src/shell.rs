//! Puts the program together: data directory, session, window, and how they end.

use std::{io, sync::Arc};

use signalbox_api::{ApiError, Background, Home, WindowLock, logging::Logs};
use signalbox_model::ActivationToken;
use tauri::{AppHandle, Manager, RunEvent, WindowEvent, async_runtime};

use crate::{
    args::Args,
    background::Serve,
    close,
    closing::Closing,
    commands,
    dress::Dress,
    errands::{self, Errands},
    instance::{self, Started, Wish},
    keyboard,
    life::Life,
    looks::Looks,
    parts,
    resident::{self, Resident},
    safe, saves,
    session::{Face, Session},
    stand::{self, Stands},
    start::Start,
    stops::Scope,
    window::{self, Kept},
};

/// What the log keeps until the settings are read.
const LOG_LEVEL: &str = "info";

/// Why there is no window.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ShellError {
    /// The data directory's window does not answer.
    #[error(transparent)]
    Instance(#[from] ApiError),
    /// What was asked of this start does not change a window that is there.
    #[error(
        "a window is open already, and keeps its graphics: close it, and start again with --safe-graphics"
    )]
    IsOpen,
    /// There is nowhere to show it.
    #[error("there is no display: neither WAYLAND_DISPLAY nor DISPLAY is set. The command line needs none")]
    NoDisplay,
    /// The one that is named is not there.
    #[error("the display that WAYLAND_DISPLAY or DISPLAY names does not answer. The command line needs none")]
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "only there it has a name"))]
    DeadDisplay,
    /// The program could not be started again in its own place.
    #[error("the window cannot be opened with safe graphics: this program cannot start itself again: {0}")]
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "only WebKit for GTK needs them"))]
    SafeGraphics(io::Error),
    /// The desktop gave us no window.
    #[error("the window cannot be opened: {0}")]
    Window(#[from] tauri::Error),
}

/// Shows the window until it is closed, or brings the one that is there forward. Returns the exit code.
/// `token` lets it come forward.
pub(crate) fn run(args: Args, token: Option<ActivationToken>) -> Result<i32, ShellError> {
    #[cfg(target_os = "linux")]
    let launch = safe::Launch::ours();
    let wish = (!args.hidden).then(|| Wish { shown: args.shown(), demo: args.demo, token: token.clone() });
    let started = async_runtime::block_on(instance::start(Home::resolve(args.home.clone()), wish))?;
    let Started::Window(claimed) = started else {
        return if safe::why() == Some(safe::Why::Asked) { Err(ShellError::IsOpen) } else { Ok(0) };
    };
    if !has_display() {
        return Err(ShellError::NoDisplay);
    }
    // The window's library would panic.
    #[cfg(target_os = "linux")]
    gtk::init().map_err(|_| ShellError::DeadDisplay)?;
    let (home, only_window) = match claimed {
        Ok((home, lock)) => (Ok(home), Some(lock)),
        Err(error) => (Err(error), None),
    };
    let logs = home.as_ref().ok().and_then(|home| Logs::init(home, LOG_LEVEL).ok());
    if let Some(why) = safe::why() {
        tracing::warn!(?why, "the window is drawn with safe graphics");
    }
    let background = (!resident::stays(&args))
        .then(|| async_runtime::block_on(async { Arc::new(Serve::looking()) as Arc<dyn Background> }));
    #[cfg(windows)]
    if let Ok(home) = &home {
        signalbox_api::open_links(home);
    }
    // Two windows would write the same files of the web view.
    let is_alone = only_window.as_ref().is_some_and(WindowLock::is_alone);
    let session = Session::behind(home, only_window, logs, background);
    let of_window = session.home().ok().filter(|_| is_alone);
    // Without a data directory there is nothing to do but say so.
    let hidden = args.hidden && session.home().is_ok();

    let app = tauri::Builder::default()
        .manage(Arc::clone(&session))
        .manage(Stands::of(of_window.and_then(|home| home.of_window().ok()).as_deref()))
        .manage(Kept::of(of_window))
        .manage(Resident::of(&args, hidden))
        .manage(Start::new(&args))
        .manage(Closing::default())
        .manage(Errands::default())
        .manage(Life::default())
        .manage(Looks::default())
        .manage(Dress::default())
        .invoke_handler(tauri::generate_handler![
            commands::desk,
            commands::leave_look,
            commands::window_ready,
            commands::open_url,
            commands::open_page,
            parts::save_part,
            parts::open_part,
            saves::save_tasks,
            commands::close_window,
            commands::quit,
            commands::what_stops,
            commands::version,
            commands::safe_graphics,
            commands::outlives_window,
            commands::restart_background,
            errands::next_errand,
            commands::has_saved,
            commands::asks_about_closing,
            commands::stay_open,
            commands::wear
        ])
        .on_window_event(|window, event| {
            stand::follow(window, event);
            if let WindowEvent::CloseRequested { api, .. } = event {
                api.prevent_close();
                async_runtime::spawn(close::requested(window.app_handle().clone(), Scope::Window));
            }
        })
        .build(tauri::generate_context!())?;
    let handle = &app.handle().clone();
    async_runtime::block_on(async { session.open(face(handle)) });
    async_runtime::spawn(close::on_signal(handle.clone()));
    async_runtime::spawn(close::on_quit(handle.clone()));
    stand::keep(handle);
    if !hidden {
        window::open(handle, token)?;
        resident::has_come(handle);
    }
    let code = app.run_return(|app, event| match event {
        RunEvent::Ready => resident::begin(app),
        // Without a code it is the window that went: we stay, or what is under way must be written first.
        RunEvent::ExitRequested { code: None, api, .. } => {
            api.prevent_exit();
            if !resident::is(app) {
                async_runtime::spawn(close::quit(app.clone()));
            }
        }
        RunEvent::WindowEvent { event: WindowEvent::Focused(true), .. } => resident::is_in_front(app),
        RunEvent::WindowEvent { event: WindowEvent::Destroyed, .. } => resident::is_gone(app),
        #[cfg(target_os = "macos")]
        RunEvent::Reopen { .. } => resident::show(app, None),
        #[cfg(target_os = "macos")]
        RunEvent::Opened { urls } => resident::links::follow(app, urls.into_iter().map(String::from)),
        RunEvent::Exit => {
            stand::save(app);
            close::at_last(app);
        }
        _ => {}
    });
    // The lock of the one window is free in the moment in which the next program is there.
    #[cfg(target_os = "linux")]
    if handle.state::<Life>().goes_on_safely() {
        return Err(ShellError::SafeGraphics(launch.again(safe::Why::Failed)));
    }
    Ok(code)
}

/// GTK would panic without one.
fn has_display() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || set("WAYLAND_DISPLAY") || set("DISPLAY")
}

/// By what the session is seen and called.
pub(crate) fn face(app: &AppHandle) -> Face {
    let raised = app.clone();
    Face { raise: Arc::new(move |token| window::raise_by(&raised, token)), keyboard: keyboard::of(app) }
}
