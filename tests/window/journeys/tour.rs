//! A tour of the window: servers, tasks and questions of every kind, and each place and state that they are seen in.

use std::time::Duration;

use serde_json::{Value, json};
use signalbox_demo::Fault;
use signalbox_demo::authority::Authority;
use signalbox_tests::signalbox;

use super::{APPROVAL, Story, TO_THE_APPROVAL, open_questions, take_question};
use crate::app::App;
use crate::desktop::Desktop;
use crate::page::ESCAPE;
use crate::spot::{self, Spot};

const SURVEY: &str = "Please fill in every kind of field.";
const STRATEGY: &str = "How should the database be migrated?";
const ORDERS: &str = "Drop database orders, with all that is in it?";

/// The window in light colours, with all that a tour goes to.
pub(super) async fn begin(desktop: Desktop) -> (Story, App) {
    let story = Story::on(desktop, json!({ "undoMs": 60_000, "theme": "light" })).await;
    // The undo of an answer is shown beside the next question.
    story.desktop.machine.goes_on();
    servers_that_want_something(&story).await;
    let app = story.desktop.open().await;
    some_days_work(&story, &app).await;
    (story, app)
}

/// A program that nobody has confirmed, and a server that wants a sign-in.
async fn servers_that_want_something(story: &Story) {
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

/// Tasks in every state, and every kind of question: open, alike, snoozed and answered.
async fn some_days_work(story: &Story, app: &App) {
    for method in ["tasks/get", "subscriptions/listen"] {
        story.demo.faults().next(usize::MAX, method, Fault::Edit(ask_for_a_password));
    }
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
        ("deploy", json!({ "service": "payments", "version": "v2.4.0" })),
        ("summarize", json!({})),
        ("drop_database", json!({ "database": "orders" })),
        ("drop_database", json!({ "database": "invoices" })),
        ("confirm", json!({ "volume": "tank" })),
    ] {
        drop(story.desktop.call("ci", tool, &arguments).await);
    }
    story.pass(TO_THE_APPROVAL);
    app.hear(&open_questions("10 open questions")).await;
    let machine = &story.desktop.machine;
    drop(machine.run(&["snooze", &asks(story, "invoices").await, "8h"]).await.ok());
    let yes = ["--accept", "--content", r#"{"sure":true}"#];
    drop(machine.run(&[&["answer", &asks(story, "Delete volume").await], &yes[..]].concat()).await.ok());
    app.hear(&open_questions("10 open questions")).await;
    drop(story.desktop.machine.run(&["cancel", "t5"]).await.ok());
    story.pass(Duration::from_secs(14));
    drop(story.desktop.call("ci", "build", &json!({ "ref": "main" })).await);
    story.pass(Duration::from_secs(12));
    app.go("Tasks").await;
    app.says(&spot::entry("Tasks", "main"), "compiled 48/120").await;
}

/// Has the question about the strategy ask for a password, too.
fn ask_for_a_password(message: &mut Value) {
    let told = if message.get("params").is_some() { "params" } else { "result" };
    let properties = "/inputRequests/strategy/params/requestedSchema/properties";
    if let Some(properties) = message[told].pointer_mut(properties) {
        properties["password"] = json!({ "type": "string", "title": "Password" });
    }
}

/// The id of the question whose message contains this.
async fn asks(story: &Story, words: &str) -> String {
    let inbox = story.desktop.machine.run(&["inbox"]).await.ok();
    let is_it = |request: &&Value| request["message"].as_str().is_some_and(|message| message.contains(words));
    let request = inbox["requests"].as_array().unwrap().iter().find(is_it);
    request.unwrap_or_else(|| panic!("{words:?} in {inbox}"))["id"].as_str().unwrap().to_owned()
}

/// Goes through the settings, tasks and servers, and looks at each place and state.
pub(super) async fn places(story: &Story, app: &App, check: impl AsyncFn(&str)) {
    settings_and_tasks(story, app, &check).await;
    servers(app, &check).await;
    shown_list(app, &check).await;
}

/// Goes through the inbox, and looks at each kind of question and each tab.
pub(super) async fn questions(app: &App, check: impl AsyncFn(&str)) {
    kinds(app, &check).await;
    tabs(app, &check).await;
}

/// Goes on in the inbox, and looks at all that a decision takes.
pub(super) async fn decisions(app: &App, check: impl AsyncFn(&str)) {
    dialogs(app, &check).await;
    answers(app, &check).await;
}

async fn settings_and_tasks(story: &Story, app: &App, check: &impl AsyncFn(&str)) {
    app.go("Settings").await;
    app.see(&spot::region("Settings")).await;
    check("settings").await;
    let change = spot::named("Change the key for Next question");
    app.reach(&change).await;
    app.press(&change).await;
    app.focused(&spot::field("New key for Next question")).await;
    app.keys("j").await;
    app.read("This key is used by “Next in the list”.").await;
    check("key").await;
    app.button("Cancel").await;
    app.go("Tasks").await;
    app.press(&spot::entry("Tasks", "main")).await;
    app.says(&spot::region("Task"), "compiled 48/120").await;
    check("tasks").await;
    app.press(&spot::entry("Tasks", "lint")).await;
    app.says(&spot::region("Task"), "3 problems in 2 files").await;
    check("result").await;
    app.press(&spot::tab("Requests")).await;
    app.read("tools/call").await;
    check("requests").await;
    app.press(&spot::tab("Raw")).await;
    check("raw").await;
    app.press(&spot::tab("Overview")).await;
    app.press(&spot::entry("Tasks", "lint")).await;
    app.control('a').await;
    app.read("tasks picked").await;
    check("picked").await;
    app.button("Forget…").await;
    app.see(&spot::text("This cannot be undone.").within(&Spot("//*[@role='dialog']".into()))).await;
    check("forget").await;
    app.button("Keep").await;
    app.gone(&Spot("//*[@role='dialog']".into())).await;
    app.keys(&ESCAPE.to_string()).await;
    app.gone(&spot::button("Forget…")).await;
    app.control('k').await;
    app.keys("build").await;
    app.see(&spot::entry("Found", "build")).await;
    shut(app, "Find anything", "palette", check).await;
    app.button("Start a tool").await;
    app.press(&spot::entry("Tools", "deploy")).await;
    app.see(&spot::field("Region")).await;
    check("start").await;
    app.go("Tasks").await;
    app.press(&spot::named("How filters are written")).await;
    shut(app, "How filters are written", "filter", check).await;
    app.keys("?").await;
    shut(app, "Keyboard", "help", check).await;
    story.desktop.close_front_window().await;
    shut(app, "Close Signalbox?", "close", check).await;
}

async fn servers(app: &App, check: &impl AsyncFn(&str)) {
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
}

/// How the list of tasks is shown, and a view that keeps that.
async fn shown_list(app: &App, check: &impl AsyncFn(&str)) {
    app.go("Tasks").await;
    app.button("Columns…").await;
    shut(app, "Columns", "columns", check).await;
    app.choose(&spot::field("Sort by"), "Oldest first").await;
    app.button("View…").await;
    let named = spot::dialog("Save the list as a view");
    app.see(&named).await;
    app.keys("What runs longest").await;
    check("view-save").await;
    app.press(&spot::button("Save").within(&named)).await;
    app.gone(&named).await;
    app.button("View…").await;
    app.see(&spot::dialog("View")).await;
    check("view").await;
    app.button("Delete").await;
    app.see(&spot::dialog("Delete this view?")).await;
    check("view-delete").await;
    app.button("Keep").await;
    app.see(&spot::dialog("View")).await;
    app.keys(&ESCAPE.to_string()).await;
    app.gone(&spot::dialog("View")).await;
    check("viewed").await;
}

/// Every kind of question, and a form in which something does not fit.
async fn kinds(app: &App, check: &impl AsyncFn(&str)) {
    app.go("Inbox").await;
    for (question, title) in [
        ("sign", "Sign release 2.4.0 on the page of the signing service."),
        ("approval", APPROVAL),
        ("survey", SURVEY),
    ] {
        take_question(app, title).await;
        check(question).await;
    }
    app.button("Review and send").await;
    app.read("values do not fit. Nothing was sent.").await;
    check("misfits").await;
    let calendar = spot::button("Calendar").within(&spot::shell("Next meeting"));
    app.reach(&calendar).await;
    app.press(&calendar).await;
    app.see(&spot::field("Time")).await;
    check("calendar").await;
    app.button("Close").await;
    app.gone(&spot::field("Time")).await;
    app.press(&spot::tab("JSON")).await;
    app.see(&spot::field("Content as JSON")).await;
    check("json").await;
    app.press(&spot::tab("Form")).await;
    take_question(app, "summarize").await;
    app.read("What the server would ask a model").await;
    check("sampling").await;
    take_question(app, "Why is it deleted?").await;
    app.read("Two questions at once").await;
    check("round").await;
}

/// What is not among those that need somebody.
async fn tabs(app: &App, check: &impl AsyncFn(&str)) {
    let question = spot::region("Question");
    app.press(&spot::tab("Expiring")).await;
    app.read("Nothing expires soon").await;
    check("expiring").await;
    app.press(&spot::tab("Snoozed")).await;
    take_question(app, "Drop database invoices").await;
    app.says(&question, "comes back").await;
    check("snoozed").await;
    app.press(&spot::tab("Answered")).await;
    take_question(app, "Delete volume tank?").await;
    app.see(&spot::heading("Receipt").within(&question)).await;
    check("receipt").await;
    app.press(&spot::tab("Needs you")).await;
}

/// What opens over a question.
async fn dialogs(app: &App, check: &impl AsyncFn(&str)) {
    app.go("Inbox").await;
    take_question(app, STRATEGY).await;
    let password = spot::field("Password");
    app.reach(&password).await;
    app.fill(&password, "zebra").await;
    app.choose(&spot::field("Strategy"), "Online, slower").await;
    check("secret").await;
    app.button("Review and send").await;
    shut(app, "Send this answer?", "secret-review", check).await;
    app.button("Snooze…").await;
    shut(app, "Snooze until when?", "snooze", check).await;
    app.button("Why is this asked?").await;
    app.read("Earlier answers to the same question").await;
    shut(app, "Why is this asked?", "why", check).await;
    take_question(app, ORDERS).await;
    let yes = spot::choice("Yes, drop it", "Yes");
    app.reach(&yes).await;
    app.press(&yes).await;
    app.button("Review and send").await;
    shut(app, "Send this answer?", "destructive", check).await;
    take_question(app, APPROVAL).await;
    app.button("Review and send").await;
    shut(app, "Send this answer?", "review", check).await;
}

/// What is shown of an answer that can be taken back, and of one to several questions.
async fn answers(app: &App, check: &impl AsyncFn(&str)) {
    app.button("Decline").await;
    let last = spot::section("Your last answer");
    app.see(&last).await;
    check("undo").await;
    app.press(&spot::button("Undo").within(&last)).await;
    app.gone(&last).await;

    app.button("Answer both…").await;
    let dialog = spot::dialog("Send one answer to all of these?");
    app.see(&dialog).await;
    check("stack").await;
    let read = spot::text("I have read the differences").within(&dialog);
    app.reach(&read).await;
    app.press(&read).await;
    app.hear(&spot::button("Send 2 answers")).await.click().await.unwrap();
    app.read("2 answers: accepted").await;
    app.gone(&dialog).await;
    check("answered-together").await;
    app.button("Undo all 2").await;
    app.read("2 answers were taken back.").await;
    check("taken-back").await;
    app.button("Close").await;
    app.hear(&open_questions("10 open questions")).await;

    let add = spot::button("Add a note for your own log");
    app.reach(&add).await;
    app.press(&add).await;
    app.read("Note for your own log").await;
    app.keys("The freeze ends on Monday; Ada agreed to go on with this one before.").await;
    check("note").await;
}

/// Looks at a dialog that was opened, and closes it.
async fn shut(app: &App, title: &str, name: &str, check: &impl AsyncFn(&str)) {
    let dialog = spot::dialog(title);
    app.see(&dialog).await;
    check(name).await;
    app.keys(&ESCAPE.to_string()).await;
    app.gone(&dialog).await;
}
