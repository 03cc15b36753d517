use super::Story;
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
