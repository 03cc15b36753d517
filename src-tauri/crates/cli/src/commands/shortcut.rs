//! `shortcut`: the system-wide shortcut that brings Signalbox forward.

use signalbox_api::{DeskExt as _, command};

use super::Context;
use crate::exit::{Exit, Failure};
use crate::text;

/// Runs `shortcut`: with keys it chooses them, with `off` none, and prints how it stands either way. The document is
/// `{"keys","state"}`.
pub(super) async fn run(context: &Context<'_>, keys: Option<String>) -> Result<Exit, Failure> {
    let now = match keys {
        None => context.desk.act(command::ReadShortcut {}).await?,
        Some(keys) => {
            let keys = Some(keys).filter(|keys| keys != "off");
            context.desk.act(command::SetShortcut { keys }).await?
        }
    };
    if context.console.json {
        context.console.document(&now)?;
    } else {
        context.console.text(&format!("{}\n", text::shortcut::line(&now)))?;
    }
    Ok(Exit::Done)
}
