//! Whether something is told now, later or not at all. Pure.

use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};
use signalbox_model::{ItemRef, Timestamp};

use crate::{DesktopNotice, NotifyRules};

/// What became of a notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum NoticeFate {
    /// The notification service has shown it.
    Shown,
    /// The notification service has it, and says that it is not to disturb now.
    Inhibited,
    /// Held back: the level of its tool, its server or of all is below it.
    Level,
    /// Held back: notifications were paused. A question is told afterwards, where it still waits.
    Paused,
    /// Held back: these are quiet hours. A question is told afterwards, where it still waits.
    QuietHours,
    /// Held back: the window has it in front.
    InFront,
    /// Held back: by the time when it was to be told, nobody was asked any more.
    Settled,
    /// The notification service did not take it.
    Failed,
}

/// When it is decided, and what stands around that.
#[derive(Debug)]
pub struct Circumstances<'a> {
    /// The wall clock.
    pub now: Timestamp,
    /// Where the person is.
    pub zone: &'a TimeZone,
    /// Until when nothing is shown.
    pub paused_until: Option<Timestamp>,
    /// What the window shows in front.
    pub front: Option<ItemRef>,
}

/// What is to become of a notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judgement {
    /// It is told now.
    Show,
    /// It is to be judged again then.
    Later {
        /// When that is.
        at: Timestamp,
        /// Why not now.
        why: NoticeFate,
    },
    /// It is not told.
    Hold(NoticeFate),
}

/// What is to become of a notice at a moment.
///
/// A question that is held back for a time is told after it, for it still waits; an end is not: it is in the list by then. In
/// quiet hours a question is told where it would be over before they are.
#[must_use]
pub fn judge(notice: &DesktopNotice, rules: &NotifyRules, moment: &Circumstances<'_>) -> Judgement {
    if moment.front == Some(notice.item) {
        return Judgement::Hold(NoticeFate::InFront);
    }
    if !rules.level_of(notice.server, &notice.tool).tells(notice.kind) {
        return Judgement::Hold(NoticeFate::Level);
    }
    match moment.silence(rules) {
        None => Judgement::Show,
        Some((_, why)) if !notice.kind.asks() => Judgement::Hold(why),
        Some((end, NoticeFate::QuietHours)) if notice.expires_at.is_some_and(|at| at <= end) => {
            Judgement::Show
        }
        Some((at, why)) => Judgement::Later { at, why },
    }
}

impl Circumstances<'_> {
    /// Until when nothing is told that can wait, and why; none where things are told.
    pub(crate) fn silence(&self, rules: &NotifyRules) -> Option<(Timestamp, NoticeFate)> {
        let paused = self.paused_until.filter(|until| *until > self.now);
        let quiet = || Some((rules.quiet?.end(self.now, self.zone)?, NoticeFate::QuietHours));
        paused.map(|until| (until, NoticeFate::Paused)).or_else(quiet)
    }
}

#[cfg(test)]
mod tests {
    use signalbox_model::{CallId, Outcome, RequestId};

    use super::*;
    use crate::{DesktopNoticeKind, NotifyLevel, QuietHours, sample};

    const NOON: Timestamp = Timestamp(12 * 3_600_000);

    fn notice(kind: DesktopNoticeKind) -> DesktopNotice {
        let item = match kind {
            DesktopNoticeKind::Ended { .. } => ItemRef::Call(CallId(1)),
            _ => ItemRef::Request(RequestId(1)),
        };
        DesktopNotice { kind, ..sample::notice(item) }
    }

    fn end(outcome: Outcome) -> DesktopNoticeKind {
        DesktopNoticeKind::Ended { outcome }
    }

    static ZONE: TimeZone = TimeZone::UTC;

    fn at_noon() -> Circumstances<'static> {
        Circumstances { now: NOON, zone: &ZONE, paused_until: None, front: None }
    }

    #[test]
    fn each_level_tells_what_it_says() {
        use DesktopNoticeKind::{Expires, NeedsInput};
        use NotifyLevel::{Everything, NeedsMe, NeedsMeAndBadEnds, Nothing};
        let kinds = [
            NeedsInput,
            Expires,
            end(Outcome::Ok),
            end(Outcome::ToolError),
            end(Outcome::Lost),
            end(Outcome::Cancelled),
        ];
        let cases = [
            (Everything, [true, true, true, true, true, true]),
            (NeedsMeAndBadEnds, [true, true, false, true, true, true]),
            (NeedsMe, [true, true, false, false, false, false]),
            (Nothing, [false; 6]),
        ];
        for (level, told) in cases {
            let rules = NotifyRules { level, ..NotifyRules::default() };
            for (kind, told) in kinds.into_iter().zip(told) {
                let expected = if told { Judgement::Show } else { Judgement::Hold(NoticeFate::Level) };
                assert_eq!(judge(&notice(kind), &rules, &at_noon()), expected, "{level:?}: {kind:?}");
            }
        }
    }

    #[test]
    fn when_something_is_told() {
        use DesktopNoticeKind::{Expires, NeedsInput};
        let hour = |n: i64| NOON.plus_ms(n * 3_600_000);
        let quiet = Some(QuietHours { from: "11:00".parse().unwrap(), to: "14:00".parse().unwrap() });
        let later = |at, why| Judgement::Later { at, why };
        let until_two = later(hour(2), NoticeFate::QuietHours);
        // Whether it is quiet, until when it is paused, what is told, when that expires, what becomes of it.
        let cases = [
            (None, None, NeedsInput, None, Judgement::Show, "nothing is in the way"),
            (
                None,
                Some(hour(1)),
                NeedsInput,
                None,
                later(hour(1), NoticeFate::Paused),
                "it waits for the pause",
            ),
            (
                None,
                Some(hour(1)),
                end(Outcome::Lost),
                None,
                Judgement::Hold(NoticeFate::Paused),
                "an end does not",
            ),
            (
                None,
                Some(hour(1)),
                Expires,
                Some(hour(0)),
                later(hour(1), NoticeFate::Paused),
                "who pauses means it",
            ),
            (None, Some(hour(0)), NeedsInput, None, Judgement::Show, "the pause is over"),
            (quiet, None, NeedsInput, None, until_two, "what never expires can wait"),
            (quiet, None, NeedsInput, Some(hour(3)), until_two, "so can what expires after them"),
            (quiet, None, NeedsInput, Some(hour(1)), Judgement::Show, "what expires inside cannot"),
            (quiet, None, Expires, Some(hour(2)), Judgement::Show, "nor what expires with their end"),
            (
                quiet,
                None,
                end(Outcome::ToolError),
                Some(hour(1)),
                Judgement::Hold(NoticeFate::QuietHours),
                "an end is one",
            ),
            (
                quiet,
                Some(hour(1)),
                NeedsInput,
                None,
                later(hour(1), NoticeFate::Paused),
                "then it is judged again",
            ),
        ];
        for (quiet, paused_until, kind, expires_at, expected, why) in cases {
            let rules = NotifyRules { quiet, ..NotifyRules::default() };
            let moment = Circumstances { paused_until, ..at_noon() };
            let notice = DesktopNotice { expires_at, ..notice(kind) };
            assert_eq!(judge(&notice, &rules, &moment), expected, "{kind:?}: {why}");
        }
    }

    #[test]
    fn what_is_in_front_is_seen_whatever_the_rules() {
        let notice = notice(DesktopNoticeKind::NeedsInput);
        let moment = Circumstances { front: Some(notice.item), ..at_noon() };
        assert_eq!(judge(&notice, &NotifyRules::default(), &moment), Judgement::Hold(NoticeFate::InFront));
        let other = Circumstances { front: Some(ItemRef::Call(CallId(1))), ..at_noon() };
        assert_eq!(judge(&notice, &NotifyRules::default(), &other), Judgement::Show);
    }
}
