//! The icon of `serve --tray` as a Linux desktop's panels see it: it speaks D-Bus alone (StatusNotifierItem, through `ksni`).
//! What it shows, and what a press does, [`signalbox_tray`] says. Where nothing shows it, it waits for a panel that comes.

use std::sync::Arc;
use std::time::Duration;

use ksni::menu::{StandardItem, SubMenu};
use ksni::{Icon, MenuItem, OfflineReason, Status, ToolTip, TrayMethods as _};
use signalbox_api::tray::SessionBus;
use signalbox_api::{Boxed, Desk, Local};
use signalbox_tray::{MenuEntry, PRESSES, Panel, Press, Pressed, ShowWindow, Shown, follow, icon, keep, now};
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep_until};

/// How long until a panel is asked again that did not take us.
const AGAIN: Duration = Duration::from_secs(60);

/// How long until a session bus is looked for again.
const NEXT_BUS: Duration = Duration::from_secs(2);

/// Shows the icon for as long as this is polled. Without a bus there is none, and nothing else is missing.
pub(crate) async fn run(local: Arc<Local>, show: ShowWindow) {
    let (pressed, mut presses) = mpsc::channel(PRESSES);
    let desk: &dyn Desk = &*local;
    tokio::join!(on_each_bus(desk, &pressed), follow(desk, &mut presses, &show));
}

/// Shows it on the bus of the session, and after that one's end on the next: we may outlive a session.
async fn on_each_bus(desk: &dyn Desk, pressed: &mpsc::Sender<Pressed>) {
    loop {
        if let Some(bus) = SessionBus::join().await {
            tokio::select! {
                () = on_bus(desk, pressed) => {}
                () = bus.ends() => tracing::info!("the session bus has ended, and the icon with it"),
            }
        }
        sleep_until(Instant::now() + NEXT_BUS).await;
    }
}

/// Shows it for as long as this is polled.
async fn on_bus(desk: &dyn Desk, pressed: &mpsc::Sender<Pressed>) {
    let (seen, is_seen) = watch::channel(true);
    // A menu that is read before it is replaced has lines that lead nowhere soon.
    let at_first = now(desk).await;
    let panel = loop {
        let item = Item::new(at_first.clone(), pressed.clone(), seen.clone());
        match item.assume_sni_available(true).spawn().await {
            Ok(handle) => break Panels(handle),
            // A panel that is just starting may not take us yet.
            Err(error) => tracing::warn!(%error, "the tray does not take our icon now"),
        }
        sleep_until(Instant::now() + AGAIN).await;
    };
    keep(desk, &panel, is_seen).await;
}

/// Whatever shows icons on this desktop.
struct Panels(ksni::Handle<Item>);

impl Panel for Panels {
    fn draw(&self, shown: Shown) -> Boxed<'_, bool> {
        Box::pin(async { self.0.update(|item| item.show(shown)).await.is_some() })
    }
}

impl Drop for Panels {
    /// Tells the task of `ksni` to end: without its handle, on a bus that is gone, it would panic.
    fn drop(&mut self) {
        drop(self.0.shutdown());
    }
}

/// The icon.
struct Item {
    shown: Shown,
    icons: Vec<Icon>,
    pressed: mpsc::Sender<Pressed>,
    /// Whether anything shows it.
    seen: watch::Sender<bool>,
}

impl Item {
    fn new(shown: Shown, pressed: mpsc::Sender<Pressed>, seen: watch::Sender<bool>) -> Self {
        Self { icons: drawn(shown.needs_you), shown, pressed, seen }
    }

    /// Shows something else.
    fn show(&mut self, shown: Shown) {
        if icon::number(shown.needs_you) != icon::number(self.shown.needs_you) {
            self.icons = drawn(shown.needs_you);
        }
        self.shown = shown;
    }

    fn press(&self, press: Press) {
        let token = ksni::current_xdg_activation_token().and_then(|token| token.try_into().ok());
        let _ = self.pressed.try_send(Pressed { press, token });
    }
}

fn drawn(count: u32) -> Vec<Icon> {
    let of = |size: u8| Icon { width: size.into(), height: size.into(), data: icon::argb(size, count) };
    icon::SIZES.map(of).into()
}

/// To these menus `_` marks a key, and `__` is that letter.
fn label(text: &str) -> String {
    text.replace('_', "__")
}

fn entries(entries: &[MenuEntry]) -> Vec<MenuItem<Item>> {
    let words =
        |text: &String, enabled| StandardItem { label: label(text), enabled, ..StandardItem::default() };
    entries
        .iter()
        .map(|entry| match entry {
            MenuEntry::Line => MenuItem::Separator,
            MenuEntry::Words(text) => words(text, false).into(),
            MenuEntry::Item(text, press) => {
                let press = *press;
                let activate = Box::new(move |item: &mut Item| item.press(press));
                StandardItem { activate, ..words(text, true) }.into()
            }
            MenuEntry::More(text, more) => {
                SubMenu { label: label(text), submenu: self::entries(more), ..SubMenu::default() }.into()
            }
        })
        .collect()
}

impl ksni::Tray for Item {
    fn id(&self) -> String {
        "signalbox".to_owned()
    }

    fn title(&self) -> String {
        self.shown.title.clone()
    }

    fn status(&self) -> Status {
        if self.shown.needs_you > 0 { Status::NeedsAttention } else { Status::Active }
    }

    fn icon_pixmap(&self) -> Vec<Icon> {
        self.icons.clone()
    }

    fn attention_icon_pixmap(&self) -> Vec<Icon> {
        self.icons.clone()
    }

    /// Panels may read markup in it: nothing of a server stands there.
    fn tool_tip(&self) -> ToolTip {
        ToolTip {
            title: self.shown.title.clone(),
            description: self.shown.more.clone(),
            ..ToolTip::default()
        }
    }

    fn activate(&mut self, _x: i32, _y: i32) {
        self.press(Press::Show);
    }

    fn menu(&self) -> Vec<MenuItem<Self>> {
        entries(&self.shown.menu)
    }

    fn watcher_online(&self) {
        self.seen.send_replace(true);
    }

    fn watcher_offline(&self, _: OfflineReason) -> bool {
        self.seen.send_replace(false);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(needs_you: u32) -> Shown {
        let menu = vec![
            MenuEntry::Words("says my_ci".into()),
            MenuEntry::Line,
            MenuEntry::More("more_".into(), vec![MenuEntry::Item("goes on".into(), Press::GoOn)]),
        ];
        Shown { needs_you, title: "title".into(), more: String::new(), menu }
    }

    fn item() -> (Item, mpsc::Receiver<Pressed>) {
        let (pressed, presses) = mpsc::channel(PRESSES);
        (Item::new(shown(0), pressed, watch::Sender::new(true)), presses)
    }

    #[test]
    fn of_very_many_presses_the_first_are_followed() {
        let (item, mut presses) = item();
        for _ in 0..1_000 {
            item.press(Press::GoOn);
        }
        drop(item);
        let mut followed = 0;
        while presses.try_recv().is_ok() {
            followed += 1;
        }
        assert_eq!(followed, PRESSES);
    }

    #[test]
    fn a_line_is_pressed_or_says_something() {
        let (mut item, mut presses) = item();
        let menu = ksni::Tray::menu(&item);
        let [MenuItem::Standard(says), MenuItem::Separator, MenuItem::SubMenu(more)] = menu.as_slice() else {
            panic!("{menu:?}")
        };
        assert!(!says.enabled, "nobody can press what only says something");
        assert_eq!(
            (says.label.as_str(), more.label.as_str()),
            ("says my__ci", "more__"),
            "no letter is a key"
        );
        let [MenuItem::Standard(goes_on)] = more.submenu.as_slice() else { panic!("{more:?}") };
        (goes_on.activate)(&mut item);
        assert_eq!(presses.try_recv().unwrap().press, Press::GoOn);
    }

    #[test]
    fn the_picture_changes_with_the_number_alone() {
        let (mut item, _presses) = item();
        let pictures = |item: &Item| item.icons.iter().map(|icon| icon.data.clone()).collect::<Vec<_>>();
        let plain = pictures(&item);
        item.show(shown(3));
        assert_ne!(pictures(&item), plain);
        item.show(shown(0));
        assert_eq!(pictures(&item), plain);
        assert_eq!(item.icons.len(), icon::SIZES.len());
    }
}
