//! What every host speaks: the window, the command line, scripts.
//!
//! An [`Ask`] goes in, an [`Answered`] or an [`ApiError`] comes out, in this process ([`Local`]) or over the owner's
//! socket ([`Remote`]). Hosts pull: they ask what changed in *their* view since a [`Cursor`], so nothing queues up
//! for a slow host, and a gap is simply a fresh view.

pub mod bindings;
mod command;
mod desk;
mod error;
mod view;

pub use command::{
    Command, NewSecret, NewTransport, Reply, SecretText, ServerCheck, Settings, Theme, ToolView,
};
pub use desk::{Answered, Ask, Desk};
pub use error::{ApiError, Code, Detail, Retry};
pub use view::{
    Changes, ContentPart, Counts, Cursor, InboxTab, Overview, Owner, OwnerKind, Page, PayloadInfo, Progress,
    RequestDetail, RequestRow, ResultView, ServerView, TaskDetail, TaskFilter, TaskGroup, TaskRow, Trouble,
    UrlView, UrlWarning, View, ViewData,
};
