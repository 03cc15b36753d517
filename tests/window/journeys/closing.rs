use rustix::process::Signal;

use super::Story;
use super::owner::Owner;
use crate::page::ESCAPE;
use crate::spot;

#[tokio::test]
async fn closing_while_tasks_run_says_what_stops_and_staying_stops_nothing() {
    let story = Story::begin().await;
    let app = story.open_on_the_queue().await;
    let asked = spot::dialog("Close Signalbox?");
    story.desktop.close_front_window().await;
    app.says(&asked, "1 task is not over.").await;
    app.button("Stay").await;
    app.gone(&asked).await;
    // Who stayed is asked anew, however soon.
    story.desktop.close_front_window().await;
    app.says(&asked, "1 task is not over.").await;
    app.keys(&ESCAPE.to_string()).await;
    app.gone(&asked).await;
    let looks = story.demo.journal().requests("tasks/get").len();
    story.demo.received("tasks/get", looks + 2).await;
    assert_eq!(story.demo.journal().requests("tasks/cancel").len(), 0);
    app.terminate().await;
}

#[tokio::test]
async fn serve_can_follow_on_when_the_window_closes() {
    let story = Story::begin().await;
    let app = story.open_on_the_queue().await;
    story.desktop.close_front_window().await;
    app.see(&spot::dialog("Close Signalbox?")).await;
    app.button("Keep following").await;
    app.ended_well().await;

    // Somebody else owns the data directory now, and follows the task.
    let owner = Owner::of(&story);
    assert_eq!(owner.kind(), "serve", "{owner:?}");
    let looks = story.demo.journal().requests("tasks/get").len();
    story.demo.received("tasks/get", looks + 2).await;
    assert_eq!(story.show("t1").await["status"], "working");
    let app = story.desktop.open().await;
    app.go("Settings").await;
    app.read("A signalbox serve process keeps the data").await;

    // When it leaves, the window takes over by itself.
    owner.signal(Signal::TERM);
    app.read("This window keeps the data").await;
    app.go("Tasks").await;
    app.says(&spot::entry("Tasks", "forever"), "watching the queue").await;
    app.terminate().await;
}

#[tokio::test]
async fn a_window_without_live_tasks_closes_at_once() {
    let story = Story::begin().await;
    let app = story.desktop.open().await;
    story.desktop.close_front_window().await;
    app.ended_well().await;
    assert_eq!(story.demo.journal().requests("tools/call").len(), 0);
}
