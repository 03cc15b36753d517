//! The board: how the list of tasks stands, its views, and the page of a task.

use serde_json::{Value, json};
use signalbox_tests::window::inbox::open_question;

use super::several::three_tasks;
use super::{APPROVAL, Story, TO_THE_END};
use crate::app::App;
use crate::page::{ENTER, ESCAPE};
use crate::spot::{self, Spot};

/// A window on the tasks of two equal calls.
async fn two_alike() -> (Story, App) {
    let story = Story::begin().await;
    let app = story.desktop.open().await;
    for _ in 0..2 {
        drop(story.desktop.call("ci", "echo", &json!({ "text": "kestrel" })).await);
    }
    app.go("Tasks").await;
    app.press(&spot::entry("Tasks", "kestrel")).await;
    (story, app)
}

#[tokio::test]
async fn what_went_to_the_server_and_what_the_run_before_came_to_are_a_press_away() {
    let (story, app) = two_alike().await;
    app.button("Compare with the run before").await;
    app.read("What came of this task is what came of").await;
    story.desktop.picture("task-compared").await;
    app.press(&spot::tab("Requests")).await;
    app.read("tools/call").await;
    app.read("an answer").await;
    story.desktop.picture("task-requests").await;
    app.terminate().await;
}

#[tokio::test]
async fn a_column_is_as_wide_as_it_was_made_also_after_a_restart() {
    let (story, app) = two_alike().await;
    app.button("Columns…").await;
    let width = spot::field("Width of Elapsed, in pixels");
    app.fill(&width, "120").await;
    app.keys(&ENTER.to_string()).await;
    app.keys(&ESCAPE.to_string()).await;
    app.gone(&spot::dialog("Columns")).await;
    has_width(&app, 120).await;
    app.terminate().await;
    let app = story.desktop.open().await;
    app.see(&spot::entry("Tasks", "kestrel")).await;
    has_width(&app, 120).await;
    app.terminate().await;
}

#[tokio::test]
async fn a_view_counts_at_the_left_and_means_the_same_to_the_command() {
    let (story, app) = three_tasks().await;
    app.keys("/").await;
    app.focused(&spot::field("Filter by word, server, status, age …")).await;
    app.keys(&format!("lint{ENTER}")).await;
    app.gone(&spot::entry("Tasks", "forever")).await;
    app.button("View…").await;
    let named = spot::dialog("Save the list as a view");
    app.see(&named).await;
    app.keys(&format!("Linted{ENTER}")).await;
    app.gone(&named).await;
    let line = Spot("//button[@title='Linted']".into()).within(&spot::section("Views"));
    app.says(&line, "1").await;

    drop(story.desktop.call("ci", "lint", &json!({})).await);
    app.says(&line, "2").await;
    let listed = story.desktop.machine.run(&["tasks", "--view", "Linted"]).await.ok();
    assert_eq!(listed["tasks"].as_array().map(Vec::len), Some(2), "the two that the window counts: {listed}");

    // From elsewhere it leads to its list.
    app.go("Settings").await;
    app.see(&spot::region("Settings")).await;
    app.press(&line).await;
    app.see(&spot::entry("Tasks", "lint")).await;
    app.gone(&spot::entry("Tasks", "forever")).await;
    app.terminate().await;
}

#[tokio::test]
async fn a_list_shows_what_its_width_has_room_for_and_what_was_chosen_first() {
    let (_story, app) = two_alike().await;
    for (width, height, shown, left_out) in [
        (1_920, 1_200, ["Progress", "TTL left", "Tags"], ""),
        (1_280, 800, ["Status", "Elapsed", "Ended"], "Tags"),
        (900, 600, ["Status", "Tool and arguments", "Elapsed"], "TTL left"),
    ] {
        app.resize(width, height).await;
        app.until(&format!("the columns of {width} px"), async || {
            let heads = heads(&app).await;
            (shown.iter().all(|name| heads.contains(*name))
                && (left_out.is_empty() || !heads.contains(left_out)))
            .then_some(())
        })
        .await;
    }
    // What was added outlasts what is there anyway.
    app.resize(1_280, 800).await;
    app.button("Columns…").await;
    let dialog = spot::dialog("Columns");
    let tags = spot::text("Tags").within(&dialog);
    app.reach(&tags).await;
    app.press(&tags).await;
    app.keys(&ESCAPE.to_string()).await;
    app.gone(&dialog).await;
    app.until("the tags", async || heads(&app).await.contains("Tags").then_some(())).await;
    app.terminate().await;
}

/// The heads of the list's columns, one after the other.
async fn heads(app: &App) -> String {
    let script = "return [...document.querySelectorAll('[role=columnheader]')].filter((head) => head.checkVisibility()).map((head) => head.textContent).join(' | ')";
    app.0.execute(script, Vec::new()).await.unwrap().as_str().unwrap().to_owned()
}

#[tokio::test]
async fn rows_are_as_dense_as_was_chosen() {
    let (_story, app) = two_alike().await;
    let height = async || {
        let script =
            "return document.querySelector('[role=grid] [aria-selected]').getBoundingClientRect().height";
        app.0.execute(script, Vec::new()).await.unwrap().as_f64().unwrap()
    };
    let roomy = height().await;
    app.button("Columns…").await;
    app.press(&spot::text("Compact rows")).await;
    app.keys(&ESCAPE.to_string()).await;
    app.gone(&spot::dialog("Columns")).await;
    app.until("denser rows", async || (height().await < roomy).then_some(())).await;
    app.terminate().await;
}

#[tokio::test]
async fn a_task_tells_its_time_leads_to_its_question_and_is_run_again_otherwise() {
    let story = Story::begin().await;
    let app = story.desktop.open().await;
    drop(story.deploy("checkout").await);
    open_question(&app, APPROVAL).await;
    let question = spot::region("Question");
    app.press(&spot::button("Show task").within(&question)).await;
    let task = spot::region("Task");
    app.says(&task, "waiting for approval").await;
    // There and back.
    app.press(&Spot("//button[@title='Show this question']".into()).within(&task)).await;
    app.says(&question, "Approve deployment to production?").await;
    let yes = [
        "answer",
        "r1",
        "--accept",
        "--content",
        r#"{"approved":true,"rollout":"gradual","max_error_rate":3}"#,
    ];
    drop(story.desktop.machine.run(&yes).await.ok());
    story.pass(TO_THE_END);
    app.go("Tasks").await;
    app.says(&spot::entry("Tasks", "deploy"), "done").await;
    app.says(&task, "waited for a person").await;
    app.says(&task, "worked").await;
    for spent in ["working", "waiting"] {
        let script = format!(
            "return document.querySelector('[data-spent={spent}]')?.getBoundingClientRect().width > 0"
        );
        let drawn = app.0.execute(&script, Vec::new()).await.unwrap();
        assert_eq!(drawn, json!(true), "{spent} is drawn apart");
    }

    app.button("Run again").await;
    app.holds(&spot::field("Service"), "checkout").await;
    app.fill(&spot::field("Service"), "payments").await;
    app.button("Start").await;
    app.says(&task, "resolving payments").await;
    assert_eq!(story.show("t2").await["arguments"]["service"], "payments");
    app.terminate().await;
}

#[tokio::test]
async fn a_task_is_copied_as_a_command_line_that_starts_it() {
    let (story, app) = two_alike().await;
    app.button("Copy as command line").await;
    // What was copied is pasted into the note.
    app.keys("i").await;
    app.control('v').await;
    app.keys(&ESCAPE.to_string()).await;
    let remark = app
        .until("the note to be kept", async || story.show("t2").await["remark"].as_str().map(str::to_owned))
        .await;
    assert_eq!(remark, r#"signalbox call ci echo --args '{"text":"kestrel"}'"#);
    app.terminate().await;
}

/// Waits until the heads of the list say that Elapsed is so wide, in px.
async fn has_width(app: &App, px: u32) {
    let script = "const heads = [...document.querySelectorAll('[role=columnheader]')];
        return Math.round(heads.find((head) => head.textContent.startsWith('Elapsed'))?.getBoundingClientRect().width ?? 0)";
    app.until(&format!("Elapsed to have {px} px"), async || {
        let found: Value = app.0.execute(script, Vec::new()).await.ok()?;
        (found == px).then_some(())
    })
    .await;
}
