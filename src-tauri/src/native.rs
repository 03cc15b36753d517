//! The system's own dialogs: where something is to be saved, what the window's page cannot ask ([`crate::unheard`]), and that no
//! window can be opened at all.

use std::path::PathBuf;

use rfd::{AsyncFileDialog, AsyncMessageDialog, MessageButtons, MessageDialogResult, MessageLevel};
use tauri::AppHandle;
use tokio::sync::oneshot;

/// A question with two answers.
pub(crate) struct Question {
    pub(crate) title: &'static str,
    pub(crate) text: String,
    pub(crate) yes: &'static str,
    pub(crate) no: &'static str,
}

/// Says why the program does not start: on macOS and Windows nobody sees what it prints.
#[cfg(any(target_os = "macos", windows))]
pub(crate) fn does_not_start(why: &dyn std::error::Error) {
    rfd::MessageDialog::new()
        .set_level(MessageLevel::Error)
        .set_title("Signalbox does not start")
        .set_description(why.to_string())
        .show();
}

/// Says that no window can be opened, where somebody wished for one, and whether tasks are followed without it.
pub(crate) async fn no_window(app: &AppHandle, why: &tauri::Error, follows: bool) {
    let follows = match follows {
        true => "Tasks are still followed, and Signalbox's command in a terminal shows what needs you.",
        false => "No tasks are followed: the data directory is not open.",
    };
    let text = format!("{follows} The system says: {why}");
    answered(app, move || {
        let dialog = AsyncMessageDialog::new()
            .set_level(MessageLevel::Error)
            .set_title("Signalbox cannot open its window")
            .set_description(text)
            .show();
        async move { Some(dialog.await) }
    })
    .await;
}

/// Whether the person said yes or no; none where they closed the dialog without either, or nothing can be shown.
pub(crate) async fn ask(app: &AppHandle, question: Question) -> Option<bool> {
    answered(app, move || {
        let dialog = AsyncMessageDialog::new()
            .set_level(MessageLevel::Warning)
            .set_title(question.title)
            .set_description(question.text)
            .set_buttons(MessageButtons::OkCancelCustom(question.yes.to_owned(), question.no.to_owned()))
            .show();
        async move {
            match dialog.await {
                MessageDialogResult::Ok | MessageDialogResult::Yes => Some(true),
                MessageDialogResult::No => Some(false),
                MessageDialogResult::Custom(said) if said == question.yes => Some(true),
                MessageDialogResult::Custom(said) if said == question.no => Some(false),
                MessageDialogResult::Custom(_) | MessageDialogResult::Cancel => None,
            }
        }
    })
    .await
}

/// Where the person wants something to be saved that would be called `name`. The dialog asks before a file is overwritten.
pub(crate) async fn place_to_save(app: &AppHandle, name: String) -> Option<PathBuf> {
    answered(app, move || {
        let dialog = AsyncFileDialog::new().set_title("Save").set_file_name(name).save_file();
        async move { dialog.await.map(|file| file.path().to_owned()) }
    })
    .await
}

/// What came of a dialog that `show` shows; none also where nothing can be shown. Dialogs belong to the thread of the windows.
async fn answered<T, F>(app: &AppHandle, show: impl FnOnce() -> F + Send + 'static) -> Option<T>
where
    T: Send + 'static,
    F: Future<Output = Option<T>> + Send + 'static,
{
    let (answer, answered) = oneshot::channel();
    let shown = app.run_on_main_thread(move || {
        let dialog = show();
        tauri::async_runtime::spawn(async move {
            let _ = answer.send(dialog.await);
        });
    });
    if let Err(error) = shown {
        tracing::error!(%error, "the person cannot be asked");
    }
    answered.await.ok().flatten()
}
