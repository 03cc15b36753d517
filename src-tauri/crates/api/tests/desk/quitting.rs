//! An owner that is asked to end, and who learns of it.

use std::time::Duration;

use signalbox_api::{Code, Desk, DeskExt as _, Home, Opened, Overview, OwnerKind, command, look, open};
use signalbox_model::Action;

use super::stage::{LIMIT, Stage, accept};

fn home(stage: &Stage) -> Home {
    Home::at(&stage.dir.path().join("home")).unwrap()
}

async fn quits(desk: &dyn Desk) -> bool {
    desk.see(look::Forward { raises: false }).await.unwrap().3
}

#[tokio::test(flavor = "multi_thread")]
async fn windows_are_told_before_the_owner_ends() {
    let stage = Stage::set().await;
    let Opened::Guest(window) = open(&home(&stage), OwnerKind::Window).await.unwrap() else {
        panic!("there is an owner")
    };
    let (at_first, seen) = window.look(look::Forward { raises: false }, None, Duration::ZERO).await.unwrap();
    assert!(!seen.expect("the whole view").3, "nobody has asked yet");
    let local = stage.opened.local().unwrap();
    let asked = async {
        stage.act(command::Quit {}).await;
        tokio::time::timeout(LIMIT, local.asked_to_quit()).await.expect("the owner hears of it");
    };
    let (told, ()) = tokio::join!(window.look(look::Forward { raises: false }, Some(at_first), LIMIT), asked);
    assert!(told.unwrap().1.expect("it is news").3, "who waits for a wish is told");
    assert!(quits(&*window).await, "and so is who looks a little later");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wish_and_the_end_are_two_things() {
    let stage = Stage::set().await;
    stage.act(command::BringForward { item: None, link: None, token: None }).await;
    assert!(!quits(&*stage.opened.desk()).await, "a wish is no end");
    let (after, seen) =
        stage.opened.desk().look(look::Forward { raises: false }, None, Duration::ZERO).await.unwrap();
    assert_eq!(seen.expect("the whole view").0, 1);
    stage.act(command::Quit {}).await;
    let (_, seen) =
        stage.opened.desk().look(look::Forward { raises: false }, Some(after), LIMIT).await.unwrap();
    let (wish, _, _, quit, _) = seen.expect("it is news although nobody wished for anything");
    assert_eq!((wish, quit), (1, true));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_ends_by_itself() {
    let stage = Stage::set().await;
    let home = home(&stage);
    stage.opened.close().await;
    let opened = open(&home, OwnerKind::Command).await.unwrap();
    let error = opened.desk().act(command::Quit {}).await.unwrap_err();
    assert_eq!(error.code, Code::Usage);
    assert!(!quits(&*opened.desk()).await);
    opened.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_looks_is_told_how_many_answers_an_end_would_take_back() {
    let stage = Stage::set().await;
    let held = |n| move |overview: &Overview| (overview.held == n).then_some(overview.tabs);
    stage.until_overview(held(0)).await;
    let call = stage.start("deploy", r#"{"service":"a","version":"1","region":"eu-west"}"#).await;
    let request = stage.question_of(call).await.row.id;
    let answer = accept(request, r#"{"environment":"staging","confirm":true}"#);
    stage.act(command::Answer { action: Action::Decline, content: None, hold_ms: 60_000, ..answer }).await;
    stage.until_overview(held(1)).await;
    stage.act(command::TakeBackHeld {}).await;
    let tabs = stage.until_overview(held(0)).await;
    assert_eq!(tabs.needs_you, 1, "it waits for its person again");
}
