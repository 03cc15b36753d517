//! The icon of a program that outlives its window, as macOS and Windows draw it. What it shows, and what a press does,
//! [`signalbox_tray`] says. While no data directory is open it leads to the window, which says why, and to the end.

use std::sync::{Arc, Mutex, PoisonError};

use signalbox_api::{Boxed, Desk, DeskExt as _};
use signalbox_tray::{MenuEntry, PRESSES, Panel, Press, Pressed, ShowWindow, Shown, follow, icon, keep};
use tauri::{
    AppHandle, Manager as _, Wry, async_runtime,
    image::Image,
    menu::{IsMenuItem, Menu, MenuItem, PredefinedMenuItem, Submenu},
    tray::{MouseButton, MouseButtonState, TrayIcon, TrayIconBuilder, TrayIconEvent},
};
use tokio::sync::{mpsc, watch};

use crate::{
    args::{self, Shown as Item},
    close,
    session::Session,
    stops::Scope,
    window,
};

/// Its size in pixels: Windows halves it on a plain display, and macOS scales it to its menu bar.
const SIZE: u8 = 32;

/// The icon, with what its lines do.
struct Icon {
    app: AppHandle,
    icon: TrayIcon,
    /// What the lines of the menu that is shown ask for, by their numbers.
    lines: Arc<Mutex<Lines>>,
}

/// A line of a menu that is shown no more does nothing.
#[derive(Default)]
struct Lines {
    menu: u32,
    presses: Vec<Press>,
}

impl Lines {
    fn id(&self, line: usize) -> String {
        format!("tray {} {line}", self.menu)
    }

    fn press(&self, id: &str) -> Option<Press> {
        let line =
            id.strip_prefix("tray ")?.strip_prefix(&self.menu.to_string())?.trim_start().parse::<usize>();
        self.presses.get(line.ok()?).copied()
    }
}

/// Shows it for as long as the program lives. Only in the thread of the windows.
pub(super) fn put(app: &AppHandle) {
    match shown(app) {
        Ok((icon, presses)) => drop(async_runtime::spawn(run(icon, presses))),
        Err(error) => tracing::error!(%error, "there is no icon in the tray"),
    }
}

fn shown(app: &AppHandle) -> tauri::Result<(Icon, mpsc::Receiver<Pressed>)> {
    let (pressed, presses) = mpsc::channel(PRESSES);
    let lines = Arc::<Mutex<Lines>>::default();
    let press = move |press| drop(pressed.try_send(Pressed { press, token: None }));
    let (chosen, known, clicked) = (press.clone(), Arc::clone(&lines), press);
    let icon = TrayIconBuilder::with_id("signalbox")
        .show_menu_on_left_click(cfg!(target_os = "macos"))
        .on_menu_event(move |_, event| {
            let press = known.lock().unwrap_or_else(PoisonError::into_inner).press(&event.id().0);
            if let Some(press) = press {
                chosen(press);
            }
        })
        .on_tray_icon_event(move |_, event| {
            if let TrayIconEvent::Click {
                button: MouseButton::Left, button_state: MouseButtonState::Up, ..
            } = event
                && !cfg!(target_os = "macos")
            {
                clicked(Press::Show);
            }
        })
        .icon(picture(0))
        .build(app)?;
    let icon = Icon { app: app.clone(), icon, lines };
    icon.put(&Shown::unknown())?;
    Ok((icon, presses))
}

async fn run(icon: Icon, mut presses: mpsc::Receiver<Pressed>) {
    let session = Arc::clone(&icon.app.state::<Arc<Session>>());
    let show: ShowWindow = Box::new({
        let app = icon.app.clone();
        move |shown, _| show(&app, shown.as_deref())
    });
    // The system shows it as long as we live.
    let (_shows, is_seen) = watch::channel(true);
    loop {
        let desk = tokio::select! {
            desk = session.opened() => desk,
            () = follow_alone(&icon.app, &mut presses) => return,
        };
        tokio::select! {
            () = keep(&*desk as &dyn Desk, &icon, is_seen.clone()) => {}
            () = follow(&*desk as &dyn Desk, &mut presses, &show) => {}
            () = session.left(&desk) => icon.draw(Shown::unknown()).await,
        }
    }
}

/// Follows presses while no data directory is open.
async fn follow_alone(app: &AppHandle, presses: &mut mpsc::Receiver<Pressed>) {
    while let Some(Pressed { press, .. }) = presses.recv().await {
        match press {
            Press::Quit { .. } => close::requested(app.clone(), Scope::All).await,
            _ => window::raise(app),
        }
    }
}

/// Shows the window, at an item or where a link leads, as a second start would.
fn show(app: &AppHandle, shown: Option<&str>) {
    let (app, item) = (app.clone(), shown.and_then(|shown| args::shown(shown).ok()));
    async_runtime::spawn(async move {
        let session = Arc::clone(&app.state::<Arc<Session>>());
        let told = match session.desk().await {
            Ok(desk) => desk.act(Item::wish(item)).await,
            Err(error) => Err(error),
        };
        if told.is_err() {
            window::raise(&app);
        }
    });
}

impl Icon {
    fn put(&self, shown: &Shown) -> tauri::Result<()> {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        *lines = Lines { menu: lines.menu.wrapping_add(1), presses: Vec::new() };
        let items = items(&self.app, &shown.menu, &mut lines)?;
        drop(lines);
        let items: Vec<&dyn IsMenuItem<Wry>> = items.iter().map(AsRef::as_ref).collect();
        self.icon.set_menu(Some(Menu::with_items(&self.app, &items)?))?;
        self.icon.set_icon(Some(picture(shown.needs_you)))?;
        let says = if shown.more.is_empty() {
            shown.title.clone()
        } else {
            format!("{}\n{}", shown.title, shown.more)
        };
        self.icon.set_tooltip(Some(says))
    }
}

impl Panel for Icon {
    fn draw(&self, shown: Shown) -> Boxed<'_, ()> {
        Box::pin(async move {
            if let Err(error) = self.put(&shown) {
                tracing::warn!(%error, "the icon in the tray is behind");
            }
        })
    }
}

fn picture(count: u32) -> Image<'static> {
    Image::new_owned(icon::rgba(SIZE, count), SIZE.into(), SIZE.into())
}

type Items = Vec<Box<dyn IsMenuItem<Wry>>>;

fn items(app: &AppHandle, entries: &[MenuEntry], lines: &mut Lines) -> tauri::Result<Items> {
    let mut items: Items = Vec::new();
    for entry in entries {
        items.push(match entry {
            MenuEntry::Line => Box::new(PredefinedMenuItem::separator(app)?),
            MenuEntry::Words(text) => Box::new(MenuItem::new(app, label(text), false, None::<&str>)?),
            MenuEntry::Item(text, press) => {
                let id = lines.id(lines.presses.len());
                lines.presses.push(*press);
                Box::new(MenuItem::with_id(app, id, label(text), true, None::<&str>)?)
            }
            MenuEntry::More(text, more) => {
                let more = self::items(app, more, lines)?;
                let more: Vec<&dyn IsMenuItem<Wry>> = more.iter().map(AsRef::as_ref).collect();
                Box::new(Submenu::with_items(app, label(text), true, &more)?)
            }
        });
    }
    Ok(items)
}

/// To these menus `&` marks a key, and `&&` is that letter.
fn label(text: &str) -> String {
    text.replace('&', "&&")
}
