//! What a person says of notifications: none for a while, and how much is told of what.

use signalbox_api::{
    Code, DeskExt as _, Home, NoticeFate, Notifications, NotifyLevel, Overview, OwnerKind, Settings, View,
    ViewData, command, open,
};
use signalbox_engine::wall;
use signalbox_model::{ItemRef, Timestamp};

use super::stage::{APPROVAL, Stage, accept};

fn pause(until: Option<Timestamp>) -> command::PauseNotifications {
    command::PauseNotifications { until }
}

fn paused(overview: &Overview) -> Option<Option<Timestamp>> {
    Some(overview.notifications_paused_until)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pause_is_seen_outlives_a_restart_and_ends() {
    let stage = Stage::set().await;
    assert_eq!(stage.until_overview(paused).await, None);
    let past = stage.opened.desk().act(pause(Some(wall()))).await.unwrap_err();
    assert_eq!(past.code, Code::Usage, "a time that has passed is a slip: nothing would come of it");
    let until = wall().plus_ms(3_600_000);
    stage.act(pause(Some(until))).await;
    assert_eq!(stage.until_overview(paused).await, Some(until));
    stage.act(command::SetSettings { settings: Settings::default() }).await;
    assert_eq!(stage.until_overview(paused).await, Some(until), "who saves settings ends no pause");

    let Stage { opened, demo, server, dir } = stage;
    opened.close().await;
    let opened = open(&Home::at(&dir.path().join("home")).unwrap(), OwnerKind::Serve).await.unwrap();
    let stage = Stage { opened, demo, server, dir };
    assert_eq!(stage.until_overview(paused).await, Some(until), "it is kept");
    stage.act(pause(None)).await;
    assert_eq!(stage.until_overview(paused).await, None);

    let _notifications = Notifications::start(stage.opened.local().unwrap(), |_| {});
    stage.act(pause(Some(wall().plus_ms(200)))).await;
    let over = |overview: &Overview| overview.notifications_paused_until.is_none().then_some(());
    stage.until_overview(over).await;
}

/// A question that a pause holds back is told after it, whoever owns the data directory by then; another is answered meanwhile.
#[tokio::test(flavor = "multi_thread")]
async fn what_a_pause_holds_back_outlives_its_owner() {
    let stage = Stage::set().await;
    let notifications = Notifications::start(stage.opened.local().unwrap(), |_| {});
    stage.act(pause(Some(wall().plus_ms(3_600_000)))).await;
    let mut questions = Vec::new();
    for service in ["a", "b"] {
        let asks = stage.start("deploy", &format!(r#"{{"service":"{service}","version":"1"}}"#)).await;
        questions.push(stage.question_of(asks).await.row.id);
    }
    let held_back = |count| {
        move |data| match data {
            ViewData::Notices { past } if past.len() == count => Some(past),
            _ => None,
        }
    };
    let _ = stage.until(View::Notices, held_back(2)).await;
    stage.act(accept(questions[0], APPROVAL)).await;
    drop(notifications);

    let Stage { opened, demo, server, dir } = stage;
    opened.close().await;
    let opened = open(&Home::at(&dir.path().join("home")).unwrap(), OwnerKind::Serve).await.unwrap();
    let stage = Stage { opened, demo, server, dir };
    let _notifications = Notifications::start(stage.opened.local().unwrap(), |_| {});
    let past = stage.until(View::Notices, held_back(1)).await;
    let seen: Vec<_> =
        past.iter().map(|past| (past.items.as_slice(), past.title.as_str(), past.fate)).collect();
    let waits = (&[ItemRef::Request(questions[1])][..], "demo · deploy needs you", NoticeFate::Paused);
    assert_eq!(seen, [waits], "the answered one is over");
    stage.act(pause(None)).await;
    let past = stage.until(View::Notices, held_back(2)).await;
    assert_eq!(past[0].items, waits.0);
    assert!(
        matches!(past[0].fate, NoticeFate::Shown | NoticeFate::Inhibited | NoticeFate::Failed),
        "{past:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_removed_server_takes_its_levels_with_it() {
    let stage = Stage::set().await;
    let server = stage.until_overview(|overview| Some(overview.servers[0].id)).await;
    let rules = |overview: &Overview| Some(overview.settings.notifications.clone());
    let mut settings = Settings { poll_floor_ms: 100, ..Settings::default() };
    settings.notifications.set(Some((server, None)), Some(NotifyLevel::Nothing));
    settings.notifications.set(Some((server, Some("deploy".into()))), Some(NotifyLevel::NeedsMe));
    settings.notifications.set(None, Some(NotifyLevel::NeedsMe));
    stage.act(command::SetSettings { settings }).await;
    assert_eq!(stage.until_overview(rules).await.rules.len(), 2);
    stage.act(command::RemoveServer { server: "demo".into() }).await;
    let left = stage.until_overview(rules).await;
    assert_eq!((left.rules, left.level), (vec![], NotifyLevel::NeedsMe), "and no others");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_held_back_is_seen_with_its_reason_and_without_a_service_too() {
    let stage = Stage::set().await;
    let _notifications = Notifications::start(stage.opened.local().unwrap(), |_| {});
    let mut settings = Settings { poll_floor_ms: 100, ..Settings::default() };
    settings.notifications.level = NotifyLevel::NeedsMe;
    stage.act(command::SetSettings { settings }).await;
    stage.act(pause(Some(wall().plus_ms(3_600_000)))).await;
    let ended = stage.start("echo", r#"{"text":"one"}"#).await;
    stage.ended(ended).await;
    let asks = stage.start("deploy", r#"{"service":"a","version":"1","region":"eu-west"}"#).await;
    let question = stage.question_of(asks).await.row.id;
    let past = stage
        .until(View::Notices, |data| match data {
            ViewData::Notices { past } if past.len() == 2 => Some(past),
            _ => None,
        })
        .await;
    let seen: Vec<_> =
        past.iter().map(|past| (past.items.as_slice(), past.title.as_str(), past.fate)).collect();
    let held = (&[ItemRef::Request(question)][..], "demo · deploy needs you", NoticeFate::Paused);
    let below = (&[ItemRef::Call(ended)][..], "demo · echo is done", NoticeFate::Level);
    assert!(seen.contains(&held) && seen.contains(&below), "{seen:?}");
}
