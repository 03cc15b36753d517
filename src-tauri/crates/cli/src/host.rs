//! The desk of this process: its own engine where nobody owns the data directory, else the owner's.
//!
//! A command that owns the directory follows only what it names. When a window or a waiting `serve` joins it (only they
//! look at `View::Forward`), it follows everything until it ends, and the other takes over.

use std::path::PathBuf;
use std::sync::Arc;

use signalbox_api::logging::Logs;
use signalbox_api::{
    ApiError, Code, DeskExt as _, Home, Local, OwnerKind, Passphrase, ReadOnly, SecretText, SecretsState,
    Standing, command,
};
use tokio::task::JoinSet;

use crate::args::Global;
use crate::console::Console;

/// Opens the data directory, made when it is not there yet.
///
/// # Errors
/// When it cannot be used, or its owner does not answer, or the passphrase that an option names cannot be read.
pub(crate) async fn open(global: Global, kind: OwnerKind) -> Result<Standing, ApiError> {
    let passphrase = signalbox_api::passphrase(global.passphrase_from()).await?;
    stand(Home::resolve(global.home)?, kind, passphrase).await
}

/// Opens a data directory that is there.
///
/// # Errors
/// When it cannot be used, or its owner does not answer.
pub(crate) async fn stand(
    home: Home,
    kind: OwnerKind,
    passphrase: Option<Passphrase>,
) -> Result<Standing, ApiError> {
    let logged = home.clone();
    let beside = Box::new(move |local: &Arc<Local>| {
        if let Some(program) = signalbox_api::own_program() {
            local.play_demo(program);
        }
        // Work that cannot be logged is still work.
        if let Ok(logs) = Logs::init(&logged, "info") {
            local.keep_logs(logs);
        }
        JoinSet::new()
    });
    Standing::open(home, kind, passphrase, beside).await
}

/// Opens a data directory that cannot be written, for what needs no writing, and says so.
///
/// # Errors
/// `denied`, which is why it could not be opened as ever, where that has another reason; and when it cannot be read.
pub(crate) async fn read_only(
    console: &Console,
    home: Option<PathBuf>,
    denied: ApiError,
) -> Result<ReadOnly, ApiError> {
    if !matches!(denied.code, Code::StorageDenied | Code::StorageFull) {
        return Err(denied);
    }
    // Where not even the directory can be had, there is nothing to read.
    let Ok(home) = Home::resolve(home) else { return Err(denied) };
    let desk = ReadOnly::instead(&home, denied).await?;
    console.say(&format!("{}. This is what was kept last", desk.denied().message.trim_end_matches('.')));
    Ok(desk)
}

/// Opens the encrypted file that keeps secrets with the passphrase that was given, if it waits for one: also where another
/// program owns it.
///
/// # Errors
/// [`Code::SecretsLocked`] when it is another one. What is wrong with the file itself stops only what needs it.
pub(crate) async fn unlock(desk: &Standing) -> Result<(), ApiError> {
    let Some(passphrase) = desk.passphrase() else { return Ok(()) };
    if desk.act(command::Secrets {}).await?.state != SecretsState::Locked {
        return Ok(());
    }
    let passphrase = SecretText(passphrase.expose().to_owned());
    match desk.act(command::UnlockSecrets { passphrase }).await {
        Err(error) if error.code == Code::SecretsLocked => Err(error),
        Err(error) => {
            tracing::warn!(%error, "secrets stay locked");
            Ok(())
        }
        Ok(_) => Ok(()),
    }
}
