//! How many questions wait, at the icon of a dock.

use std::collections::HashMap;

use futures_util::StreamExt as _;
use signalbox_tests::{soon, text};
use zbus::message::Type;
use zbus::zvariant::OwnedValue;
use zbus::{Connection, MatchRule, MessageStream, connection};

use super::Desk;

/// As they all have it, after the first that did.
const NAME: &str = "com.canonical.Unity";

/// A dock, of which programs are not asked but listened to.
struct Dock {
    bus: Connection,
    told: MessageStream,
}

impl Dock {
    async fn on(bus: &str) -> Self {
        let bus = connection::Builder::address(bus).unwrap().build().await.unwrap();
        let rule = MatchRule::builder().msg_type(Type::Signal);
        let rule = rule.interface("com.canonical.Unity.LauncherEntry").unwrap().member("Update").unwrap();
        let told = MessageStream::for_match_rule(rule.build(), &bus, None).await.unwrap();
        bus.request_name(NAME).await.unwrap();
        Self { bus, told }
    }

    /// What its icon is to show next.
    async fn shows(&mut self) -> Option<i64> {
        let message = soon("a count", self.told.next()).await.expect("the bus lives").unwrap();
        let (_, shown): (String, HashMap<String, OwnedValue>) = message.body().deserialize().unwrap();
        let is_visible = bool::try_from(&shown["count-visible"]).unwrap();
        is_visible.then(|| i64::try_from(&shown["count"]).unwrap())
    }

    async fn leave(self) {
        assert!(self.bus.release_name(NAME).await.unwrap(), "the name was its own");
        self.bus.close().await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_count_is_at_the_dock_also_where_that_starts_last() {
    let desk = Desk::set().await;
    let mut dock = Dock::on(&desk.bus.address).await;
    let serve = desk.serve().await;
    assert_eq!(dock.shows().await, None);
    let question = desk.asks().await;
    assert_eq!(dock.shows().await, Some(1));

    dock.leave().await;
    let mut dock = Dock::on(&desk.bus.address).await;
    assert_eq!(dock.shows().await, Some(1), "nothing has changed, and it knew nothing");

    let decline = ["answer", text(&question, "id"), "--decline"];
    let _ = desk.stage.machine.run(&decline).await.ok();
    assert_eq!(dock.shows().await, None);
    let _ = serve.terminate().await.exits(0);
}
