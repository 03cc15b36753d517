//! What is told and when, and what became of the last notices.

use signalbox_api::command::NotificationTested;
use signalbox_api::{NoticeFate, NotifyLevel, NotifyRule, NotifyRules, Overview, OwnerKind, PastNotice};
use signalbox_model::ItemRef;

use super::{Hue, sanitise, table::Table, time};
use crate::console::Console;

/// All that `notifications` shows.
pub(crate) fn all(overview: &Overview, past: &[PastNotice], console: &Console) -> String {
    let NotifyRules { level, rules, quiet, contents } = &overview.settings.notifications;
    let mut text = format!("Notify about: {}\n", self::level(*level));
    for NotifyRule { server, tool, level } in rules {
        // One of a server that was just removed goes with it.
        let Some(server) = overview.servers.iter().find(|view| view.id == *server) else { continue };
        let tool = tool.as_ref().map(|tool| format!(" · {}", sanitise::line(tool))).unwrap_or_default();
        text += &format!("  {}{tool}: {}\n", sanitise::line(&server.name), self::level(*level));
    }
    let quiet = quiet.map_or_else(|| "none".to_owned(), |hours| format!("{} to {}", hours.from, hours.to));
    text += &format!("Quiet hours: {quiet}\n");
    text += &format!("Contents: {}\n", if *contents { "shown" } else { "not shown" });
    let now = console.now();
    if let Some(until) = overview.notifications_paused_until {
        text += &format!("Paused: no notification until {}\n", time::both(until, now));
    }
    if past.is_empty() {
        return text
            + match overview.owner.kind {
                OwnerKind::Command => "Nobody is notified now: that takes the window, or `signalbox serve`\n",
                OwnerKind::Window | OwnerKind::Serve => "Nothing to tell since Signalbox started\n",
            };
    }
    let mut table = Table::new(["WHEN", "ITEM", "WHAT BECAME OF IT", "NOTICE"]);
    for PastNotice { at, items, as_one, title, fate } in past {
        let (hue, fate) = self::fate(*fate);
        table.row([
            (Hue::Dim, time::ago(*at, now)),
            (Hue::Plain, about(items)),
            (hue, fate.to_owned()),
            (
                Hue::Plain,
                format!("{}{}", sanitise::line(title), if *as_one { " (combined into one)" } else { "" }),
            ),
        ]);
    }
    text + "\n" + &table.render(console.width(), console.paint())
}

/// What a notice is about: of several that were told as one the first, and how many there are besides.
fn about(items: &[ItemRef]) -> String {
    match items {
        [] => "inbox".to_owned(),
        [item] => item.to_string(),
        [first, others @ ..] => format!("{first} and {} more", others.len()),
    }
}

fn level(level: NotifyLevel) -> &'static str {
    match level {
        NotifyLevel::Everything => "everything",
        NotifyLevel::NeedsMeAndBadEnds => "what needs you, and what went wrong",
        NotifyLevel::NeedsMe => "what needs you",
        NotifyLevel::Nothing => "nothing",
    }
}

fn fate(fate: NoticeFate) -> (Hue, &'static str) {
    match fate {
        NoticeFate::Shown => (Hue::Green, "shown"),
        NoticeFate::Inhibited => (Hue::Amber, "sent; the service showed none then (do not disturb)"),
        NoticeFate::Level => (Hue::Dim, "held back: its level"),
        NoticeFate::Paused => (Hue::Dim, "held back: paused"),
        NoticeFate::QuietHours => (Hue::Dim, "held back: quiet hours"),
        NoticeFate::InFront => (Hue::Dim, "held back: in front in the window"),
        NoticeFate::Settled => (Hue::Dim, "held back: already settled"),
        NoticeFate::Failed => (Hue::Red, "could not be shown"),
    }
}

/// What the system did with a test.
pub(crate) fn tested(tested: &NotificationTested) -> Vec<String> {
    let NotificationTested { service, version, actions, inhibited } = tested;
    let version = version.as_ref().map(|version| format!(" {version}")).unwrap_or_default();
    let mut lines = vec![format!("The notification was taken by {service}{version}")];
    if *inhibited {
        lines.push("It says that it shows none now (do not disturb)".to_owned());
    }
    if !actions {
        lines.push("Its notifications have no buttons: open the window by hand".to_owned());
    }
    lines
}
