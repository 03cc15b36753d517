use std::fs;

use serde_json::json;
use signalbox_tests::window::inbox::{open_question, open_questions};

use super::{APPROVAL, Story};
use crate::spot;

/// WebDriver lets go of a page that dies: what it shows afterwards is known by what its keys do.
#[tokio::test]
async fn a_page_that_dies_is_loaded_again_where_it_was() {
    let story = Story::begin().await;
    let app = story.open_on_two_questions().await;
    let declined = |key| !story.demo.taken(key).is_empty();

    app.page_dies().await;
    story.desktop.press_until(&["3"], || declined("window")).await;
    assert!(!declined("strategy"), "it is where it was, and acts on nothing else");

    // The third death within a minute is the person's.
    app.page_dies().await;
    app.page_dies_at_once();
    story.desktop.answer_dialog("Signalbox cannot show its window").await;
    app.page_is_back().await;
    story.desktop.press_until(&["n", "3"], || declined("strategy")).await;
    app.terminate().await;
}

#[tokio::test]
async fn a_page_that_hangs_is_closed_by_a_dialog_of_the_system() {
    let story = Story::begin().await;
    let app = story.open_on_the_queue().await;
    app.page_hangs();
    story.desktop.close_front_window().await;
    story.desktop.answer_dialog("Close Signalbox?").await;
    app.ended_well().await;
    assert_eq!(story.demo.journal().requests("tasks/cancel").len(), 0, "closing cancels nothing");
}

#[tokio::test]
async fn a_page_that_comes_back_asks_itself_and_its_answer_counts() {
    let story = Story::begin().await;
    let app = story.open_on_the_queue().await;
    app.page_hangs();
    story.desktop.close_front_window().await;
    let asked = spot::dialog("Close Signalbox?");
    story.desktop.dialog("Close Signalbox?").await;
    app.page_goes_on();
    app.says(&asked, "1 task is not over.").await;
    app.button("Stay").await;
    app.gone(&asked).await;
    // What the system asked has no matter any more.
    story.desktop.answer_dialog("Close Signalbox?").await;
    app.go("Servers").await;
    app.terminate().await;
}

/// What is typed is kept at every change: the page that comes back has it where it was, and it can be sent as it stands.
#[tokio::test]
async fn what_was_typed_is_there_again_after_the_page_died() {
    let story = Story::begin().await;
    let app = story.desktop.open().await;
    story.deploy("checkout").await;
    app.hear(&open_questions("1 open question")).await;
    open_question(&app, APPROVAL).await;
    app.fill(&spot::field("Maximum error rate"), "1.5").await;
    app.choose(&spot::field("Rollout"), "All at once").await;
    let typed = [json!(["rollout", "\"all_at_once\""]), json!(["max_error_rate", "1.5"])];
    app.until("the draft to be kept", async || {
        let draft = story.show("r1").await["draft"]["fields"].as_array().cloned().unwrap_or_default();
        typed.iter().all(|field| draft.contains(field)).then_some(())
    })
    .await;

    app.page_dies().await;
    let log = || {
        let files = fs::read_dir(story.desktop.machine.data().join("logs")).unwrap();
        files.map(|file| fs::read_to_string(file.unwrap().path()).unwrap()).collect::<String>()
    };
    let said = log();
    let died: Vec<_> = said.lines().filter(|line| line.contains("the window's page has ended")).collect();
    assert_eq!(died.len(), 1, "{said}");
    assert!(
        died[0].contains("again=true") && died[0].contains("reason="),
        "it is loaded again, and why: {}",
        died[0]
    );

    // Review, and send what stands there.
    story.desktop.press_until(&["1", "Return"], || !story.demo.taken("approval").is_empty()).await;
    let content = json!({ "approved": true, "rollout": "all_at_once", "max_error_rate": 1.5 });
    assert_eq!(story.demo.taken("approval"), [json!({ "action": "accept", "content": content })]);
    app.terminate().await;
}
