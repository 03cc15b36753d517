//! What lists can ask for.

use signalbox_model::{CallId, RequestId, ServerId};

/// Which calls, of which rows `offset..offset + limit`: needing a person first, then working, then ended; within each the
/// newest first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CallQuery {
    /// Only of this server.
    pub server: Option<ServerId>,
    /// How many rows to leave out.
    pub offset: u32,
    /// How many rows to return; 0 asks for the total alone.
    pub limit: u32,
    /// Of the window's rows only those that changed after this transaction; all ids all the same.
    pub since: Option<u64>,
}

/// The lists of input requests.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum WhichRequests {
    /// Not over: by deadline (none last), then the oldest first; of those that the person has put off the same below that.
    /// Below these what is stranded, the oldest first.
    #[default]
    Waiting,
    /// Of these what was not put off and is still asked.
    NeedsYou,
    /// Stranded: the newest first. Below these what is over: the last closed first.
    Answered,
    /// All: the newest first.
    All,
    /// Of all those behind this one.
    Behind(RequestId),
    /// Those of a call that are not over: what waits for a person, then what is on its way, then what is stranded; of
    /// each the oldest first.
    Open(CallId),
    /// Those of a call that are over: the last closed first.
    Closed(CallId),
}

/// Which input requests, of which rows `offset..offset + limit`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RequestQuery {
    /// Which list the rows are of.
    pub list: WhichRequests,
    /// How many rows to leave out.
    pub offset: u32,
    /// How many rows to return; 0 asks for the total alone.
    pub limit: u32,
    /// Ends the window behind the row with which its texts are this long together, in bytes.
    pub bytes: Option<usize>,
    /// Which of the long parts are read.
    pub text: Text,
}

/// Which long parts of input requests are read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Text {
    /// None of them, of a message the first 320 characters, and nothing of what was answered: what a list shows.
    Row,
    /// None of them.
    #[default]
    None,
    /// Of these the schema alone.
    Schema,
    /// All: schema, raw JSON, draft.
    All,
}

/// A window of rows of a list, consistent with one transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowPage<I, T> {
    /// The transaction the page is of.
    pub seq: u64,
    /// The ids in the window, in order.
    pub ids: Vec<I>,
    /// Their rows with the transaction that last changed each. A row that cannot be decoded is missing here.
    pub rows: Vec<(T, u64)>,
    /// How many match in all.
    pub total: u64,
}

/// A portion of a whole table, for exports: `next` is what to ask for after it, none at the end.
///
/// Rows written meanwhile may or may not be among them; a row is never there twice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Portion<T> {
    /// The rows, by number. One that cannot be decoded is missing, and counted in [`Reads::skipped`](crate::Reads::skipped).
    pub rows: Vec<T>,
    /// The number to pass as `after` for the next portion.
    pub next: Option<u64>,
}
