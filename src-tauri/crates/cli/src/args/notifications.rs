//! What `notifications` takes.

use clap::{ArgAction, Subcommand, ValueEnum};
use signalbox_api::{NotifyLevel, QuietHours};

use super::{
    snooze::{self, Until},
    switch,
};

/// What `notifications` can do.
#[derive(Debug, Subcommand)]
pub(crate) enum Notifications {
    /// Choose how much is told: of everything, of a server, or of one of its tools
    ///
    /// What is chosen for a tool goes before what is chosen for its server, and that before the rest.
    #[command(after_help = "\
Examples:
  signalbox notifications level needs_me
  signalbox notifications level nothing lab
  signalbox notifications level everything ci deploy
  signalbox notifications level default lab                       # as everywhere again")]
    Level {
        /// How much is told
        #[arg(value_enum)]
        level: Level,
        /// Only of this server
        server: Option<String>,
        /// Only of this tool of it
        tool: Option<String>,
    },
    /// Show no notifications for a while
    ///
    /// Questions that wait by then are told afterwards, in one notification. Ends are not: they are in the list.
    Pause {
        /// A length (30m, 1h, 2d), tomorrow (at 9:00), a time such as 2026-12-01T09:00:00Z, or off
        #[arg(value_name = "UNTIL", value_parser = until)]
        until: Pause,
    },
    /// Choose quiet hours, in which only a question is told that expires before they end
    ///
    /// Questions that wait by then are told afterwards, in one notification. Ends are not: they are in the list.
    Quiet {
        /// From when to when, by the clock of this machine, such as 22:00-07:00, or off
        #[arg(value_name = "HOURS", value_parser = hours)]
        hours: Quiet,
    },
    /// Choose whether a notification shows what is asked, or what came of it
    Contents {
        /// What it shows
        #[arg(
            action = ArgAction::Set,
            value_parser = switch(
                "Also up to four lines of what is asked, or the first line of what came of it",
                "Only who asks, or what ended and how",
            )
        )]
        contents: bool,
    },
    /// Show a notification, and say what the system did with it
    Test,
}

/// How much is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(crate) enum Level {
    /// Each question, and each end
    Everything,
    /// Each question, and each end that is not good
    NeedsMeAndBadEnds,
    /// Questions alone
    NeedsMe,
    /// Neither questions nor ends
    Nothing,
    /// As of what is above it: a tool as its server, a server as the rest
    Default,
}

impl Level {
    pub(crate) fn chosen(self) -> Option<NotifyLevel> {
        match self {
            Self::Everything => Some(NotifyLevel::Everything),
            Self::NeedsMeAndBadEnds => Some(NotifyLevel::NeedsMeAndBadEnds),
            Self::NeedsMe => Some(NotifyLevel::NeedsMe),
            Self::Nothing => Some(NotifyLevel::Nothing),
            Self::Default => None,
        }
    }
}

/// Until when nothing is shown, as it is typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pause(pub(crate) Until);

/// The text names no end of a pause.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "give a length such as 30m, 1h or 2d (at most 400d), tomorrow, off, or a time such as 2026-12-01T09:00:00Z"
)]
struct BadPause;

fn until(text: &str) -> Result<Pause, BadPause> {
    match snooze::read(text) {
        Ok(until @ (Until::After(_) | Until::Tomorrow | Until::Off)) => Ok(Pause(until)),
        Ok(until @ Until::As(signalbox_model::Snooze::At { .. })) => Ok(Pause(until)),
        _ => Err(BadPause),
    }
}

/// Quiet hours, or none, as they are typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Quiet(pub(crate) Option<QuietHours>);

/// The text names no quiet hours.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("give two times of the day such as 22:00-07:00, or off")]
struct BadHours;

fn hours(text: &str) -> Result<Quiet, BadHours> {
    if text == "off" {
        return Ok(Quiet(None));
    }
    let times = text.split_once('-').and_then(|(from, to)| Some((from.parse().ok()?, to.parse().ok()?)));
    let (from, to) = times.ok_or(BadHours)?;
    Ok(Quiet(Some(QuietHours { from, to })))
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::args::Cli;

    #[test]
    fn what_is_held_back_and_told_afterwards_is_said() {
        for (act, what) in [("quiet", "quiet hours"), ("pause", "a pause")] {
            let typed = Cli::try_parse_from(["signalbox", "notifications", act, "--help"]);
            let help = typed.expect_err("the help is no command").to_string();
            let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
            for words in ["are told afterwards, in one notification", "Ends are not"] {
                assert!(help.contains(words), "{words}, of {what}: {help}");
            }
        }
    }

    #[test]
    fn what_is_typed_is_meant() {
        assert_eq!(until("1h"), Ok(Pause(Until::After(3_600_000))));
        assert_eq!(until("off"), Ok(Pause(Until::Off)));
        for wrong in ["change", "before-expiry", "", "soon"] {
            assert!(until(wrong).is_err(), "{wrong:?} is no end of a pause");
        }
        let Ok(Quiet(Some(night))) = hours("22:00-7:00") else { panic!("two times") };
        assert_eq!((night.from.to_string(), night.to.to_string()), ("22:00".into(), "07:00".into()));
        assert_eq!(hours("off"), Ok(Quiet(None)));
        for wrong in ["22:00", "22-7", "22:00-24:00", "-", "22:00 to 07:00"] {
            assert!(hours(wrong).is_err(), "{wrong:?}");
        }
    }
}
