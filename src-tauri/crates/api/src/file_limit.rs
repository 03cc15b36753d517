//! The limit on file sizes (`ulimit -f`) must not end a program of ours: what may not become larger is one more disk that is
//! full.

use std::io;

/// From here on a write beyond the limit fails, with `EFBIG`, where the system's own way is to end the process with SIGXFSZ.
/// Each program of ours does this first, within its runtime; it lasts as long as the process.
///
/// The signal is taken, not ignored: what is ignored stays so in every program that is started from here, and a server's
/// program is to meet the limit as it would anywhere else.
///
/// # Errors
/// When the system lets nobody take the signal.
#[cfg(unix)]
#[expect(clippy::disallowed_methods, reason = "no function names SIGXFSZ")]
pub fn outlive_file_limit() -> io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};

    // Nobody listens: that it is taken is all.
    signal(SignalKind::from_raw(rustix::process::Signal::XFSZ.as_raw())).map(drop)
}

/// Elsewhere there is no such limit.
///
/// # Errors
/// None.
#[cfg(not(unix))]
pub fn outlive_file_limit() -> io::Result<()> {
    Ok(())
}
