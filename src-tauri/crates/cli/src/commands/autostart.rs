//! `autostart`: whether the person's session starts Signalbox.

use signalbox_api::{Autostart, DeskExt as _, command};

use super::Context;
use crate::exit::{Exit, Failure};
use crate::text::sanitise;

/// Runs `autostart`: with a word it changes it, and prints how it stands either way. The document is `{"on","file","other"}`.
pub(super) async fn run(context: &Context<'_>, on: Option<bool>) -> Result<Exit, Failure> {
    let now = match on {
        None => context.desk.act(command::ReadAutostart {}).await?,
        Some(on) => context.desk.act(command::SetAutostart { on }).await?,
    };
    if context.console.json {
        context.console.document(&now)?;
    } else {
        context.console.text(&format!("{}\n", words(&now)))?;
    }
    Ok(Exit::Done)
}

fn words(now: &Autostart) -> String {
    let line = sanitise::line;
    match now {
        Autostart { file: None, .. } => "Signalbox cannot start with the session on this system.".to_owned(),
        Autostart { on: true, file: Some(file), .. } => {
            format!("on   Your session starts Signalbox, hidden ({})", line(file))
        }
        Autostart { other: Some(other), file: Some(file), .. } => {
            format!("off  Your session starts something else: {} ({})", line(other), line(file))
        }
        Autostart { .. } => "off  Your session does not start Signalbox.".to_owned(),
    }
}
