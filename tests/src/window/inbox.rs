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

/// Scrolls the list of questions on, from its end to its beginning.
const PAGE_ON: &str = "
    const list = document.querySelector('[aria-label=Questions]');
    if (!list) return;
    const isAtEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 1;
    list.scrollTop = isAtEnd ? 0 : list.scrollTop + list.clientHeight;";

/// Goes to the question in the list that has this text, wherever in the list it is. WebDriver takes a row for hidden that is
/// out of sight, or in which most of the text has no width; and one that is far out of sight is not there.
pub async fn take_question(app: &App, text: &str) {
    let entry = spot::entry("Questions", text);
    app.until(&format!("to open {text:?}"), async || {
        if !app.has(&entry).await {
            app.0.execute(PAGE_ON, Vec::new()).await.unwrap();
            return None;
        }
        let row = serde_json::to_value(app.hear(&entry).await).unwrap();
        app.0.execute("arguments[0].click()", vec![row]).await.ok()
    })
    .await;
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
