//! How old what is known of a server is, as hosts see it.

use std::time::Duration;

use signalbox_api::{Home, Overview, OwnerKind, ServerView, View, ViewData, command, open};
use signalbox_demo::Fault;
use signalbox_model::Health;

use super::stage::Stage;

fn only(data: Option<ViewData>) -> ServerView {
    match data {
        Some(ViewData::Overview { change }) => {
            *change.servers.into_iter().find_map(|server| server.view).expect("there is one, and it is news")
        }
        other => panic!("an overview was asked for: {other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_connected_to_for_the_first_time_is_said_to_be() {
    let stage = Stage::set().await;
    let gate = stage.demo.faults().hold("server/discover");
    let checking = check(&stage);
    let looking = async {
        gate.reached(1).await;
        let connecting = |overview: &Overview| match &overview.servers[0] {
            ServerView { health: Health::Unknown { .. }, connecting_since, .. } => *connecting_since,
            other => panic!("nothing is known of it yet: {other:?}"),
        };
        let since = stage.until_overview(connecting).await;
        assert!(since <= signalbox_engine::wall(), "{since}");
        gate.open();
    };
    let (checked, ()) = tokio::join!(checking, looking);
    assert!(matches!(checked.health, Health::Ok { .. }), "{:?}", checked.health);
    let over = |overview: &Overview| overview.servers[0].connecting_since.is_none().then_some(());
    stage.until_overview(over).await;
}

async fn check(stage: &Stage) -> ServerView {
    stage.act(command::CheckServer { server: "demo".into() }).await.server
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_is_dated_and_the_date_outlives_a_restart_and_an_outage() {
    let stage = Stage::set().await;
    let overview = stage.changes(View::Overview, None, Duration::ZERO).await;
    assert_eq!(only(overview.data).heard_at, None, "it was not spoken to yet");
    let heard = check(&stage).await.heard_at.expect("it answered");
    let news = stage.changes(View::Overview, Some(overview.cursor), Duration::ZERO).await;
    assert!(only(news.data).heard_at >= Some(heard), "and the overview knows");

    stage.demo.faults().next(100, "*", Fault::Refuse { status: 502, retry_after: None });
    let mut away = check(&stage).await;
    // A gateway's error alone may be about one request.
    for _ in 0..2 {
        away = check(&stage).await;
    }
    let Health::Unreachable { tried_at, .. } = away.health else { panic!("{:?}", away.health) };
    assert!(tried_at > Some(heard), "what failed is dated, too");
    let last = away.heard_at;
    assert!(last >= Some(heard) && last <= tried_at, "a gateway's error is no answer of the server");

    let Stage { opened, demo, server, dir } = stage;
    opened.close().await;
    let opened = open(&Home::at(&dir.path().join("home")).unwrap(), OwnerKind::Serve).await.unwrap();
    let stage = Stage { opened, demo, server, dir };
    let known = |overview: &Overview| match &overview.servers[0] {
        ServerView { health: Health::Unknown { missed: Some(missed) }, heard_at, .. } => {
            Some((Some(missed.at), *heard_at))
        }
        _ => None,
    };
    assert_eq!(stage.until_overview(known).await, (tried_at, last), "both are known after a restart");
}
