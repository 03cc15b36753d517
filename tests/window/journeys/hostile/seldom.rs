//! Hostile strings in the fields that a server fills seldom, each seen at both sizes and in both colours.

use std::collections::BTreeSet;
use std::time::Duration;

use super::Visit;
use super::said::count;
use super::told::{CLAIMS, end_badly, lead_to_pages, offer_to_choose, part, pose_as_another};
use crate::journeys::{TO_THE_APPROVAL, open_questions, take_question};
use crate::spot;

/// As long as `build` takes, and a bit.
const TO_THE_BUILD: Duration = Duration::from_secs(32);
/// Shows all of each text.
const UNFOLD: &str = "
    const more = [...document.querySelectorAll('[role=region] button')];
    more.filter((button) => button.textContent.startsWith('Show all')).forEach((button) => button.click());";

#[tokio::test]
async fn no_option_runs_or_breaks_the_layout() {
    let mut visit = Visit::among(&[("tasks/get", offer_to_choose)]).await;
    for n in 0..count() {
        visit.call("deploy", "service", n).await;
    }
    visit.story.pass(TO_THE_APPROVAL);
    visit.app.hear(&open_questions(&format!("{} open questions", count()))).await;
    visit.app.go("Inbox").await;
    for n in 0..count() {
        take_question(&visit.app, &format!("Options {}", part(n))).await;
        visit.look_all_round(&format!("options-{n}")).await;
    }
    visit.end().await;
}

#[tokio::test]
async fn no_address_runs_or_breaks_the_layout() {
    let mut visit = Visit::among(&[("tasks/get", lead_to_pages)]).await;
    for n in 0..=count() {
        visit.call("sign", "release", n).await;
    }
    visit.story.pass(TO_THE_APPROVAL);
    visit.app.hear(&open_questions(&format!("{} open questions", count() + 1))).await;
    visit.app.go("Inbox").await;
    for n in 0..=count() {
        take_question(&visit.app, &format!("Page {}", part(n))).await;
        visit.look_all_round(&format!("address-{n}")).await;
    }
    visit.end().await;
}

#[tokio::test]
async fn no_result_runs_or_breaks_the_layout() {
    ends("Result", 0).await;
}

#[tokio::test]
async fn no_error_runs_or_breaks_the_layout() {
    ends("Error", count()).await;
}

/// Goes to tasks that end with the strings.
async fn ends(title: &str, from: usize) {
    let mut visit = Visit::among(&[("tasks/get", end_badly)]).await;
    for n in 0..count() {
        visit.call("build", "ref", from + n).await;
    }
    visit.story.pass(TO_THE_BUILD);
    visit.app.go("Tasks").await;
    for n in 0..count() {
        visit.app.take("Tasks", &part(from + n)).await;
        visit.app.says(&spot::region("Task"), &format!("{title} {}", part(n))).await;
        visit.app.0.execute(UNFOLD, Vec::new()).await.unwrap();
        visit.look_all_round(&format!("{}-{n}", title.to_lowercase())).await;
    }
    visit.end().await;
}

#[tokio::test]
async fn no_name_of_a_server_runs_or_breaks_the_layout() {
    let mut visit = Visit::among(&[("server/discover", pose_as_another)]).await;
    let app = &visit.app;
    app.go("Servers").await;
    app.press(&spot::entry("Servers", "ci")).await;
    let claims = spot::text("Claim part-").within(&spot::region("Server"));
    let mut seen = BTreeSet::new();
    while seen.len() < CLAIMS.len() {
        visit.app.button("Check now").await;
        let claim = visit.app.until("another name", async || {
            let text = visit.app.see(&claims).await.text().await.ok()?;
            let claim = text.split("Claim ").nth(1)?.split(' ').next()?.to_owned();
            (!seen.contains(&claim)).then_some(claim)
        });
        let claim = claim.await;
        visit.app.0.execute(UNFOLD, Vec::new()).await.unwrap();
        visit.look_all_round(&format!("claim-{claim}")).await;
        seen.insert(claim);
    }
    visit.end().await;
}
