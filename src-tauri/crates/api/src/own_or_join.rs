//! Owning the data directory, or joining whoever does.

use signalbox_signin::Passphrase;
use tokio::time::Instant;

use crate::{
    ApiError, Background, Code, Home, LEAVING, NotOwned, Owner, OwnerKind, Ownership, Remote, background,
    before_next_try,
};

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
    own_or_join_behind(home, kind, None, None).await
}

/// The same; but where nobody owns it, `background` is to. Where that one does not come to it, we do.
///
/// # Errors
/// As [`own_or_join`].
pub(crate) async fn own_or_join_behind(
    home: &Home,
    kind: OwnerKind,
    passphrase: Option<&Passphrase>,
    mut background: Option<&dyn Background>,
) -> Result<Role, ApiError> {
    let mut deadline = Instant::now() + LEAVING;
    loop {
        let holder = match Ownership::take(home, kind) {
            Ok(ownership) => match background.take() {
                Some(background) if background::is_wanted(background, &ownership).await => {
                    drop(ownership);
                    background.start(home, passphrase).await;
                    deadline = Instant::now() + LEAVING;
                    continue;
                }
                _ => return Ok(Role::Owner(ownership)),
            },
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
