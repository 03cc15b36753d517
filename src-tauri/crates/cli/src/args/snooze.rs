//! What `snooze` takes: until when a question is put off.

use clap::Args;
use signalbox_model::{self as model, RequestId, Timestamp};

/// Put a question off until later, or bring it back
///
/// It stands on the tab "snoozed" until then, and nobody is reminded of it. Whatever is given, it is back five minutes
/// before it expires. An answer ends it, too. A question of a call without a task cannot wait for a change: it takes a time.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  signalbox snooze r3 1h
  signalbox snooze r3 tomorrow
  signalbox snooze r3 off")]
pub(crate) struct Snooze {
    /// The question's short id (r3)
    #[arg(value_name = "REQUEST")]
    pub(crate) request: RequestId,
    /// A length (30m, 1h, 2d), tomorrow (at 9:00), change (until its task changes), before-expiry (five minutes), a time
    /// such as 2026-12-01T09:00:00Z, or off
    #[arg(value_name = "UNTIL", value_parser = read)]
    pub(crate) until: Until,
}

/// As it is typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Until {
    /// So many ms from now.
    After(i64),
    /// Nine o'clock tomorrow.
    Tomorrow,
    /// As it is.
    As(model::Snooze),
    /// It is put off no longer.
    Off,
}

/// Longer than anybody puts anything off: 400 days.
const LONGEST: i64 = 400 * 86_400_000;

/// The text says no time to put a question off until.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "give a length such as 30m, 1h or 2d (at most 400d), tomorrow, change, before-expiry, off, or a time such as \
     2026-12-01T09:00:00Z"
)]
pub(crate) struct BadUntil;

/// Reads `1h`, `tomorrow`, `change`, `before-expiry`, a time or `off`.
pub(crate) fn read(text: &str) -> Result<Until, BadUntil> {
    match text {
        "tomorrow" => return Ok(Until::Tomorrow),
        "change" => return Ok(Until::As(model::Snooze::Change)),
        "before-expiry" => return Ok(Until::As(model::Snooze::BeforeExpiry)),
        "off" => return Ok(Until::Off),
        _ => {}
    }
    if let Some(ms) = length(text) {
        return Ok(Until::After(ms));
    }
    text.parse::<Timestamp>().map(|at| Until::As(model::Snooze::At { at })).map_err(|_| BadUntil)
}

fn length(text: &str) -> Option<i64> {
    let unit = match text.chars().last()? {
        'm' => 60_000,
        'h' => 3_600_000,
        'd' => 86_400_000,
        _ => return None,
    };
    let number: i64 = text[..text.len() - 1].parse().ok()?;
    number.checked_mul(unit).filter(|ms| (1..=LONGEST).contains(ms))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_is_meant() {
        assert_eq!(read("90m"), Ok(Until::After(90 * 60_000)));
        assert_eq!(read("1h"), Ok(Until::After(3_600_000)));
        assert_eq!(read("2d"), Ok(Until::After(2 * 86_400_000)));
        assert_eq!(read("tomorrow"), Ok(Until::Tomorrow));
        assert_eq!(read("change"), Ok(Until::As(model::Snooze::Change)));
        assert_eq!(read("before-expiry"), Ok(Until::As(model::Snooze::BeforeExpiry)));
        assert_eq!(read("off"), Ok(Until::Off));
        let at = "2026-12-01T09:00:00Z".parse().unwrap();
        assert_eq!(read("2026-12-01T09:00:00Z"), Ok(Until::As(model::Snooze::At { at })));
        for wrong in ["", "h", "0h", "-1h", "1", "1y", "401d", "soon", "99999999999999999d", "½h"] {
            assert!(read(wrong).is_err(), "{wrong:?} is no time");
        }
    }
}
