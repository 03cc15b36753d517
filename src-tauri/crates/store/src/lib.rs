//! The SQLite store: one file per table, one writer with group commit.
//!
//! [`Store`] owns the database of a data directory. All changes go through [`Store::submit`] as [`Batch`]es of plain
//! [`Write`]s; a dedicated thread commits whatever is queued in one transaction and answers every batch with the
//! transaction's number. [`Reads`] are read-only connections beside it. Nothing else opens the file, but [`restore`] and
//! [`salvage`] while no store is open.
//!
//! What people decided is in a log of its own, which is only ever added to and proves that by a [`Chain`] of hashes. What is
//! too large for the database is a file beside it.
//!
//! The files stand in one order: `data_dir`, `connection`, `pool`, `snapshot` and `reads` know no table; a table knows those;
//! `live` (what the engine starts from), `migrate`, `open`, `writer` and `rescue` know the tables.
//!
//! Must never happen: a batch answered with [`Committed`] that is not on the disk; half a batch stored; a number of a
//! call, request or server handed out twice; a damaged, newer or foreign file changed; a decision changed or deleted; a
//! statement that takes longer as tables grow.

mod chain;
mod column;
mod connection;
mod copy;
mod data_dir;
mod digest;
mod error;
mod export;
mod files;
mod header;
mod live;
mod migrate;
mod news;
mod open;
mod page;
mod plan;
mod pool;
mod queue;
mod reads;
mod rescue;
mod room;
mod secrets;
mod snapshot;
mod spare;
mod stop;
mod store;
mod sweep;
mod table;
mod texts;
mod verify;
mod whereabouts;
mod write;
mod writer;

pub use chain::{Break, Chain, Entry, How, Later};
pub use copy::Copied;
pub use digest::{BadDigest, Digest};
pub use error::{Closed, CommitError, FileFault, OpenError, ReadError, Whose};
pub use live::Live;
pub use news::{News, Touched};
pub use page::{CallQuery, Portion, RequestQuery, RowPage, Text, WhichRequests};
pub use reads::Reads;
pub use rescue::{OldLog, Problem, RescueError, Restored, SalvageReport, SalvagedTable, restore, salvage};
pub use room::no_room;
pub use secrets::{hide_secrets, is_content_of};
pub use stop::Stop;
pub use store::Store;
pub use table::counts::{AllCounts, ServerCounts};
pub use table::meta::Ids;
pub use table::requests::{Member, Undecided};
pub use table::rounds::{OpenRound, Round};
pub use table::sessions::StoredSession;
pub use texts::{TextOf, Texts};
pub use verify::{Finding, Verification};
pub use write::{Batch, BatchKind, Committed, Done, Write};
