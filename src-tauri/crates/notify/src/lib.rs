//! OS notifications with actions, for the window and for `serve`.
//!
//! A [`DesktopNotice`] goes in. [`judge`] says whether it is told now, later or not at all, by what the person wants
//! ([`NotifyRules`]). What comes at once is gathered, and shown as a [`Toast`] by a [`Backend`] ([`Desktop`] is the real one).
//! What the person presses comes back as a [`NoticePress`]; what became of each notice is remembered ([`PastNotice`]). Task ids
//! and other sensitive handles have no business here: notices carry short ids and words.

mod desktop;
mod error;
mod gather;
mod judge;
mod launcher;
mod notifier;
mod rules;
#[cfg(test)]
mod sample;
mod text;
mod toast;

pub use desktop::Desktop;
pub use error::NotifyError;
pub use gather::{GRACE, QUIET};
pub(crate) use gather::{Gather, Next, Now};
pub use judge::{Circumstances, Judgement, NoticeFate, judge};
pub use launcher::Launcher;
pub use notifier::{AroundNotices, Backend, Notifier, PastNotice, Service, Taken};
pub use rules::{
    LONGEST_TOOL, MOST_RULES, NoTimeOfDay, NotifyLevel, NotifyRule, NotifyRules, QuietHours, TimeOfDay,
};
pub use toast::{Activation, DesktopNotice, DesktopNoticeKind, NoticePress, Toast};
