//! The person's settings: kept in the store, shared by all hosts of a data directory.

use serde::{Deserialize, Deserializer, Serialize};
use signalbox_engine::Tuning;
use signalbox_notify::{LONGEST_TOOL, MOST_RULES, NotifyLevel, NotifyRules};

use crate::{ApiError, Code, Shortcut};

/// The person's settings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", default)]
pub struct Settings {
    /// The shortest time between two polls of a task, in ms.
    pub poll_floor_ms: u32,
    /// How many polls may begin at one server in a second; 0 is without limit.
    // As earlier versions kept it.
    #[serde(alias = "looksPerSecond")]
    pub polls_per_second: u32,
    /// The undo window for answers given in the window, in ms.
    pub undo_ms: u32,
    /// What OS notifications tell, and when.
    // Earlier versions kept a switch.
    #[serde(deserialize_with = "rules_or_switch")]
    pub notifications: NotifyRules,
    /// Whether work goes on in the background when the window closes, where the desktop has a tray.
    pub background: bool,
    /// The system-wide shortcut that brings Signalbox forward, such as `Ctrl+Alt+S`; none where none was chosen.
    // One that another version wrote, and this one cannot read, must not take all settings with it.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "shortcut_or_none")]
    #[cfg_attr(feature = "bindings", ts(optional, type = "string"))]
    pub shortcut: Option<Shortcut>,
    /// Light, dark, or as the system has it.
    pub theme: Theme,
    /// What the log keeps: `error`, `warn`, `info`, `debug` or `trace`.
    pub log_level: String,
    /// The largest message taken from a server, in bytes.
    pub message_limit: u32,
    /// How long what is kept of an ended task stays, in days; 0 is for ever. Decisions stay for ever.
    pub keep_days: u32,
    /// How much room results and other payloads may take before those of the tasks that ended first go, in MiB; 0 is without
    /// limit.
    pub keep_mib: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            poll_floor_ms: 1_000,
            polls_per_second: 2_500,
            undo_ms: 5_000,
            notifications: NotifyRules::default(),
            background: true,
            shortcut: None,
            theme: Theme::System,
            log_level: "info".into(),
            message_limit: 64 * 1024 * 1024,
            keep_days: 90,
            keep_mib: 1024,
        }
    }
}

impl Settings {
    /// # Errors
    /// [`Code::Usage`] when a value is out of range.
    pub(crate) fn check(&self) -> Result<(), ApiError> {
        let refuse = |what: &str| Err(ApiError::new(Code::Usage, what));
        if !(100..=3_600_000).contains(&self.poll_floor_ms) {
            return refuse("The shortest time between two polls must be from 100 ms to an hour");
        }
        if self.undo_ms > 60_000 {
            return refuse("The undo window is at most a minute");
        }
        if !(64 * 1024..=1024 * 1024 * 1024).contains(&self.message_limit) {
            return refuse("The largest message must be from 64 KiB to 1 GiB");
        }
        if self.keep_days > 36_500 {
            return refuse("Ended tasks are kept for at most 36500 days; 0 keeps them for ever");
        }
        let NotifyRules { rules, quiet, .. } = &self.notifications;
        if rules.len() > MOST_RULES {
            return refuse("There are as many notification rules as are kept: take some away first");
        }
        if rules.iter().any(|rule| rule.tool.as_ref().is_some_and(|tool| tool.len() > LONGEST_TOOL)) {
            return refuse("The tool of a notification rule has a name that is too long");
        }
        if quiet.is_some_and(|quiet| quiet.from == quiet.to) {
            return refuse("Quiet hours end at another time than they begin");
        }
        if !["error", "warn", "info", "debug", "trace"].contains(&self.log_level.as_str()) {
            return refuse("The log level must be error, warn, info, debug or trace");
        }
        Ok(())
    }

    /// What the engine follows of them.
    pub(crate) fn tuning(&self) -> Tuning {
        Tuning {
            poll_floor_ms: self.poll_floor_ms.into(),
            polls_per_second: self.polls_per_second,
            message_limit: usize::try_from(self.message_limit).unwrap_or(usize::MAX),
            retention_days: self.keep_days,
            payload_bytes: u64::from(self.keep_mib) * 1024 * 1024,
        }
    }
}

fn shortcut_or_none<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Shortcut>, D::Error> {
    let text: Option<String> = Option::deserialize(from)?;
    Ok(text.and_then(|text| text.parse().ok()))
}

fn rules_or_switch<'de, D: Deserializer<'de>>(deserializer: D) -> Result<NotifyRules, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Kept {
        Switch(bool),
        Rules(NotifyRules),
    }
    Ok(match Kept::deserialize(deserializer)? {
        Kept::Switch(true) => NotifyRules::default(),
        Kept::Switch(false) => NotifyRules { level: NotifyLevel::Nothing, ..NotifyRules::default() },
        Kept::Rules(rules) => rules,
    })
}

/// The colours of the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Theme {
    /// As the system has it.
    System,
    /// Dark text on a light ground.
    Light,
    /// Light text on a dark ground.
    Dark,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_as_set_and_without_limit_by_zero() {
        let tuning = Settings::default().tuning();
        assert_eq!((tuning.retention_days, tuning.payload_bytes), (90, 1024 * 1024 * 1024));
        let unlimited = Settings { keep_days: 0, keep_mib: 0, ..Settings::default() };
        unlimited.check().unwrap();
        assert_eq!((unlimited.tuning().retention_days, unlimited.tuning().payload_bytes), (0, 0));
        let older: Settings = serde_json::from_str(r#"{"undoMs":7}"#).unwrap();
        assert_eq!(
            (older.undo_ms, older.keep_days, older.background),
            (7, 90, true),
            "settings of an older version get the defaults"
        );
        let renamed: Settings = serde_json::from_str(r#"{"looksPerSecond":9}"#).unwrap();
        assert_eq!(renamed.polls_per_second, 9, "and go on where they have another name now");
        let off: Settings = serde_json::from_str(r#"{"notifications":false}"#).unwrap();
        assert_eq!(off.notifications.level, NotifyLevel::Nothing, "who had switched them off gets none");
        let on: Settings = serde_json::from_str(r#"{"notifications":true}"#).unwrap();
        assert_eq!(on.notifications, NotifyRules::default());
        let strange: Settings = serde_json::from_str(r#"{"undoMs":7,"shortcut":"Hyper+Fn"}"#).unwrap();
        assert_eq!(
            (strange.undo_ms, strange.shortcut),
            (7, None),
            "a key of another version costs nothing else"
        );
        assert!(Settings { keep_days: 40_000, ..Settings::default() }.check().is_err());
    }

    #[test]
    fn notification_rules_are_bounded_and_make_sense() {
        let with = |change: &dyn Fn(&mut NotifyRules)| {
            let mut settings = Settings::default();
            change(&mut settings.notifications);
            settings.check()
        };
        let rule = |tool: &str| signalbox_notify::NotifyRule {
            server: signalbox_model::ServerId(1),
            tool: Some(tool.to_owned()),
            level: NotifyLevel::NeedsMe,
        };
        assert!(with(&|rules| rules.rules = vec![rule("deploy"); MOST_RULES]).is_ok());
        assert!(with(&|rules| rules.rules = vec![rule("deploy"); MOST_RULES + 1]).is_err());
        assert!(with(&|rules| rules.rules = vec![rule(&"x".repeat(LONGEST_TOOL + 1))]).is_err());
        let quiet = |from: &str, to: &str| signalbox_notify::QuietHours {
            from: from.parse().unwrap(),
            to: to.parse().unwrap(),
        };
        assert!(with(&|rules| rules.quiet = Some(quiet("22:00", "07:00"))).is_ok());
        assert!(
            with(&|rules| rules.quiet = Some(quiet("07:00", "07:00"))).is_err(),
            "is that never or always?"
        );
    }
}
