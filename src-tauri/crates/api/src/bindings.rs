//! TypeScript bindings of everything that crosses to the window.

use std::path::Path;

use signalbox_model::Unsent;
use ts_rs::{Config, ExportError, TS};

use crate::{Answered, ApiError, Ask, command::Replies};

/// Writes one file per type into `dir`.
///
/// # Errors
/// When a file cannot be written.
pub fn write(dir: &Path) -> Result<(), ExportError> {
    let config = Config::from_env().with_out_dir(dir);
    Ask::export_all(&config)?;
    Answered::export_all(&config)?;
    Replies::export_all(&config)?;
    // A word in a text.
    Unsent::export_all(&config)?;
    ApiError::export_all(&config)
}
