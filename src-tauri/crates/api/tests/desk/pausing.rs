//! No notifications for a while.

use signalbox_api::{Code, DeskExt as _, Home, Notifications, Overview, OwnerKind, command, open};
use signalbox_engine::wall;
use signalbox_model::Timestamp;

use super::stage::Stage;

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
    stage.act(command::SetSettings { settings: signalbox_api::Settings::default() }).await;
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
