//! Tasks that a person saves to a file. The page says which, the person where, in the system's dialog.

use std::sync::Arc;

use signalbox_api::{ApiError, SavedTasks};
use signalbox_model::CallId;
use tauri::{AppHandle, State};

use crate::{native, session::Session};

/// Saves all that is kept of these tasks where the person says, and what became of that; none where they say nowhere.
#[tauri::command]
pub(crate) async fn save_tasks(
    app: AppHandle,
    session: State<'_, Arc<Session>>,
    calls: Vec<CallId>,
) -> Result<Option<SavedTasks>, ApiError> {
    let desk = session.desk().await?;
    let Some(path) = native::place_to_save(&app, "tasks.jsonl".to_owned()).await else { return Ok(None) };
    signalbox_api::save_tasks(desk.as_ref(), &calls, path).await.map(Some)
}
