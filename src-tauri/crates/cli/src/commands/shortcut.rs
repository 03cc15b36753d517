//! `shortcut`: the system-wide shortcut that brings Signalbox forward.

use signalbox_api::{DeskExt as _, command};

use super::Context;
use crate::exit::{Exit, Failure};
use crate::look;
use crate::text::shortcut::{ShortcutDocument, line};

/// Runs `shortcut`: with keys it chooses them, with `off` none, and prints how it stands either way.
pub(super) async fn run(context: &Context<'_>, keys: Option<String>) -> Result<Exit, Failure> {
    if let Some(keys) = keys {
        let keys = Some(keys).filter(|keys| keys != "off");
        context.desk.act(command::SetShortcut { keys }).await?;
    }
    let now = ShortcutDocument::of(&look::overview(context.desk).await?);
    if context.console.json {
        context.console.document(&now)?;
    } else {
        context.console.text(&format!("{}\n", line(now)))?;
    }
    Ok(Exit::Done)
}
