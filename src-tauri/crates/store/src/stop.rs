//! How what takes long is asked to end.

use std::{
    fmt,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use rusqlite::{Connection, InterruptHandle};

/// Asks a copy, a restore or a salvage to end before it is done. Clones ask the same one.
#[derive(Clone, Default)]
pub struct Stop(Arc<Asked>);

#[derive(Default)]
struct Asked {
    asked: AtomicBool,
    /// What is at work in one statement that would take long.
    at_work: Mutex<Option<InterruptHandle>>,
}

impl Stop {
    /// Asks. What has come so far that it must not be left half done is still done.
    pub fn ask(&self) {
        self.0.asked.store(true, Ordering::SeqCst);
        if let Some(conn) = &*self.at_work() {
            conn.interrupt();
        }
    }

    pub(crate) fn asked(&self) -> bool {
        self.0.asked.load(Ordering::SeqCst)
    }

    /// Runs one long statement, which ends with an error when it is asked to.
    pub(crate) fn reaching<T>(
        &self,
        conn: &Connection,
        statement: impl FnOnce() -> rusqlite::Result<T>,
    ) -> rusqlite::Result<T> {
        *self.at_work() = Some(conn.get_interrupt_handle());
        let done = statement();
        *self.at_work() = None;
        done
    }

    fn at_work(&self) -> MutexGuard<'_, Option<InterruptHandle>> {
        self.0.at_work.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Stop").field(&self.asked()).finish()
    }
}
