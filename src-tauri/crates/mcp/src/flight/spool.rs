//! A message while it comes: in memory as long as that costs nobody anything, else in a file without a name.

use std::{
    fs::File,
    io::{self, Read as _, Seek as _, Write as _},
};

use signalbox_model::Obstacle;

use super::{Arrived, FREE, Flight, LARGE, Taken, aside};
use crate::error::Error;

/// Bytes of its beginning that can always be looked at.
const BEGINNING: usize = 8 * 1024;

/// One message after the other, each from its first byte to its last.
pub(crate) struct Spool {
    flight: Flight,
    /// All of it, or what comes behind that in the file.
    memory: Vec<u8>,
    /// For more than [`FREE`] in memory.
    place: Option<Taken>,
    file: Option<Kept>,
}

/// The part that is in a file.
struct Kept {
    file: File,
    bytes: usize,
    beginning: Vec<u8>,
    room: Option<Taken>,
}

impl Spool {
    pub(super) fn new(flight: Flight) -> Self {
        Self { flight, memory: Vec::new(), place: None, file: None }
    }

    pub(crate) fn len(&self) -> usize {
        self.memory.len() + self.file.as_ref().map_or(0, |kept| kept.bytes)
    }

    /// Its first bytes, at least 8 KiB of them.
    pub(crate) fn beginning(&self) -> &[u8] {
        self.file.as_ref().map_or(&self.memory, |kept| &kept.beginning)
    }

    /// The server that it comes from.
    pub(crate) fn flight(&self) -> &Flight {
        &self.flight
    }

    /// Forgets what has come so far.
    pub(crate) fn clear(&mut self) {
        *self = Self::new(self.flight.clone());
    }

    /// Takes the next bytes. It waits for nobody: a disk that is slow keeps only this thread.
    ///
    /// # Errors
    /// [`Error::Lost`] where there is no room for them on the disk either.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.memory.extend_from_slice(bytes);
        if self.file.is_none() && !self.fits(self.memory.len()) {
            let file = aside(|| tempfile::tempfile_in(&self.flight.0.room.0.dir));
            let beginning = self.memory[..self.memory.len().min(BEGINNING)].to_vec();
            let file = file.map_err(|error| lost(&error))?;
            self.file = Some(Kept { file, bytes: 0, beginning, room: None });
            self.put_away()?;
            (self.memory, self.place) = (Vec::new(), None);
        }
        if self.memory.len() >= FREE { self.put_away() } else { Ok(()) }
    }

    /// Takes all of a message that came in one piece.
    ///
    /// # Errors
    /// As for [`Self::push`].
    pub(crate) fn take(&mut self, bytes: Vec<u8>) -> Result<(), Error> {
        if self.len() == 0 && self.fits(bytes.len()) {
            self.memory = bytes;
            return Ok(());
        }
        self.push(&bytes)
    }

    /// Waits for room for all of it, and begins the next. Dropping the future loses nothing.
    ///
    /// # Errors
    /// [`Error::Lost`] where the file cannot be read.
    pub(crate) async fn complete(&mut self) -> Result<Arrived, Error> {
        let permit = self.flight.room_for(self.len()).await;
        let flight = self.flight.clone();
        let Self { memory, file, .. } = std::mem::replace(self, Self::new(flight.clone()));
        let bytes = match file {
            Some(kept) => aside(|| kept.read(&memory)).map_err(|error| lost(&error))?,
            None => memory,
        };
        Ok(Arrived { bytes, permit, flight })
    }

    #[cfg(test)]
    pub(super) fn memory(&self) -> usize {
        self.memory.len()
    }

    fn fits(&mut self, len: usize) -> bool {
        if len > FREE && len <= LARGE && self.place.is_none() {
            self.place = self.flight.at_once(|pools| &pools.coming, 1);
        }
        len <= FREE || (len <= LARGE && self.place.is_some())
    }

    fn put_away(&mut self) -> Result<(), Error> {
        let Some(kept) = &mut self.file else { return Ok(()) };
        let room = self.flight.at_once(|pools| &pools.files, self.memory.len().div_ceil(FREE));
        let room = room.ok_or_else(|| Error::lost(Obstacle::NoRoom))?;
        match &mut kept.room {
            Some((one, all)) => {
                one.merge(room.0);
                all.merge(room.1);
            }
            none => *none = Some(room),
        }
        aside(|| kept.file.write_all(&self.memory)).map_err(|error| lost(&error))?;
        kept.bytes += self.memory.len();
        self.memory.clear();
        Ok(())
    }
}

impl Kept {
    /// All of it, with what comes behind.
    fn read(mut self, rest: &[u8]) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::with_capacity(self.bytes + rest.len());
        self.file.rewind()?;
        self.file.read_to_end(&mut bytes)?;
        bytes.extend_from_slice(rest);
        Ok(bytes)
    }
}

fn lost(error: &io::Error) -> Error {
    Error::lost(Obstacle::NoDisk { said: error.to_string() })
}
