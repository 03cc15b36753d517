//! TypeScript bindings of everything that crosses to the window. They are made of the types themselves, by the feature
//! `bindings`, which no program has that people get.

use std::path::{Path, PathBuf};

use serde::Serialize;
use signalbox_model::Unsent;
use ts_rs::{Config, ExportError, TS};

use crate::{Answered, ApiError, Ask, Overview, command::CommandKind};

/// Writes one file per type into `dir`.
///
/// # Errors
/// When a file cannot be written.
pub fn write(dir: &Path) -> Result<(), ExportError> {
    // 64-bit numbers cross to the window as JSON numbers only where they cannot exceed 2^53; anything that may is a string by
    // type.
    let config = Config::new().with_large_int("number").with_out_dir(dir);
    Ask::export_all(&config)?;
    Answered::export_all(&config)?;
    Replies::export_all(&config)?;
    // What the page makes of its changes.
    Overview::export_all(&config)?;
    // A word in a text.
    Unsent::export_all(&config)?;
    ApiError::export_all(&config)
}

/// The word on the wire.
pub(crate) fn word(kind: impl Serialize) -> String {
    serde_json::to_value(kind).ok().and_then(|word| word.as_str().map(str::to_owned)).unwrap_or_default()
}

/// The pairing for TypeScript: the `type` of each [`Command`](crate::Command), and of its [`Reply`](crate::Reply).
pub struct Replies;

impl TS for Replies {
    type WithoutGenerics = Self;
    type OptionInnerType = Self;

    fn docs() -> Option<String> {
        Some("/**\n * The `type` of the reply to each command.\n */\n".to_owned())
    }

    fn name(_: &Config) -> String {
        "Replies".to_owned()
    }

    fn decl(config: &Config) -> String {
        format!("type Replies = {};", Self::inline(config))
    }

    fn inline(_: &Config) -> String {
        let pairs = CommandKind::REPLIES.iter();
        let pairs = pairs.map(|(command, reply)| format!("\n{:?}: {:?},", word(command), word(reply)));
        format!("{{{} }}", pairs.collect::<String>())
    }

    fn output_path() -> Option<PathBuf> {
        Some("Replies.ts".into())
    }
}
