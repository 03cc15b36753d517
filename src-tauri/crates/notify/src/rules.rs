//! What a person wants to be told, and when. Kept among the settings.

use std::{fmt, str::FromStr};

use jiff::{ToSpan as _, civil::Time, tz::TimeZone};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use signalbox_model::{Outcome, ServerId, Timestamp};

use crate::DesktopNoticeKind;

/// So many rules are kept at most: one for each server and tool that is to be told of otherwise than the rest.
pub const MOST_RULES: usize = 1_000;
/// The longest name of a tool in a rule, in bytes.
pub const LONGEST_TOOL: usize = 1_024;

/// How much is told.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum NotifyLevel {
    /// Each question, and each end.
    #[default]
    Everything,
    /// Each question, and each end that is not good.
    NeedsMeAndBadEnds,
    /// Questions alone.
    NeedsMe,
    /// Neither questions nor ends.
    Nothing,
}

impl NotifyLevel {
    pub(crate) fn tells(self, kind: DesktopNoticeKind) -> bool {
        match (self, kind) {
            (Self::Nothing, _) => false,
            (Self::Everything, _) | (_, DesktopNoticeKind::NeedsInput | DesktopNoticeKind::Expires) => true,
            (Self::NeedsMe, DesktopNoticeKind::Ended { .. }) => false,
            (Self::NeedsMeAndBadEnds, DesktopNoticeKind::Ended { outcome }) => outcome != Outcome::Ok,
        }
    }
}

/// What is told of a server, or of one of its tools, where that is not what is told of all.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
pub struct NotifyRule {
    /// The server.
    pub server: ServerId,
    /// The tool; none for all tools of the server that have no rule of their own.
    pub tool: Option<String>,
    /// How much is told.
    pub level: NotifyLevel,
}

/// What a person wants to be told.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(default)]
pub struct NotifyRules {
    /// How much is told of all servers and tools that have no rule.
    pub level: NotifyLevel,
    /// What is told of others.
    pub rules: Vec<NotifyRule>,
    /// When nothing is told that can wait.
    pub quiet: Option<QuietHours>,
    /// Whether a notification has words of the server: what is asked, what came of it.
    pub contents: bool,
}

impl Default for NotifyRules {
    fn default() -> Self {
        Self { level: NotifyLevel::default(), rules: Vec::new(), quiet: None, contents: true }
    }
}

impl NotifyRules {
    /// How much is told of a tool. What is said of the tool goes before what is said of its server.
    #[must_use]
    pub fn level_of(&self, server: ServerId, tool: &str) -> NotifyLevel {
        let of = |wanted: Option<&str>| {
            self.rules.iter().find(|rule| rule.server == server && rule.tool.as_deref() == wanted)
        };
        of(Some(tool)).or_else(|| of(None)).map_or(self.level, |rule| rule.level)
    }

    /// Puts a level in force: of a tool, of a server, or of all. None takes a rule away.
    pub fn set(&mut self, of: Option<(ServerId, Option<String>)>, level: Option<NotifyLevel>) {
        let Some((server, tool)) = of else {
            self.level = level.unwrap_or_default();
            return;
        };
        self.rules.retain(|rule| (rule.server, &rule.tool) != (server, &tool));
        self.rules.extend(level.map(|level| NotifyRule { server, tool, level }));
    }

    /// Whether anything is told at all.
    #[must_use]
    pub fn tells_anything(&self) -> bool {
        self.level != NotifyLevel::Nothing || self.rules.iter().any(|rule| rule.level != NotifyLevel::Nothing)
    }
}

/// From when to when nothing is told that can wait, by the clock on the wall; over midnight where they end before they begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct QuietHours {
    /// When they begin.
    pub from: TimeOfDay,
    /// When they end.
    pub to: TimeOfDay,
}

impl QuietHours {
    /// When they end, where it is quiet now.
    pub(crate) fn end(self, now: Timestamp, zone: &TimeZone) -> Option<Timestamp> {
        let local = jiff::Timestamp::from_millisecond(now.0).ok()?.to_zoned(zone.clone());
        let minute = TimeOfDay::of(local.time());
        let is_quiet = if self.from < self.to {
            self.from <= minute && minute < self.to
        } else {
            self.from <= minute || minute < self.to
        };
        let day = if minute < self.to { local.date() } else { local.date().checked_add(1.day()).ok()? };
        let end = day.to_datetime(self.to.time()).to_zoned(zone.clone()).ok()?;
        is_quiet.then(|| Timestamp(end.timestamp().as_millisecond()))
    }
}

/// A time of the day, in minutes: `07:30`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(type = "string"))]
#[serde(try_from = "String", into = "String")]
pub struct TimeOfDay {
    hour: i8,
    minute: i8,
}

impl TimeOfDay {
    fn of(time: Time) -> Self {
        Self { hour: time.hour(), minute: time.minute() }
    }

    fn time(self) -> Time {
        Time::constant(self.hour, self.minute, 0, 0)
    }
}

/// This is no time of the day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a time of the day is from 00:00 to 23:59, such as 07:30")]
pub struct NoTimeOfDay;

impl FromStr for TimeOfDay {
    type Err = NoTimeOfDay;

    fn from_str(text: &str) -> Result<Self, NoTimeOfDay> {
        let number = |text: &str, below: i8| -> Option<i8> {
            let is_short = matches!(text.len(), 1 | 2) && text.bytes().all(|byte| byte.is_ascii_digit());
            text.parse().ok().filter(|number| is_short && *number < below)
        };
        let (hour, minute) = text.split_once(':').ok_or(NoTimeOfDay)?;
        let minute = number(minute, 60).filter(|_| minute.len() == 2);
        Ok(Self { hour: number(hour, 24).ok_or(NoTimeOfDay)?, minute: minute.ok_or(NoTimeOfDay)? })
    }
}

impl fmt::Display for TimeOfDay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}:{:02}", self.hour, self.minute)
    }
}

impl TryFrom<String> for TimeOfDay {
    type Error = NoTimeOfDay;

    fn try_from(text: String) -> Result<Self, NoTimeOfDay> {
        text.parse()
    }
}

impl From<TimeOfDay> for String {
    fn from(time: TimeOfDay) -> Self {
        time.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quiet(from: &str, to: &str) -> QuietHours {
        QuietHours { from: from.parse().unwrap(), to: to.parse().unwrap() }
    }

    #[test]
    fn quiet_hours_go_by_the_clock_on_the_wall_and_over_midnight() {
        let zone = TimeZone::fixed(jiff::tz::offset(2));
        let night = quiet("22:00", "07:30");
        let noon = quiet("12:00", "13:00");
        let cases = [
            (night, "2026-11-28T19:59:59Z", None, "it is 21:59:59 there"),
            (night, "2026-11-28T20:00:00Z", Some("2026-11-29T05:30:00.000Z"), "they begin: until tomorrow"),
            (
                night,
                "2026-11-28T22:30:00Z",
                Some("2026-11-29T05:30:00.000Z"),
                "past midnight it is the same night",
            ),
            (night, "2026-11-29T05:29:59Z", Some("2026-11-29T05:30:00.000Z"), "the last second"),
            (night, "2026-11-29T05:30:00Z", None, "they are over"),
            (noon, "2026-11-28T10:30:00Z", Some("2026-11-28T11:00:00.000Z"), "within a day"),
            (noon, "2026-11-28T11:00:00Z", None, "and over on the same day"),
            (noon, "2026-11-28T09:59:00Z", None, "not yet"),
        ];
        for (hours, now, end, why) in cases {
            let end_of = hours.end(now.parse().unwrap(), &zone).map(|end| end.to_string());
            assert_eq!(end_of.as_deref(), end, "{now}: {why}");
        }
    }

    #[test]
    fn a_time_of_the_day_is_read_as_it_is_written() {
        for (text, written) in [("07:30", "07:30"), ("7:30", "07:30"), ("00:00", "00:00"), ("23:59", "23:59")]
        {
            assert_eq!(text.parse::<TimeOfDay>().unwrap().to_string(), written);
        }
        for wrong in
            ["", "24:00", "12:60", "12", "12:5", "-1:00", "+1:00", "012:00", "1:000", "12:00 ", "ab:cd"]
        {
            assert_eq!(wrong.parse::<TimeOfDay>(), Err(NoTimeOfDay), "{wrong:?}");
        }
    }

    #[test]
    fn what_is_said_of_a_tool_goes_before_its_server_and_that_before_all() {
        let mut rules = NotifyRules { level: NotifyLevel::NeedsMe, ..NotifyRules::default() };
        let (ci, lab) = (ServerId(1), ServerId(2));
        rules.set(Some((ci, None)), Some(NotifyLevel::Nothing));
        rules.set(Some((ci, Some("deploy".into()))), Some(NotifyLevel::Everything));
        assert_eq!(rules.level_of(ci, "deploy"), NotifyLevel::Everything);
        assert_eq!(rules.level_of(ci, "test"), NotifyLevel::Nothing);
        assert_eq!(rules.level_of(ci, ""), NotifyLevel::Nothing, "an adopted task has no tool");
        assert_eq!(rules.level_of(lab, "deploy"), NotifyLevel::NeedsMe);
        rules.set(Some((ci, None)), Some(NotifyLevel::NeedsMe));
        assert_eq!(rules.rules.len(), 2, "another level takes the place of the one before");
        rules.set(Some((ci, Some("deploy".into()))), None);
        assert_eq!(rules.level_of(ci, "deploy"), NotifyLevel::NeedsMe, "its rule is gone");
        assert!(rules.tells_anything());
        let silent = NotifyRules { level: NotifyLevel::Nothing, ..NotifyRules::default() };
        assert!(!silent.tells_anything());
    }

    #[test]
    fn rules_that_say_less_are_the_usual_ones() {
        let read: NotifyRules = serde_json::from_str(r#"{"quiet":{"from":"22:00","to":"7:00"}}"#).unwrap();
        assert_eq!(read, NotifyRules { quiet: Some(quiet("22:00", "07:00")), ..NotifyRules::default() });
        assert!(read.contents);
    }
}
