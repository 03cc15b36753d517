//! Owning the data directory, or joining whoever does.

use tokio::time::Instant;

use crate::{ApiError, Code, Home, LEAVING, NotOwned, Owner, OwnerKind, Ownership, Remote, before_next_try};

/// How a program uses a data directory.
pub enum Role {
    /// As its owner.
    Owner(Ownership),
    /// As a client of its owner.
    Guest(Remote),
}

/// Owns the data directory when nobody does, else joins the owner. Also the way to take over when
/// [`Remote::closed`] ends.
///
/// # Errors
/// [`Code::StorageInUse`] when an owner holds the lock and does not answer for [`LEAVING`] (it opens the store
/// first, and closes it last), and what [`Remote::connect`] and [`Ownership::take`] say for good.
pub async fn own_or_join(home: &Home, kind: OwnerKind) -> Result<Role, ApiError> {
    let deadline = Instant::now() + LEAVING;
    loop {
        let holder = match Ownership::take(home, kind) {
            Ok(ownership) => return Ok(Role::Owner(ownership)),
            Err(NotOwned::Storage(error)) => return Err(error),
            Err(NotOwned::Held(owner)) => owner,
        };
        match Remote::connect(home).await {
            Ok(remote) => return Ok(Role::Guest(remote)),
            Err(error) if error.code != Code::OwnerGone => return Err(error),
            Err(_) if Instant::now() >= deadline => return Err(silent(holder.as_deref())),
            Err(_) => before_next_try().await,
        }
    }
}

fn silent(holder: Option<&Owner>) -> ApiError {
    let who = holder.map_or_else(
        || "another program".to_owned(),
        |owner| format!("Signalbox {} (process {})", owner.version, owner.pid),
    );
    ApiError::new(Code::StorageInUse, format!("{who} owns the data directory and does not answer"))
}
