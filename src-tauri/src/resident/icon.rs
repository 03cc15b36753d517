//! The icon of a program that outlives its window, as macOS and Windows draw it. What it shows, and what a press does,
//! [`signalbox_tray`] says. While no data directory is open it leads to the window, which says why, and to the end.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use signalbox_api::{Boxed, Desk, DeskExt as _};
use signalbox_tray::{MenuEntry, PRESSES, Panel, Press, Pressed, ShowWindow, Shown, follow, icon, keep};
use tauri::{
    AppHandle, Manager as _, Wry, async_runtime,
    image::Image,
    menu::{IsMenuItem, Menu, MenuItem, PredefinedMenuItem, Submenu},
    tray::{MouseButton, MouseButtonState, TrayIcon, TrayIconBuilder, TrayIconEvent},
};
use tokio::{
    sync::{mpsc, oneshot, watch},
    time::{Instant, sleep_until},
};

use super::Resident;
use crate::{
    args, close,
    session::{Session, State},
    stops::Scope,
    window,
};

/// Its size in pixels: Windows halves it on a plain display, and macOS scales it to its menu bar.
const SIZE: u8 = 32;
/// So long a menu may be open that was asked for by a press on the icon. Windows breaks one that is replaced meanwhile, and tells
/// nobody when it closes.
const OPEN: Duration = Duration::from_secs(10);
/// What begins the name of a line of its menu: there may be other menus.
const LINE: &str = "tray ";

/// The icon.
#[derive(Clone)]
struct Icon {
    app: AppHandle,
    icon: TrayIcon,
    /// The lines that its menu has.
    menu: Arc<Mutex<Vec<MenuEntry>>>,
    open: Open,
}

/// Until when the menu may be open.
#[derive(Clone, Default)]
struct Open(Arc<Mutex<Option<Instant>>>);

impl Open {
    fn set(&self, until: Option<Instant>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = until;
    }

    /// Resolves once the menu is not open any more.
    async fn is_over(&self) {
        loop {
            let until = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
            match until {
                Some(until) if until > Instant::now() => sleep_until(until).await,
                _ => return,
            }
        }
    }
}

/// Shows it for as long as the program lives. Only in the thread of the windows.
pub(super) fn put(app: &AppHandle) {
    let (pressed, presses) = mpsc::channel(PRESSES);
    match shown(app, pressed) {
        Ok(icon) => drop(async_runtime::spawn(run(icon, presses))),
        Err(error) => tracing::error!(%error, "there is no icon in the tray"),
    }
}

fn shown(app: &AppHandle, pressed: mpsc::Sender<Pressed>) -> tauri::Result<Icon> {
    let open = Open::default();
    let press = move |press| drop(pressed.try_send(Pressed { press, token: None }));
    let (chosen, clicked) = (press.clone(), press);
    let (closes, opens) = (open.clone(), open.clone());
    let at_first = unknown();
    let icon = TrayIconBuilder::with_id("signalbox")
        .show_menu_on_left_click(cfg!(target_os = "macos"))
        .on_menu_event(move |_, event| {
            if let Some(press) = event.id().0.strip_prefix(LINE).and_then(Press::named) {
                closes.set(None);
                chosen(press);
            }
        })
        .on_tray_icon_event(move |_, event| {
            let TrayIconEvent::Click { button, button_state: MouseButtonState::Up, .. } = event else {
                return;
            };
            if button == MouseButton::Left && !cfg!(target_os = "macos") {
                clicked(Press::Show);
            } else {
                opens.set(Some(Instant::now() + OPEN));
            }
        })
        .icon(picture(0))
        .tooltip(says(&at_first))
        .menu(&menu(app, &at_first.menu)?)
        .build(app)?;
    Ok(Icon { app: app.clone(), icon, menu: Arc::new(Mutex::new(at_first.menu)), open })
}

/// While no data directory is open.
fn unknown() -> Shown {
    Shown { more: "No tasks are followed now".to_owned(), ..Shown::unknown() }
}

async fn run(icon: Icon, mut presses: mpsc::Receiver<Pressed>) {
    let session = Arc::clone(&icon.app.state::<Arc<Session>>());
    let show: ShowWindow = Box::new({
        let app = icon.app.clone();
        move |shown, _| self::show(&app, shown.as_deref())
    });
    // The system shows it as long as we live.
    let (_shows, is_seen) = watch::channel(true);
    loop {
        let state = tokio::select! {
            state = session.when(|state| matches!(state, State::Open(_))) => state,
            () = follow_alone(&icon.app, &mut presses) => return,
        };
        let State::Open(desk) = state else { continue };
        tokio::select! {
            () = keep(&*desk as &dyn Desk, &icon, is_seen.clone()) => {}
            () = follow(&*desk as &dyn Desk, &mut presses, &show) => {}
            () = session.left(&desk) => drop(icon.draw(unknown()).await),
        }
    }
}

/// Follows presses while no data directory is open.
async fn follow_alone(app: &AppHandle, presses: &mut mpsc::Receiver<Pressed>) {
    while let Some(Pressed { press, .. }) = presses.recv().await {
        match press {
            // By itself: it goes on whatever becomes of the data directory meanwhile.
            Press::Quit { .. } => drop(async_runtime::spawn(close::requested(app.clone(), Scope::All))),
            _ => window::raise(app),
        }
    }
}

/// Shows the window, at an item or where a link leads, as a second start would.
pub(crate) fn show(app: &AppHandle, shown: Option<&str>) {
    let (app, item) = (app.clone(), shown.and_then(|shown| args::shown(shown).ok()));
    async_runtime::spawn(async move {
        let told = match app.state::<Arc<Session>>().state() {
            State::Open(desk) => desk.act(args::Shown::wish(item, None)).await.is_ok(),
            _ => false,
        };
        if !told {
            window::raise(&app);
        }
    });
}

impl Icon {
    /// Only in the thread of the windows.
    fn put(&self, shown: &Shown) -> tauri::Result<()> {
        self.app.state::<Resident>().badge.set(&self.app, shown.needs_you);
        let mut drawn = self.menu.lock().unwrap_or_else(PoisonError::into_inner);
        if *drawn != shown.menu {
            self.icon.set_menu(Some(menu(&self.app, &shown.menu)?))?;
            drawn.clone_from(&shown.menu);
        }
        self.icon.set_icon(Some(picture(shown.needs_you)))?;
        self.icon.set_tooltip(Some(says(shown)))
    }
}

impl Panel for Icon {
    fn draw(&self, shown: Shown) -> Boxed<'_, bool> {
        Box::pin(async move {
            self.open.is_over().await;
            // All of it at once: each line would else wait for the thread of the windows.
            let (answer, answered) = oneshot::channel();
            let icon = self.clone();
            let asked = self.app.run_on_main_thread(move || drop(answer.send(icon.put(&shown))));
            let put = match asked {
                Ok(()) => answered.await.unwrap_or(Ok(())),
                Err(error) => Err(error),
            };
            if let Err(error) = &put {
                tracing::warn!(%error, "the icon in the tray is behind");
            }
            put.is_ok()
        })
    }
}

/// What it says when the pointer rests on it.
fn says(Shown { title, more, .. }: &Shown) -> String {
    if more.is_empty() { title.clone() } else { format!("{title}\n{more}") }
}

fn picture(count: u32) -> Image<'static> {
    Image::new_owned(icon::rgba(SIZE, count), SIZE.into(), SIZE.into())
}

fn menu(app: &AppHandle, entries: &[MenuEntry]) -> tauri::Result<Menu<Wry>> {
    let items = items(app, entries)?;
    let items: Vec<&dyn IsMenuItem<Wry>> = items.iter().map(AsRef::as_ref).collect();
    Menu::with_items(app, &items)
}

fn items(app: &AppHandle, entries: &[MenuEntry]) -> tauri::Result<Vec<Box<dyn IsMenuItem<Wry>>>> {
    let item = |entry: &MenuEntry| -> tauri::Result<Box<dyn IsMenuItem<Wry>>> {
        Ok(match entry {
            MenuEntry::Line => Box::new(PredefinedMenuItem::separator(app)?),
            MenuEntry::Words(text) => Box::new(MenuItem::new(app, label(text), false, None::<&str>)?),
            MenuEntry::Item(text, press) => {
                let id = format!("{LINE}{}", press.name());
                Box::new(MenuItem::with_id(app, id, label(text), true, None::<&str>)?)
            }
            MenuEntry::More(text, more) => {
                let more = items(app, more)?;
                let more: Vec<&dyn IsMenuItem<Wry>> = more.iter().map(AsRef::as_ref).collect();
                Box::new(Submenu::with_items(app, label(text), true, &more)?)
            }
        })
    };
    entries.iter().map(item).collect()
}

/// To these menus `&` marks a key, and `&&` is that letter.
fn label(text: &str) -> String {
    text.replace('&', "&&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_letter_of_a_name_is_a_key() {
        assert_eq!(label("R&D · deploy"), "R&&D · deploy");
    }
}
