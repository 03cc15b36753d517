//! A start without a window: what follows the tasks in the background runs once this ends. Nothing of GTK or of a web view is begun
//! here: their libraries are this program's, and go with it within moments.

use signalbox_api::{ApiError, Home};

use crate::serve;

/// Has the data directory owned by a program in the background, unless somebody owns it.
///
/// # Errors
/// When it cannot be used, and when nothing comes to own it.
pub(crate) fn start(home: Result<Home, ApiError>) -> Result<(), ApiError> {
    let home = home?;
    tauri::async_runtime::block_on(async {
        // What keeps secrets in an encrypted file may be told its passphrase, as the window is.
        let passphrase = signalbox_api::passphrase(None).await?;
        serve::alone(&home, passphrase).await
    })
}
