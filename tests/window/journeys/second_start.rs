use super::{APPROVAL, Story, open_questions};
use crate::app::start_again;
use crate::spot;

#[tokio::test]
async fn a_second_start_shows_its_item_in_the_first_window() {
    let story = Story::begin().await;
    let app = story.desktop.open().await;
    story.deploy("checkout").await;
    app.hear(&open_questions("1 open question")).await;
    app.go("Settings").await;
    app.see(&spot::region("Settings")).await;

    let home = story.desktop.machine.data();
    let home = home.to_str().unwrap();
    start_again(&story.desktop.machine, &["--home", home, "--open", "r1"]).await;
    app.see(&spot::heading(APPROVAL)).await;
    start_again(&story.desktop.machine, &["--home", home, "--open", "t1"]).await;
    app.says(&spot::region("Task"), "waiting for approval").await;
    start_again(&story.desktop.machine, &[]).await;
    app.says(&spot::region("Task"), "waiting for approval").await;
    app.terminate().await;

    // The first start, too, can be told what to show.
    let app = crate::app::App::start(&story.desktop, &["--open", "r1"]).await;
    app.see(&spot::heading(APPROVAL)).await;
    app.terminate().await;
}
