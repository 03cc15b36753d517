//! The palette, by the keyboard alone: it leads to what a few letters mean, and back to where it was opened.

use super::{APPROVAL, Story};
use crate::app::App;
use crate::page::{ENTER, ESCAPE};
use crate::spot::{self, Spot};

fn field() -> Spot {
    spot::field("Search tasks, questions, tools, servers and actions")
}

/// Opens it and types this.
async fn look_for(app: &App, letters: &str) {
    app.control('k').await;
    app.focused(&field()).await;
    app.keys(letters).await;
}

#[tokio::test]
async fn a_few_letters_lead_to_a_tool_and_to_a_task() {
    let story = Story::begin().await;
    // What is found is what the server listed last.
    drop(story.desktop.machine.run(&["tools", "ci"]).await.ok());
    let app = story.desktop.open().await;
    app.see(&spot::place("Inbox")).await;

    // A tool: its form is there to be filled.
    look_for(&app, "depl").await;
    app.says(&spot::entry("Found", "deploy"), "ci").await;
    app.keys(&ENTER.to_string()).await;
    app.gone(&spot::dialog("Find anything")).await;
    app.see(&spot::heading("Deploy a service")).await;
    app.focused(&spot::field("Service")).await;
    app.keys("checkout").await;
    app.control(ENTER).await;
    app.says(&spot::region("Task"), "resolving checkout latest").await;

    // From elsewhere to its task, by a part of the tool and a part of what it was started with.
    app.keys("gi").await;
    app.gone(&spot::region("Task")).await;
    look_for(&app, "dep check").await;
    app.says(&spot::entry("Found", "deploy"), "checkout").await;
    app.keys(&ENTER.to_string()).await;
    app.says(&spot::region("Task"), "resolving checkout latest").await;

    // What was chosen last is the first that is offered, and Enter goes there.
    app.keys("gi").await;
    app.gone(&spot::region("Task")).await;
    look_for(&app, "").await;
    let first = Spot(format!("({}//*[@role='option'])[1]", spot::list("Found").0));
    app.says(&first, "checkout").await;
    app.keys(&ENTER.to_string()).await;
    app.says(&spot::region("Task"), "resolving checkout latest").await;
    app.terminate().await;
}

#[tokio::test]
async fn a_few_letters_lead_to_a_question_a_server_a_view_and_a_setting() {
    let story = Story::begin().await;
    drop(story.deploy("checkout").await);
    story.desktop.machine.add("lighthouse", &story.demo.url()).await;
    let app = story.desktop.open().await;
    app.see(&spot::entry("Questions", APPROVAL)).await;
    app.go("Tasks").await;
    app.choose(&spot::field("Sort by"), "Oldest first").await;
    app.button("View…").await;
    app.see(&spot::dialog("Save the list as a view")).await;
    app.keys(&format!("All of them{ENTER}")).await;
    app.gone(&spot::dialog("Save the list as a view")).await;
    app.go("Settings").await;
    app.see(&spot::region("Settings")).await;

    for (letters, found, there) in [
        ("approve deploy", "Approve deployment", spot::region("Question")),
        (
            "lighth",
            "lighthouse",
            Spot(format!("{}//*[@aria-selected='true'][contains(., 'lighthouse')]", spot::list("Servers").0)),
        ),
        ("all of", "All of them", spot::entry("Tasks", "deploy")),
        ("quiet hours", "Quiet hours", spot::region("Settings")),
    ] {
        look_for(&app, letters).await;
        app.says(&Spot(format!("({}//*[@role='option'])[1]", spot::list("Found").0)), found).await;
        app.keys(&ENTER.to_string()).await;
        app.gone(&spot::dialog("Find anything")).await;
        app.see(&there).await;
    }
    app.terminate().await;
}

#[tokio::test]
async fn escape_gives_the_focus_back() {
    let story = Story::begin().await;
    let app = story.desktop.open().await;
    app.see(&spot::place("Inbox")).await;
    app.keys("gt").await;
    let filter = spot::field("Filter by word, server, status, age …");
    // It is there once it is known what was filtered last.
    app.see(&filter).await;
    app.keys("/").await;
    app.focused(&filter).await;
    app.keys("forev").await;
    look_for(&app, "qzx").await;
    app.see(&spot::text("Nothing matches").within(&spot::dialog("Find anything"))).await;
    app.keys(&ESCAPE.to_string()).await;
    app.gone(&spot::dialog("Find anything")).await;
    app.focused(&filter).await;
    app.keys("er").await;
    app.holds(&filter, "forever").await;

    // What can be done is there, too, with its key.
    look_for(&app, "keyboard help").await;
    app.says(&spot::entry("Found", "Keyboard help"), "?").await;
    app.keys(&ENTER.to_string()).await;
    app.see(&spot::dialog("Keyboard")).await;
    app.terminate().await;
}
