//! The page's process dies around an answer: the answer is given once, or the question is still there to be answered.

use std::time::Duration;

use serde_json::json;

use super::Story;

/// When it dies after the key that declines (ms). Two deaths for each start: the third within a minute asks the person.
const MOMENTS: [[u64; 2]; 3] = [[0, 35], [8, 90], [20, 250]];

#[tokio::test]
async fn a_page_that_dies_around_an_answer_loses_and_doubles_nothing() {
    for [first, second] in MOMENTS {
        let story = Story::begin().await;
        let app = story.open_on_two_questions().await;
        let declined = |key| !story.demo.taken(key).is_empty();

        app.keys("3").await;
        tokio::time::sleep(Duration::from_millis(first)).await;
        app.page_dies().await;
        story.desktop.press_until(&["3"], || declined("window")).await;
        assert!(!declined("strategy"), "after {first} ms: it acts on nothing but the question that was open");

        // WebDriver has let go of the page: from now on a person at the keyboard goes on.
        story.desktop.press(&["n", "3"]).await;
        tokio::time::sleep(Duration::from_millis(second)).await;
        app.page_dies().await;
        story.desktop.press_until(&["n", "3"], || declined("strategy")).await;
        for key in ["window", "strategy"] {
            let taken = story.demo.taken(key);
            assert_eq!(taken, [json!({ "action": "decline" })], "{key}, after {first} and {second} ms: once");
        }
        app.terminate().await;
    }
}
