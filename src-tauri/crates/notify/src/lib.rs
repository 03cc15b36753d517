//! OS notifications with actions, for the window and for `serve`.
//!
//! A [`DesktopNotice`] goes in; what comes at once is gathered ([`Gather`]), what the person looks at already is left out,
//! the rest is shown as a [`Toast`] by a [`Backend`] ([`Desktop`] is the real one). A click comes back as an
//! [`Activation`]. Task ids and other sensitive handles have no business here: notices carry short ids and words.

mod desktop;
mod error;
mod gather;
mod notifier;
mod text;
mod toast;

pub use desktop::Desktop;
pub use error::NotifyError;
pub use gather::{Gather, Next, QUIET};
pub use notifier::{Backend, Notifier};
pub use toast::{Activation, DesktopNotice, DesktopNoticeKind, Toast};
