//! The window at its sizes and in its colours, with pictures for people to look at where `SIGNALBOX_SHOTS` names a
//! folder.

use std::time::Duration;

use serde_json::json;
use signalbox_demo::authority::Authority;
use signalbox_tests::signalbox;

use super::{APPROVAL, Story, TO_THE_APPROVAL, open_question};
use crate::app::App;
use crate::page::{ENTER, ESCAPE};
use crate::spot;

const SIZES: [(u32, u32); 2] = [(1280, 800), (900, 600)];

/// What can be pressed or filled in, but not wholly reached without scrolling sideways.
const OUTSIDE: &str = "
    const controls = [...document.querySelectorAll('button, input, select, textarea, [role=tab]')];
    const wide = document.documentElement.scrollWidth > innerWidth ? ['the page'] : [];
    const tabs = document.querySelector('[role=tablist][aria-label=\"Which questions\"]');
    if (tabs && tabs.scrollWidth > tabs.clientWidth + 1) wide.push('the tabs of the inbox');
    return wide.concat(controls
        .filter((control) => control.checkVisibility())
        .map((control) => [control, control.getBoundingClientRect()])
        .filter(([, box]) => box.width > 1 && (box.left < 0 || box.right > innerWidth + 0.5))
        .map(([control]) => control.getAttribute('aria-label') ?? control.innerText ?? control.id));";

#[tokio::test]
async fn at_every_size_and_in_both_colours_all_controls_are_within_reach() {
    let story = Story::with(json!({ "undoMs": 5_000, "theme": "light" })).await;
    servers_that_want_something(&story).await;
    let app = story.desktop.open().await;
    some_days_work(&story, &app).await;
    for theme in ["Light", "Dark"] {
        app.go("Settings").await;
        app.choose(&spot::field("Colours"), theme).await;
        for (width, height) in SIZES {
            app.resize(width, height).await;
            let name = format!("{width}-{}", theme.to_lowercase());
            look_around(&app, async |place| within_reach(&story, &app, &format!("{place}-{name}")).await)
                .await;
        }
    }
    twice_as_large(&story, &app).await;
    app.terminate().await;
}

async fn within_reach(story: &Story, app: &App, name: &str) {
    let outside = app.0.execute(OUTSIDE, Vec::new()).await.unwrap();
    app.drawn().await;
    story.desktop.picture(name).await;
    assert_eq!(outside, json!([]), "out of reach in {name}");
}

/// By keys alone, in the smaller window: to its page it is half as wide.
async fn twice_as_large(story: &Story, app: &App) {
    for _ in 0..5 {
        app.control('+').await;
    }
    let is_wide = async |width: u32| {
        app.until(&format!("a page of {width}"), async || {
            let now = app.0.execute("return innerWidth", Vec::new()).await.unwrap();
            (now == json!(width)).then_some(())
        })
        .await;
    };
    is_wide(450).await;
    for (keys, place) in [("gi", "inbox"), ("gt", "tasks"), ("gs", "servers"), ("g,", "settings")] {
        app.keys(keys).await;
        app.drawn().await;
        within_reach(story, app, &format!("{place}-200")).await;
        // The other pane comes into sight with the focus.
        app.keys(&ENTER.to_string()).await;
        app.drawn().await;
        within_reach(story, app, &format!("{place}-pane-200")).await;
        app.keys(&ESCAPE.to_string()).await;
    }
    app.control('0').await;
    is_wide(900).await;
}

/// A program that nobody has confirmed, and a server that wants a sign-in.
pub(super) async fn servers_that_want_something(story: &Story) {
    let machine = &story.desktop.machine;
    let program = signalbox();
    let add =
        ["server", "add", "warehouse", "--env", "TOKEN=env:WAREHOUSE_TOKEN", "--", program.to_str().unwrap()];
    drop(machine.run(&[add.as_slice(), &["demo", "stdio", "--speed", "instant"]].concat()).await.ok());
    // What is found again may have come from anywhere.
    drop(machine.run(&["salvage"]).await.ok());
    let authority = Authority::before(story.demo.demo()).await.unwrap();
    machine.add("billing", authority.url("/mcp").as_str()).await;
}

/// Tasks in every state, and every kind of question.
pub(super) async fn some_days_work(story: &Story, app: &App) {
    for (tool, arguments) in [
        ("lint", json!({})),
        ("crash", json!({})),
        ("short_lived", json!({})),
        ("build", json!({ "ref": "release/2.4" })),
        ("forever", json!({})),
        ("sign", json!({ "release": "2.4.0" })),
        ("two_questions", json!({})),
        ("survey", json!({})),
        ("deploy", json!({ "service": "checkout", "version": "v2.4.0" })),
    ] {
        drop(story.desktop.call("ci", tool, &arguments).await);
    }
    story.pass(TO_THE_APPROVAL);
    app.hear(&super::open_questions("5 open questions")).await;
    drop(story.desktop.machine.run(&["cancel", "t5"]).await.ok());
    story.pass(Duration::from_secs(14));
    drop(story.desktop.call("ci", "build", &json!({ "ref": "main" })).await);
    story.pass(Duration::from_secs(12));
    app.go("Tasks").await;
    app.says(&spot::entry("Tasks", "main"), "compiled 48/120").await;
}

/// Goes through all places and states, and looks at each.
pub(super) async fn look_around(app: &App, check: impl AsyncFn(&str)) {
    app.go("Settings").await;
    app.see(&spot::region("Settings")).await;
    check("settings").await;
    app.go("Tasks").await;
    app.press(&spot::entry("Tasks", "main")).await;
    app.says(&spot::region("Task"), "compiled 48/120").await;
    check("tasks").await;
    app.press(&spot::entry("Tasks", "lint")).await;
    app.says(&spot::region("Task"), "3 problems in 2 files").await;
    check("result").await;
    app.button("Start a tool").await;
    app.press(&spot::entry("Tools", "deploy")).await;
    app.see(&spot::field("Region")).await;
    check("start").await;
    app.go("Servers").await;
    app.press(&spot::entry("Servers", "ci")).await;
    app.read("127.0.0.1").await;
    check("servers").await;
    app.button("Add a server").await;
    app.see(&spot::field("Name")).await;
    check("add").await;
    app.button("Import…").await;
    app.see(&spot::text("Nothing was found that can be imported.")).await;
    check("import").await;
    app.button("Cancel").await;
    app.press(&spot::entry("Servers", "warehouse")).await;
    app.button("Confirm command").await;
    app.see(&spot::dialog("May warehouse be started?")).await;
    check("trust").await;
    app.button("Cancel").await;
    app.gone(&spot::dialog("May warehouse be started?")).await;
    app.press(&spot::entry("Servers", "billing")).await;
    app.button("Check now").await;
    app.read("needed: nobody is signed in").await;
    check("sign-in").await;
    app.button("Change access").await;
    app.see(&spot::field("Client id")).await;
    check("access").await;
    app.reach(&spot::field("Proxy")).await;
    app.press(&spot::field("Proxy")).await;
    check("access-end").await;
    app.button("Cancel").await;
    for (question, title) in [
        ("survey", "Please fill in every kind of field."),
        ("sign", "Sign release 2.4.0 on the page of the signing service."),
        ("approval", APPROVAL),
    ] {
        open_question(app, title).await;
        check(question).await;
    }
    app.button("Review and send").await;
    app.see(&spot::dialog("Send this answer?")).await;
    check("review").await;
    app.button("Keep editing").await;
    app.gone(&spot::dialog("Send this answer?")).await;
}
