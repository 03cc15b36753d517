//! Lists that come page by page: read to their end, or as far as we take lists. The bounds are in pages, in bytes, and
//! for entries that hardly have any bytes in what it costs to keep one.
//!
//! A list of tools that is longer is an error (`Error::TooMuch`). Of a longer list of tasks the beginning is taken, and
//! the list says so.

use std::{
    collections::HashSet,
    hash::{BuildHasher as _, RandomState},
    pin::pin,
};

use serde_json::value::RawValue;
use signalbox_model::{Breach, Json, Part, Unit};

use crate::{
    endpoint::Options,
    error::Error,
    flight::{Flight, carrying},
    view::{Fields, elements, text},
};

/// What an entry counts beside its bytes.
const ENTRY: usize = 256;

/// A list under way.
pub(crate) struct List<T> {
    what: &'static str,
    part: Part,
    read: fn(&RawValue) -> Option<T>,
    entries: Vec<T>,
    /// Of the page to ask for. An empty string is a cursor like any other.
    cursor: Option<String>,
    /// The hashes of all cursors so far: a cursor may be as long as a page.
    seen: HashSet<u64>,
    hasher: RandomState,
    pages: usize,
    bytes: usize,
    bounds: Bounds,
    state: State,
}

/// Where a list ends at the latest.
struct Bounds {
    pages: usize,
    bytes: usize,
    message: usize,
}

enum State {
    GoesOn,
    Whole,
    /// There is more than we take, and this says so.
    More(Error),
}

impl<T> List<T> {
    /// The beginning of a list that comes in the member `what`. Entries that `read` makes nothing of are left out.
    pub(crate) fn new(
        what: &'static str,
        part: Part,
        options: &Options,
        read: fn(&RawValue) -> Option<T>,
    ) -> Self {
        Self {
            what,
            part,
            read,
            entries: Vec::new(),
            cursor: None,
            seen: HashSet::new(),
            hasher: RandomState::new(),
            pages: 0,
            bytes: 0,
            bounds: Bounds {
                pages: options.page_limit,
                bytes: options.list_limit,
                message: options.message_limit,
            },
            state: State::GoesOn,
        }
    }

    /// Whether there is another page to ask for.
    fn goes_on(&self) -> bool {
        matches!(self.state, State::GoesOn)
    }

    /// Bytes that the page to ask for may have.
    fn room(&self) -> usize {
        self.bounds.bytes - self.bytes
    }

    /// Takes the answer to the request for a page. One that does not fit any more is left out as a whole, and ends the
    /// list.
    ///
    /// # Errors
    /// The error of the request; or one for a page without a list, or a cursor that repeats or is illegible.
    pub(crate) fn take(&mut self, answer: Result<Json, Error>) -> Result<(), Error> {
        let page = match answer {
            Ok(page) => page,
            Err(Error::TooLarge { limit }) if limit < self.bounds.message => {
                self.state = State::More(self.too_many_bytes());
                return Ok(());
            }
            Err(error) => return Err(error),
        };
        // Before it is looked into: also that costs memory.
        if page.text().len() > self.room() {
            self.state = State::More(self.too_many_bytes());
            return Ok(());
        }
        let fields = Fields::lenient(page.raw());
        let Some(entries) = fields.some(self.what).and_then(elements) else {
            return Err(Error::protocol(Breach::NoList { of: self.part }, Some(page.clone())));
        };
        let cost = page.text().len() + entries.len() * ENTRY;
        if cost > self.room() {
            self.state = State::More(self.too_many_bytes());
            return Ok(());
        }
        self.bytes += cost;
        self.pages += 1;
        self.entries.extend(entries.into_iter().filter_map(self.read));
        self.state = match fields.some("nextCursor").map(text) {
            None => State::Whole,
            Some(Some(next)) if self.seen.insert(self.hasher.hash_one(&next)) => {
                self.cursor = Some(next);
                if self.pages < self.bounds.pages {
                    State::GoesOn
                } else {
                    State::More(self.too_much(self.bounds.pages, Unit::Pages))
                }
            }
            Some(_) => {
                return Err(Error::protocol(Breach::EndlessList { of: self.part }, None));
            }
        };
        Ok(())
    }

    /// Reads all of it, as far as we take lists: `page` asks for the one at a cursor, which may have so many bytes.
    ///
    /// # Errors
    /// As [`Self::take`].
    pub(crate) async fn read<F: Future<Output = Result<Json, Error>>>(
        mut self,
        flight: &Flight,
        page: impl Fn(Option<String>, usize) -> F,
    ) -> Result<Self, Error> {
        while self.goes_on() {
            // A page's room is let go before the next is waited for.
            let (answer, _room) = carrying(pin!(page(self.cursor.clone(), self.room()))).await;
            self.take(answer)?;
        }
        flight.hand_over(self.bytes).await;
        Ok(self)
    }

    /// All entries.
    ///
    /// # Errors
    /// [`Error::TooMuch`] where there are more than we take.
    pub(crate) fn whole(self) -> Result<Vec<T>, Error> {
        match self.state {
            State::More(error) => Err(error),
            State::GoesOn | State::Whole => Ok(self.entries),
        }
    }

    /// What was taken, and whether that is all.
    ///
    /// # Errors
    /// [`Error::TooMuch`] where there is more than we take and nothing was taken: nobody may believe the list empty.
    pub(crate) fn beginning(self) -> Result<(Vec<T>, bool), Error> {
        match self.state {
            State::More(error) if self.entries.is_empty() => Err(error),
            state => Ok((self.entries, matches!(state, State::Whole))),
        }
    }

    fn too_many_bytes(&self) -> Error {
        self.too_much(self.bounds.bytes, Unit::Bytes)
    }

    fn too_much(&self, most: usize, unit: Unit) -> Error {
        Error::TooMuch { of: self.part, most: most as u64, unit }
    }
}
