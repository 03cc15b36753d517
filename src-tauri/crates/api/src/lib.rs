//! What every host speaks: the window, the command line, scripts.
//!
//! An [`Ask`] goes in, an [`Answered`] or an [`ApiError`] comes out, in this process ([`Local`]) or over the owner's
//! socket ([`Remote`]). Hosts pull: they ask what changed in *their* view since a [`Cursor`], so nothing queues up
//! for a slow host, and a gap is simply a fresh view.

mod autostart;
mod background;
#[cfg(feature = "bindings")]
pub mod bindings;
mod check;
pub mod command;
mod demo;
mod desk;
mod difference;
mod dismiss;
pub mod doctor;
mod ending;
mod environment;
mod error;
mod file_limit;
mod home;
pub mod import;
mod language;
mod launch;
mod left_behind;
mod link;
#[cfg(windows)]
mod link_key;
mod local;
pub mod logging;
mod next_question;
mod notifications;
mod open;
mod own_or_join;
mod owner;
mod page;
mod palette;
mod part;
mod places;
mod private;
mod programs;
mod raw;
mod read_only;
mod refusal;
#[cfg(windows)]
mod registry;
mod remark;
mod remote;
pub mod rescue;
mod saved_tasks;
mod saved_views;
mod secret_place;
mod settings;
mod shortcut;
mod socket;
mod standing;
pub mod stops;
mod tomorrow;
pub mod tray;
mod url;
mod verify;
mod view;
pub mod words;

pub use autostart::Autostart;
pub use background::Background;
pub use command::{
    Command, ExportKind, NewAccess, NewSecret, NewTransport, Reply, Said, SecretText, ServerCheck, ToolView,
};
pub use desk::{Answered, Answering, Ask, Boxed, Desk, DeskExt};
pub use difference::{DiffLine, DiffSide, Difference};
pub use dismiss::dismiss;
pub use ending::{Ending, WhyEnds};
pub use environment::Withheld;
pub use error::{ApiError, Code, Detail, Retry};
pub use file_limit::outlive_file_limit;
pub use home::Home;
pub use language::filter_language;
pub use launch::{not_inherited, set_not_inherited};
pub use link::{BadLink, LINK_SCHEME, Led, LedPlace, Link};
#[cfg(windows)]
pub use link_key::open_links;
pub use local::{Local, MOST_SERVERS};
pub use next_question::next_question;
pub use notifications::Notifications;
pub use open::{Opened, Owned, open, open_with};
pub use own_or_join::{Role, own_or_join};
pub use owner::{LEAVING, NotOwned, Ownership, WindowLock, before_next_try, last_owner};
pub use page::{Browser, browse, browser, open_page};
pub use palette::{OwnEntry, PaletteEntry, PaletteItem};
pub use part::{PartFile, WhichPart, link_of, open_part, part_file};
pub use programs::{NoProgram, command_program, own_program, window_program};
pub use raw::Raw;
pub use read_only::ReadOnly;
pub use remote::Remote;
pub use saved_tasks::{SavedTasks, save_tasks};
pub use saved_views::{SAVED_VIEWS, SavedView};
pub use secret_place::{PassphraseFrom, SecretPlace, SecretsState, SecretsView, others_may_read, passphrase};
pub use settings::{Settings, Theme};
#[cfg(target_os = "linux")]
pub use shortcut::Display;
pub use shortcut::{BadShortcut, Deaf, Grip, Keyboard, Lost, Shortcut, ShortcutState, hold_shortcut};
pub use signalbox_notify::{
    NoticeFate, NotifyLevel, NotifyRule, NotifyRules, PastNotice, QuietHours, TimeOfDay,
};
pub use signalbox_signin::Passphrase;
pub use socket::{ASKS, SocketServer};
pub use standing::{Beside, Standing};
pub use stops::Stops;
pub use tomorrow::tomorrow;
pub use url::have_same_origin;
pub use verify::{Found, Verified, verify_lines};
pub use view::{
    BlobView, Changes, ContentPart, Counts, Cursor, FileFormat, Head, HeadOf, InboxTab, ListOf, ListQuery,
    ListedTask, Listing, Offer, Overview, OverviewChange, Owner, OwnerKind, Page, PayloadInfo, Progress,
    RequestDetail, RequestEntry, RequestList, RequestRow, ResultView, RoundView, ServerChange, ServerView,
    SignedIn, Spent, Stack, StackColumn, Stacked, Stretch, TabCounts, TaskDetail, TaskEntry, TaskGroup,
    TaskRow, TimeSpent, Trouble, Unshown, UrlView, UrlWarning, View, ViewData, look,
};
