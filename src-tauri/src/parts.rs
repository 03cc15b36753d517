//! Parts of results that a person saves, or opens in another program. Neither the page nor a server names a file: the person
//! does, in the system's dialog.

use std::sync::Arc;

use serde::Deserialize;
use signalbox_api::{ApiError, Code, PartFile, WhichPart, part_file};
use signalbox_model::CallId;
use tauri::{AppHandle, State};

use crate::{native, session::Session};

/// Which part the page means.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum AskedPart {
    /// A part of the content, by its number from 0.
    Content(u32),
    /// The structured content.
    Structured,
    /// All of the result.
    All,
}

impl From<AskedPart> for WhichPart {
    fn from(wanted: AskedPart) -> Self {
        match wanted {
            AskedPart::Content(part) => Self::Content(part),
            AskedPart::Structured => Self::Structured,
            AskedPart::All => Self::All,
        }
    }
}

/// Saves a part where the person says. False where they say nowhere.
#[tauri::command]
pub(crate) async fn save_part(
    app: AppHandle,
    session: State<'_, Arc<Session>>,
    call: CallId,
    part: AskedPart,
) -> Result<bool, ApiError> {
    let file = part_file(session.desk().await?.as_ref(), call, part.into()).await?;
    let Some(path) = native::place_to_save(&app, name(call, part, file.ending)).await else {
        return Ok(false);
    };
    tokio::task::spawn_blocking(move || write(&path, &file))
        .await
        .unwrap_or_else(|_| Err(ApiError::new(Code::Internal, "Saving it ended early")))
        .map(|()| true)
}

/// Opens a part in the program that this machine has for it: only ever after the person's act.
#[tauri::command]
pub(crate) async fn open_part(
    session: State<'_, Arc<Session>>,
    call: CallId,
    part: AskedPart,
) -> Result<(), ApiError> {
    let desk = session.desk().await?;
    signalbox_api::open_part(desk.as_ref(), session.home()?, call, part.into()).await
}

fn name(call: CallId, part: AskedPart, ending: &str) -> String {
    match part {
        AskedPart::Content(part) => format!("{call}-{}.{ending}", part.saturating_add(1)),
        AskedPart::Structured => format!("{call}-structured.{ending}"),
        AskedPart::All => format!("{call}-result.{ending}"),
    }
}

/// The dialog has asked before a file is overwritten.
fn write(path: &std::path::Path, file: &PartFile) -> Result<(), ApiError> {
    std::fs::write(path, &file.bytes).map_err(|error| {
        ApiError::new(Code::Usage, format!("{} could not be written: {error}", path.display()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_called_by_its_task_and_never_by_its_server() {
        let named = |part: &str| {
            let part: AskedPart = serde_json::from_str(part).unwrap();
            name(CallId(12), part, "png")
        };
        assert_eq!(named(r#"{"content":0}"#), "t12-1.png");
        assert_eq!(named(r#""structured""#), "t12-structured.png");
        assert_eq!(named(r#""all""#), "t12-result.png");
    }
}
