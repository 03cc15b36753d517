//! The icon as panels see it: what is shown, and where presses go.

use ksni::menu::{StandardItem, SubMenu};
use ksni::{Icon, MenuItem, OfflineReason, Status, ToolTip};
use tokio::sync::{mpsc, watch};

use super::icon;
use super::menu::{Entry, Press};

/// So many presses wait to be followed; a panel that presses without end is not followed further.
pub(super) const PRESSES: usize = 16;

/// A press, with the right to come to the front that the desktop gave for it (Wayland).
#[derive(Debug)]
pub(super) struct Pressed {
    pub(super) press: Press,
    pub(super) token: Option<String>,
}

/// What is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Shown {
    pub(super) needs_you: u32,
    pub(super) title: String,
    pub(super) more: String,
    pub(super) menu: Vec<Entry>,
}

/// The icon.
pub(super) struct Item {
    shown: Shown,
    icons: Vec<Icon>,
    pressed: mpsc::Sender<Pressed>,
    /// Whether anything shows it.
    seen: watch::Sender<bool>,
}

impl Item {
    pub(super) fn new(shown: Shown, pressed: mpsc::Sender<Pressed>, seen: watch::Sender<bool>) -> Self {
        Self { icons: drawn(shown.needs_you), shown, pressed, seen }
    }

    /// Shows something else.
    pub(super) fn show(&mut self, shown: Shown) {
        if icon::number(shown.needs_you) != icon::number(self.shown.needs_you) {
            self.icons = drawn(shown.needs_you);
        }
        self.shown = shown;
    }

    fn press(&self, press: Press) {
        let token = ksni::current_xdg_activation_token();
        let _ = self.pressed.try_send(Pressed { press, token });
    }
}

fn drawn(count: u32) -> Vec<Icon> {
    let of = |size: u8| Icon { width: size.into(), height: size.into(), data: icon::argb(size, count) };
    icon::SIZES.map(of).into()
}

fn entries(entries: &[Entry]) -> Vec<MenuItem<Item>> {
    let words =
        |label: &String, enabled| StandardItem { label: label.clone(), enabled, ..StandardItem::default() };
    entries
        .iter()
        .map(|entry| match entry {
            Entry::Line => MenuItem::Separator,
            Entry::Words(label) => words(label, false).into(),
            Entry::Item(label, press) => {
                let press = *press;
                let activate = Box::new(move |item: &mut Item| item.press(press));
                StandardItem { activate, ..words(label, true) }.into()
            }
            Entry::More(label, more) => {
                SubMenu { label: label.clone(), submenu: self::entries(more), ..SubMenu::default() }.into()
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
            Entry::Words("says".into()),
            Entry::Line,
            Entry::More("more".into(), vec![Entry::Item("goes on".into(), Press::GoOn)]),
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
