//! What the desktop's notification service shows, and how a person clicks it.

use serde_json::Value;
use zbus::{Connection, Proxy, connection};

use crate::soon;

const NAME: &str = "app.signalbox.TestNotifications";
const PATH: &str = "/app/signalbox/TestNotifications";

/// The notifications of a desktop.
#[derive(Debug)]
pub struct Notices(Connection);

impl Notices {
    pub(super) async fn connect(bus: &str) -> Self {
        Self(connection::Builder::address(bus).unwrap().build().await.unwrap())
    }

    /// All notifications, once there are this many.
    pub async fn shown(&self, count: u32) -> Vec<Value> {
        let all: String = self.ask("Await", &(count,)).await;
        let all: Vec<Value> = serde_json::from_str(&all).unwrap();
        assert!(all.len() >= usize::try_from(count).unwrap(), "{count} notifications were to come: {all:?}");
        all
    }

    /// Clicks an action of a notification.
    pub async fn click(&self, id: &Value, action: &str) {
        let id = u32::try_from(id.as_u64().unwrap()).unwrap();
        let taken: bool = self.ask("Invoke", &(id, action)).await;
        assert!(taken, "the application takes the click");
    }

    async fn ask<B, R>(&self, method: &str, body: &B) -> R
    where
        B: serde::Serialize + zbus::zvariant::DynamicType,
        R: for<'d> zbus::zvariant::DynamicDeserialize<'d>,
    {
        let proxy = Proxy::new(&self.0, NAME, PATH, NAME).await.unwrap();
        soon("the notification service", proxy.call(method, body)).await.unwrap()
    }
}
