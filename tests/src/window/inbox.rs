//! What a person does with a question, and what the window says of it.

use super::app::App;
use super::spot::{self, Spot};

/// What the left pane says of open questions.
pub fn open_questions(words: &str) -> Spot {
    spot::text(words).within(&spot::place("Inbox"))
}

/// Goes to the inbox and to the question there.
pub async fn open_question(app: &App, title: &str) {
    app.go("Inbox").await;
    app.press(&spot::entry("Questions", title)).await;
    app.see(&spot::heading(title)).await;
}

/// Goes to the question in the list that has this text, wherever in the list it is.
pub async fn take_question(app: &App, text: &str) {
    app.take("Questions", text).await;
    app.says(&spot::region("Question"), text).await;
}

/// Reviews what is filled in and sends it.
pub async fn send(app: &App) {
    app.button("Review and send").await;
    app.button("Send").await;
}

/// Waits until the question in front is over, with this decision. Until then what is there is still being replaced.
pub async fn decided(app: &App, decision: &str) {
    let question = spot::region("Question");
    app.see(&spot::heading("Receipt").within(&question)).await;
    app.says(&question, decision).await;
}
