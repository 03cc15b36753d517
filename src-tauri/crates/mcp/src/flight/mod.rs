//! What servers have sent and nobody has kept yet: bounded in bytes, for one server and for all together.
//!
//! Three rules, by which no server can hold up another, and nothing waits for itself:
//!
//! 1. A message that is still coming has only the memory that it gets without waiting. All else of it is a file
//!    ([`Spool`]).
//! 2. Once it is whole it waits for room: for its size exactly, all at once, of its server and then of all.
//! 3. Who has room never waits for a server. It is let go with the last [`Permit`], which goes with the message until
//!    that is committed or dropped ([`Load`]).
//!
//! What is small has room of its own: it never waits behind what is large.

mod spool;

use std::{
    cell::RefCell,
    fmt,
    path::{Path, PathBuf},
    pin::pin,
    sync::Arc,
    time::Duration,
};

use tokio::{
    runtime::{Handle, RuntimeFlavor},
    sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit},
};

pub(crate) use spool::Spool;

use crate::{mask::Mask, pace::Pace};

const MIB: usize = 1024 * 1024;

/// A message of more bytes is large.
pub(crate) const LARGE: usize = MIB;
/// Bytes that every message may have in memory while it comes, without asking.
pub(crate) const FREE: usize = 64 * 1024;

/// Large messages of one server in memory, in bytes. With the next two: 64 MiB. A message that has more than
/// this comes without another large one.
const LARGE_OF_ONE: usize = 48 * MIB;
/// Small messages of one server, in bytes.
const SMALL_OF_ONE: usize = 8 * MIB;
/// Messages of one server that have up to 1 MiB in memory while they come.
const COMING_OF_ONE: usize = 8;
/// Messages of one server in files, in bytes; more only where one message may have more.
const FILES_OF_ONE: usize = 256 * MIB;

/// Large messages of all servers in memory, in bytes. With the next two: 112 MiB.
const LARGE_OF_ALL: usize = 64 * MIB;
/// Small messages of all servers, in bytes.
const SMALL_OF_ALL: usize = 32 * MIB;
/// Messages of all servers that have up to 1 MiB in memory while they come.
const COMING_OF_ALL: usize = 16;
/// Messages of all servers in files, in bytes.
const FILES_OF_ALL: usize = 2048 * MIB;

/// What a server sends unasked is read as fast as it comes, up to this many bytes …
const UNASKED_BURST: usize = 8 * MIB;
/// … and from then on this many bytes in a ms.
const UNASKED_PER_MS: usize = 4 * 1024;

/// Room for what servers send, shared by the clients of all of them. Cheap to clone.
#[derive(Clone)]
pub struct Room(Arc<All>);

struct All {
    pools: Pools,
    /// Held by whoever reads a large message: reading takes its size in memory again, and a while.
    reading: Semaphore,
    /// Where the files are made; they have no names.
    dir: PathBuf,
}

/// What one server has in flight. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Flight(Arc<One>);

struct One {
    pools: Pools,
    room: Room,
    mask: Mask,
    unasked: Pace,
}

struct Pools {
    large: Pool,
    small: Pool,
    coming: Pool,
    /// In units of [`FREE`].
    files: Pool,
}

#[derive(Clone)]
struct Pool {
    free: Arc<Semaphore>,
    most: usize,
}

/// Room of one server, and of all.
type Taken = (OwnedSemaphorePermit, OwnedSemaphorePermit);

/// Room that a message has, let go with the last clone.
#[derive(Clone)]
pub(crate) struct Permit(#[expect(dead_code, reason = "it is there to be dropped")] Arc<Taken>);

/// The room that messages have which were handed out. To be dropped once they are kept, or dropped themselves.
#[derive(Default)]
#[must_use]
pub struct Load(Vec<Permit>);

/// A message that is whole.
pub(crate) struct Arrived {
    bytes: Vec<u8>,
    permit: Permit,
    flight: Flight,
}

/// The turn to read a message.
pub(crate) struct Turn<'a> {
    bytes: &'a [u8],
    large: Option<SemaphorePermit<'a>>,
}

tokio::task_local! {
    static LOAD: RefCell<Load>;
}

/// What comes of `future`, and the room that the messages have which it was handed. Without this their room is let go as
/// they are handed out. A future that is large is to be given pinned: it is moved.
pub async fn carrying<F: Future>(future: F) -> (F::Output, Load) {
    let mut scope = pin!(LOAD.scope(RefCell::default(), future));
    let output = scope.as_mut().await;
    (output, scope.take_value().map(RefCell::into_inner).unwrap_or_default())
}

/// Work that keeps its thread busy: others go on elsewhere meanwhile.
fn aside<T>(work: impl FnOnce() -> T) -> T {
    let elsewhere =
        Handle::try_current().is_ok_and(|handle| handle.runtime_flavor() == RuntimeFlavor::MultiThread);
    if elsewhere { tokio::task::block_in_place(work) } else { work() }
}

impl Room {
    /// Room of which what is in files lies in `dir`.
    #[must_use]
    pub fn new(dir: &Path) -> Self {
        let pools = Pools::of(LARGE_OF_ALL, SMALL_OF_ALL, COMING_OF_ALL, FILES_OF_ALL);
        Self(Arc::new(All { pools, reading: Semaphore::new(1), dir: dir.to_owned() }))
    }
}

impl Default for Room {
    /// With files where the system has those that nobody keeps.
    fn default() -> Self {
        Self::new(&std::env::temp_dir())
    }
}

impl PartialEq for Room {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Room {}

impl fmt::Debug for Room {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Room")
    }
}

impl Flight {
    /// Of a server whose messages may have `limit` bytes.
    pub(crate) fn new(room: &Room, limit: usize) -> Self {
        let pools = Pools::of(LARGE_OF_ONE, SMALL_OF_ONE, COMING_OF_ONE, FILES_OF_ONE.max(limit));
        let unasked = Pace::new(time_for(UNASKED_BURST));
        Self(Arc::new(One { pools, room: room.clone(), mask: Mask::default(), unasked }))
    }

    /// The secrets of ours that are not to come back from this server.
    pub(crate) fn mask(&self) -> &Mask {
        &self.0.mask
    }

    /// For the next message.
    pub(crate) fn spool(&self) -> Spool {
        Spool::new(self.clone())
    }

    /// So many bytes have come that nobody asked for.
    pub(crate) fn unasked(&self, bytes: usize) {
        self.0.unasked.charge(time_for(bytes));
    }

    /// Returns when more may be read of what the server sends. Nothing that has room may be held meanwhile.
    pub(crate) async fn ready(&self) {
        self.0.unasked.ready().await;
    }

    /// Has room for what came in several messages, each of which has let go its own: who waits has none.
    pub(crate) async fn hand_over(&self, bytes: usize) {
        Permit::hand_over(self.room_for(bytes).await);
    }

    /// Room for a message that is whole. Dropping the future takes none.
    async fn room_for(&self, bytes: usize) -> Permit {
        let of = |pools: &Pools| if bytes > LARGE { pools.large.clone() } else { pools.small.clone() };
        let one = of(&self.0.pools).take(bytes).await;
        Permit(Arc::new((one, of(&self.0.room.0.pools).take(bytes).await)))
    }

    /// Of a pool of one and of all what is there now, or nothing.
    fn at_once(&self, of: impl Fn(&Pools) -> &Pool, count: usize) -> Option<Taken> {
        Some((of(&self.0.pools).try_take(count)?, of(&self.0.room.0.pools).try_take(count)?))
    }
}

fn time_for(unasked: usize) -> Duration {
    Duration::from_micros((unasked as u64).saturating_mul(1_000) / UNASKED_PER_MS as u64)
}

impl Pools {
    fn of(large: usize, small: usize, coming: usize, files: usize) -> Self {
        let pool = |most: usize| Pool { free: Arc::new(Semaphore::new(most)), most };
        Self {
            large: pool(large),
            small: pool(small),
            coming: pool(coming),
            files: pool(files.div_ceil(FREE)),
        }
    }
}

impl Pool {
    async fn take(self, count: usize) -> OwnedSemaphorePermit {
        let count = u32::try_from(count.min(self.most)).expect("BUG: no pool is as large");
        self.free.acquire_many_owned(count).await.expect("BUG: it is never closed")
    }

    fn try_take(&self, count: usize) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.free).try_acquire_many_owned(u32::try_from(count).ok()?).ok()
    }
}

impl Permit {
    /// A message is handed out: its room, if it has any, goes with whoever [carries](carrying) it.
    pub(crate) fn hand_over(permit: impl Into<Option<Self>>) {
        // Nobody does, mostly in tests.
        let _ = LOAD.try_with(|load| load.borrow_mut().0.extend(permit.into()));
    }
}

impl Load {
    /// From now on it goes with whoever [carries](carrying) what this is called in.
    pub fn hand_over(self) {
        let _ = LOAD.try_with(|load| load.borrow_mut().0.extend(self.0));
    }
}

impl Arrived {
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// It, without secrets of ours.
    pub(crate) fn masked(mut self) -> Self {
        let bytes = std::mem::take(&mut self.bytes);
        let mask = &self.flight.0.mask;
        self.bytes = if bytes.len() > LARGE { aside(|| mask.message(bytes)) } else { mask.message(bytes) };
        self
    }

    /// Takes a line's end off it.
    pub(crate) fn without_cr(mut self) -> Self {
        if self.bytes.last() == Some(&b'\r') {
            self.bytes.pop();
        }
        self
    }

    /// Waits until it may be read: of what is large one at a time.
    pub(crate) async fn turn(&self) -> Turn<'_> {
        let large = match self.bytes.len() > LARGE {
            true => Some(self.flight.0.room.0.reading.acquire().await.expect("BUG: it is never closed")),
            false => None,
        };
        Turn { bytes: &self.bytes, large }
    }

    pub(crate) fn flight(&self) -> Flight {
        self.flight.clone()
    }

    /// Its room, for what was read of it.
    pub(crate) fn permit(&self) -> Permit {
        self.permit.clone()
    }
}

impl Turn<'_> {
    /// Reads it, and gives the turn to the next.
    pub(crate) fn read<T>(self, read: impl FnOnce(&[u8]) -> T) -> T {
        match &self.large {
            Some(_) => aside(|| read(self.bytes)),
            None => read(self.bytes),
        }
    }
}

impl fmt::Debug for Permit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Permit")
    }
}

impl fmt::Debug for Load {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Load({} messages)", self.0.len())
    }
}

#[cfg(test)]
mod tests;
