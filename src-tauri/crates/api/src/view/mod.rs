//! What hosts look at. A view is asked for with a cursor and answered with what changed since.

mod list;
mod listing;
pub mod look;
mod overview;
mod request;
mod result;
mod stack;
mod stretch;
mod task;
mod url;

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use signalbox_model::{ActivationToken, CallId, ItemRef, Json, RequestId, RequestLog};
use signalbox_notify::PastNotice;

use crate::{ApiError, Led};

pub use list::{Head, HeadOf, ListOf, ListQuery, Offer};
pub use listing::{ListedTask, Listing};
pub(crate) use look::Look;
pub use overview::{
    Counts, Overview, OverviewChange, Owner, OwnerKind, ServerChange, ServerView, SignedIn, TabCounts,
    Trouble,
};
pub use request::{RequestDetail, RequestEntry, RequestRow, RoundView};
pub use result::{BlobView, ContentPart, FileFormat, ResultView, Unshown};
pub use stack::{Stack, StackColumn, Stacked};
pub(crate) use stretch::stretches;
pub use stretch::{Spent, Stretch, TimeSpent};
pub use task::{PayloadInfo, Progress, TaskDetail, TaskEntry, TaskRow};
pub use url::{UrlView, UrlWarning};

/// What to look at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum View {
    /// Counts, servers, settings, troubles: what is always on screen.
    Overview,
    /// A window of rows of the task list.
    Tasks {
        /// Which tasks, and how they stand.
        query: ListQuery,
        /// The first row.
        offset: u32,
        /// How many rows, at most 500.
        limit: u32,
    },
    /// Tasks with what documents say of them, many at once. A page ends where it has 1 MiB of arguments: what follows is asked
    /// for with another offset.
    TaskEntries {
        /// Which tasks, and how they stand.
        query: ListQuery,
        /// The first row.
        offset: u32,
        /// How many rows, at most 500.
        limit: u32,
    },
    /// A window of rows of the inbox. Under two heads is what needs a person: what waits, and what nobody asks any more.
    Inbox {
        /// Which tab of the inbox is shown.
        tab: InboxTab,
        /// Which of those, as of [`ListQuery::filter`].
        filter: String,
        /// A filter beside it, as of [`ListQuery::within`].
        within: String,
        /// The first row.
        offset: u32,
        /// How many rows, at most 500.
        limit: u32,
    },
    /// Questions with what documents say of them, many at once. A page ends where it has 1 MiB of text: what follows is
    /// asked for with another offset.
    Requests {
        /// Which list of questions is shown.
        list: RequestList,
        /// Which of those, as of [`ListQuery::filter`]. Only of all, and of those that are not over.
        filter: String,
        /// The first row.
        offset: u32,
        /// How many rows, at most 500.
        limit: u32,
        /// With all that was received and typed, too.
        whole: bool,
    },
    /// One task with all about it.
    Task {
        /// The call that is shown.
        call: CallId,
    },
    /// What went between us and the server about one task, as far as the running owner remembers it.
    RequestLog {
        /// The call that it is about.
        call: CallId,
    },
    /// One question with its form.
    Request {
        /// The question that is shown.
        request: RequestId,
    },
    /// The open questions that are like one, which can be answered together.
    Stack {
        /// The question that is in hand.
        request: RequestId,
    },
    /// What a window remembers under a name.
    Preference {
        /// As of [`crate::command::SetPreference`].
        key: String,
    },
    /// What somebody who types a filter may mean.
    Offers {
        /// The list that the filter is for.
        list: ListOf,
        /// A filter beside what is typed, as of [`ListQuery::within`].
        within: String,
        /// The filter up to the caret.
        before: String,
        /// The filter behind the caret.
        after: String,
    },
    /// What is wrong with ourselves, by itself: whoever waits for a task can be told at once why nothing comes.
    Troubles,
    /// What became of the last notices: told, or held back and why.
    Notices,
    /// What the window is asked to show (a notification's "Review", a second start).
    Forward {
        /// Whoever looks brings the window to the front, and needs the right to do so. The page shows what is in it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(feature = "bindings", ts(optional, as = "Option<bool>"))]
        raises: bool,
    },
}

/// The groups of the task list, in its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum TaskGroup {
    /// Waits for a person.
    NeedsYou,
    /// Not ended, and nothing in it waits for a person.
    Working,
    /// Ended, whatever the outcome.
    Ended,
}

/// The tabs of the inbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum InboxTab {
    /// Waits for a person who has not put it off, or is on its way to the server.
    NeedsYou,
    /// Of these what waits with its deadline near.
    Expiring,
    /// Waits for a person who has put it off.
    Snoozed,
    /// No longer asked; below these what is answered or closed.
    Answered,
    /// The questions of all tabs.
    All,
}

/// A list of questions.
#[skip_serializing_none]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(tag = "of", rename_all = "snake_case")]
pub enum RequestList {
    /// Those that are not over, in the order of the inbox: what was put off comes behind the others, and what is stranded last.
    Waiting,
    /// Those of a tab, in its order.
    Tab {
        /// Which one.
        tab: InboxTab,
    },
    /// All, the newest first.
    All {
        /// Only those behind this one.
        after: Option<RequestId>,
    },
    /// Those of a task that are not over: what waits for a person, then what is on its way, then what is stranded; of each the
    /// oldest first.
    Open {
        /// The task that asked.
        call: CallId,
    },
    /// Those of a task that are over: the last closed first.
    Closed {
        /// The task that asked.
        call: CallId,
    },
}

/// Where a host stands. Opaque: hand back what came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct Cursor {
    /// The owner's run; another one means a fresh view.
    pub epoch: u64,
    /// The last change included.
    pub seq: u64,
    /// A digest of what has no number of its own (order, totals).
    #[cfg_attr(feature = "bindings", ts(type = "string"))]
    #[serde(with = "text")]
    pub shape: u64,
}

mod text {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(value: &u64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(value)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// What changed in a view.
#[skip_serializing_none]
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
pub struct Changes {
    /// To hand back next time; also with another window of the same list.
    pub cursor: Cursor,
    /// The changes; none when nothing changed while waiting.
    pub data: Option<ViewData>,
}

/// What a view holds. Lists carry the ids of the whole window of rows, and only those rows that changed.
#[skip_serializing_none]
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum ViewData {
    /// What changed of the overview.
    Overview {
        /// What is new since the cursor.
        change: Box<OverviewChange>,
    },
    /// A window of the task list.
    Tasks {
        /// The rows of this window.
        page: Page<CallId, TaskRow>,
    },
    /// A page of tasks.
    TaskEntries {
        /// The tasks of this page.
        page: Page<CallId, TaskEntry>,
    },
    /// A window of the inbox.
    Inbox {
        /// The rows of this window.
        page: Page<RequestId, RequestRow>,
    },
    /// A page of questions.
    Requests {
        /// The questions of this page.
        page: Page<RequestId, RequestEntry>,
    },
    /// All of a task; none when there is no such task.
    Task {
        /// The task with all about it.
        task: Option<Box<TaskDetail>>,
    },
    /// The request log of a task. Empty where nothing is remembered, and where there is no such task.
    RequestLog {
        /// What is remembered.
        log: Box<RequestLog>,
    },
    /// All of a question; none when there is no such question.
    Request {
        /// The question with its form.
        request: Option<Box<RequestDetail>>,
    },
    /// A stack; none where the question is like no other that is open.
    Stack {
        /// The questions, with what tells them apart.
        stack: Option<Box<Stack>>,
    },
    /// What is remembered.
    Preference {
        /// As it was set; none where nothing is remembered.
        value: Option<Json>,
    },
    /// What may be meant.
    Offers {
        /// The likeliest first; at most eight. None shows no row.
        offers: Vec<Offer>,
    },
    /// All that is wrong with ourselves.
    Troubles {
        /// Disk, secrets, notifications.
        troubles: Vec<Trouble>,
    },
    /// What became of the last notices.
    Notices {
        /// The newest first, at most 200. Empty where the owner raises no notifications.
        past: Vec<PastNotice>,
    },
    /// The window is asked to come forward.
    Forward {
        /// Counts the wishes; a host acts when it grows.
        wish: u32,
        /// What to show.
        item: Option<ItemRef>,
        /// What a link brought instead.
        led: Option<Led>,
        /// The right to come to the front, for whoever does that.
        token: Option<ActivationToken>,
        /// Somebody has asked the owner to end: a window closes, and does not take over.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(feature = "bindings", ts(optional, as = "Option<bool>"))]
        quit: bool,
    },
}

/// A window of rows.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct Page<I, R> {
    /// The ids of all rows of the window, in order.
    pub ids: Vec<I>,
    /// The rows that changed since the cursor, and those that came into the window since.
    pub rows: Vec<R>,
    /// How many rows the whole list has.
    pub total: u32,
    /// The rows of the window that can be answered together with others like them ([`Stack`]), each with how many there are, itself
    /// included. None while that is not known.
    pub stacked: Option<Vec<(I, u32)>>,
    /// The heads under which the rows of the whole list stand, in order, each with at least one. Empty where they have none.
    pub heads: Vec<Head>,
    /// Whether the list is whole. Just after a start a filter finds more and more.
    pub complete: bool,
    /// Why full texts cannot be looked through: what is listed was found without them.
    pub fault: Option<ApiError>,
}

impl<I, R> Page<I, R> {
    /// A window of a list that is whole, without heads.
    #[must_use]
    pub fn of(ids: Vec<I>, rows: Vec<R>, total: u32) -> Self {
        Self { ids, rows, total, stacked: None, heads: Vec::new(), complete: true, fault: None }
    }
}
