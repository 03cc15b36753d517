//! The desk of a data directory that cannot be written: a medium that takes no writing, one that we lack the right to, or
//! one that is full.
//! What was kept can be exported, checked and copied elsewhere. Nothing is followed there, and nothing can be decided.
//!
//! The owner's lock is shared, which keeps owners out; a directory that somebody elsewhere owns is left alone. Without
//! a log the file is read as one that never changes. With a log it can be read only where the index of the log lies
//! there, too, since SQLite reads no log without it.

use std::{fs::OpenOptions, path::Path, time::Duration};

use signalbox_store::{News, ReadError, Reads};

use crate::{
    ApiError, Changes, Code, Command, Cursor, Desk, Home, Reply, Verified, View,
    command::{BackedUp, Backup, CarryOut, Export, ExportPortion, Replied, Verify},
    desk::Answering,
    error::{open_failed, read_failed},
    home::storage,
    local::{Catalogue, backed_up, chosen, portion},
    private, rescue,
};

/// What was kept in a data directory when it was last written.
pub struct ReadOnly {
    reads: Reads,
    /// Read where a filter asks for it.
    catalogue: Catalogue,
    /// Why nothing can be written.
    denied: ApiError,
    /// Keeps owners out, where the medium becomes one that can be written: what we read must not change.
    _lock: Option<std::fs::File>,
}

impl ReadOnly {
    /// Opens a data directory that could not be opened otherwise, which is what `denied` says.
    ///
    /// # Errors
    /// `denied` itself where the directory could be written all the same and has room: then that is for another reason.
    /// [`Code::StorageInUse`] when somebody who can write it owns it, and whatever keeps it from being read.
    pub async fn instead(home: &Home, denied: ApiError) -> Result<Self, ApiError> {
        let why = match home.writable() {
            Err(why) => why,
            Ok(()) if denied.code == Code::StorageFull => denied,
            Ok(()) => return Err(denied),
        };
        let home = home.clone();
        let opened = tokio::task::spawn_blocking(move || -> Result<_, ApiError> {
            let lock = keep_out(&home.owner_lock())?;
            Ok((lock, Reads::of_read_only(home.dir()).map_err(|error| open_failed(&error))?))
        });
        let (lock, reads) =
            opened.await.map_err(|_| ApiError::new(Code::Internal, "Opening the store panicked"))??;
        Ok(Self { reads, catalogue: Catalogue::default(), denied: why, _lock: lock })
    }

    /// Why nothing can be written.
    #[must_use]
    pub fn denied(&self) -> &ApiError {
        &self.denied
    }

    fn begun(&self) -> Catalogue {
        self.catalogue.begin(self.reads.clone(), News::none());
        self.catalogue.clone()
    }

    async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Reads) -> Result<T, ReadError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let reads = self.reads.clone();
        let done = tokio::task::spawn_blocking(move || read(&reads)).await;
        done.map_err(|_| ApiError::new(Code::Internal, "Reading the store panicked"))?
            .map_err(|error| read_failed(&error))
    }

    async fn called(&self, command: Command) -> Result<Reply, ApiError> {
        match command {
            Command::Export(act) => self.carry_out(act).await.map(Replied::into_reply),
            Command::Verify(act) => self.carry_out(act).await.map(Replied::into_reply),
            Command::Backup(act) => self.carry_out(act).await.map(Replied::into_reply),
            // All else needs an engine, and that one writes.
            _ => Err(self.denied.clone()),
        }
    }
}

impl CarryOut<Export> for ReadOnly {
    async fn carry_out(&self, act: Export) -> Result<ExportPortion, ApiError> {
        let chosen = chosen(|| self.begun(), &act).await?;
        self.read(move |reads| portion(reads, &act, chosen)).await
    }
}

impl CarryOut<Verify> for ReadOnly {
    async fn carry_out(&self, _: Verify) -> Result<Verified, ApiError> {
        Ok(self.read(Reads::verify_decisions).await?.into())
    }
}

impl CarryOut<Backup> for ReadOnly {
    async fn carry_out(&self, Backup { file }: Backup) -> Result<BackedUp, ApiError> {
        backed_up(self.reads.clone(), file, rescue::Stop::default(), ()).await
    }
}

/// Shares the owner's lock with other readers; none where there is no lock to take.
fn keep_out(path: &Path) -> Result<Option<std::fs::File>, ApiError> {
    let file = match private::open(OpenOptions::new().read(true), path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(storage(path, &error)),
    };
    match file.try_lock_shared() {
        Ok(()) => Ok(Some(file)),
        Err(std::fs::TryLockError::WouldBlock) => {
            let message =
                "another program owns the data directory, and can write there: ask where that one runs";
            Err(ApiError::new(Code::StorageInUse, message))
        }
        Err(std::fs::TryLockError::Error(error)) => Err(storage(path, &error)),
    }
}

impl Desk for ReadOnly {
    fn call(&self, command: Command) -> Answering<'_, Reply> {
        Box::pin(self.called(command))
    }

    fn changes(&self, _: View, _: Option<Cursor>, _: Duration) -> Answering<'_, Changes> {
        Box::pin(async { Err(self.denied.clone()) })
    }
}
