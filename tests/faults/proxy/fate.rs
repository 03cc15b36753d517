//! What can happen to one request on its way.

use signalbox_tests::Dice;
use std::time::Duration;

/// The names of all fates, for the count.
pub(crate) const FATES: [&str; 13] = [
    "passed on",
    "delayed",
    "overtaken",
    "cut before it arrived",
    "cut before the answer",
    "cut within the answer",
    "doubled",
    "doubled later",
    "cut, and arrived later",
    "told to wait",
    "never through",
    "refused",
    "stream cut",
];

#[derive(Debug, Clone, Copy)]
pub(super) enum Fate {
    Pass,
    /// Held up on the way there, and on the way back.
    Slow {
        there: Duration,
        back: Duration,
    },
    /// Others go first.
    Overtaken,
    /// The connection is cut, and the server never hears of it.
    CutBefore,
    /// The server has answered when the connection is cut.
    CutAfter,
    /// Half of the answer comes.
    CutWithin,
    /// The server is handed it twice.
    Twice,
    /// The server is handed it again when nobody expects that any more.
    Ghost(Duration),
    /// The connection is cut at once, and the server hears of it later.
    Late(Duration),
    /// 503, and the server never hears of it.
    Busy,
    /// 500 each time, and the server never hears of it.
    Broken,
    /// This status, of those that say a definite no; the server never hears of it.
    Refused(u16),
    /// An answer that comes bit by bit is cut within what comes next after this time.
    Cut(Duration),
}

impl Fate {
    /// A fault for `rough` of a hundred requests.
    pub(super) fn throw(dice: &mut Dice, rough: u64) -> Self {
        if !dice.percent(rough) {
            return Self::Pass;
        }
        let mut ms = |low, high| Duration::from_millis(dice.between(low, high));
        let (short, long, while_away) = (ms(0, 80), ms(5, 120), ms(20, 400));
        match dice.below(10) {
            0 | 1 => Self::Slow { there: short, back: long },
            2 => Self::Overtaken,
            3 => Self::CutBefore,
            4 => Self::CutAfter,
            5 => Self::CutWithin,
            6 => Self::Twice,
            7 => Self::Ghost(while_away),
            8 => Self::Late(while_away),
            _ => Self::Busy,
        }
    }

    /// The same for requests whose answers come bit by bit.
    pub(super) fn of_stream(dice: &mut Dice, rough: u64) -> Self {
        if !dice.percent(rough) {
            return Self::Pass;
        }
        match dice.below(8) {
            0 => {
                let there = Duration::from_millis(dice.between(0, 120));
                Self::Slow { there, back: Duration::ZERO }
            }
            1 => Self::CutBefore,
            2 => Self::Busy,
            _ => Self::Cut(Duration::from_millis(dice.between(0, 400))),
        }
    }

    pub(super) fn name(self) -> &'static str {
        let [
            passed,
            slow,
            overtaken,
            before,
            after,
            within,
            twice,
            ghost,
            late,
            busy,
            broken,
            refused,
            stream,
        ] = FATES;
        match self {
            Self::Pass => passed,
            Self::Slow { .. } => slow,
            Self::Overtaken => overtaken,
            Self::CutBefore => before,
            Self::CutAfter => after,
            Self::CutWithin => within,
            Self::Twice => twice,
            Self::Ghost(_) => ghost,
            Self::Late(_) => late,
            Self::Busy => busy,
            Self::Broken => broken,
            Self::Refused(_) => refused,
            Self::Cut(_) => stream,
        }
    }
}
