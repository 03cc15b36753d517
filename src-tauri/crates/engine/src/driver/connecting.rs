//! Which servers are being connected to, and since when: somebody waits for that, and nothing else is known of a server that
//! nobody has met yet.

use std::{collections::BTreeMap, pin::pin, time::Duration};

use signalbox_model::{ServerId, Timestamp};
use tokio::{sync::watch, time::timeout};

use crate::wall;

/// An attempt that is over by then is told by what came of it alone.
const SOON: Duration = Duration::from_millis(300);

/// The attempts that take longer.
#[derive(Debug, Clone, Default)]
pub(super) struct Connecting(watch::Sender<BTreeMap<ServerId, Timestamp>>);

impl Connecting {
    pub(super) fn shown(&self) -> watch::Receiver<BTreeMap<ServerId, Timestamp>> {
        self.0.subscribe()
    }

    /// Makes an attempt, and shows it for as long as it is under way.
    pub(super) async fn show<T>(&self, server: ServerId, attempt: impl Future<Output = T>) -> T {
        let since = wall();
        let mut attempt = pin!(attempt);
        if let Ok(made) = timeout(SOON, &mut attempt).await {
            return made;
        }
        self.0.send_modify(|shown| {
            shown.insert(server, since);
        });
        let _shown = Shown { of: self, server, since };
        attempt.await
    }
}

/// Shown until this is dropped, also where nobody waits for the attempt any more.
struct Shown<'a> {
    of: &'a Connecting,
    server: ServerId,
    since: Timestamp,
}

impl Drop for Shown<'_> {
    fn drop(&mut self) {
        self.of.0.send_if_modified(|shown| {
            // At another address another attempt may have begun meanwhile.
            let is_ours = shown.get(&self.server) == Some(&self.since);
            is_ours && shown.remove(&self.server).is_some()
        });
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::oneshot;

    use super::*;

    const SERVER: ServerId = ServerId(1);

    #[tokio::test(start_paused = true)]
    async fn what_takes_long_is_shown_until_it_is_over_or_given_up() {
        for given_up in [false, true] {
            let connecting = Connecting::default();
            let mut shown = connecting.shown();
            let (done, over) = oneshot::channel::<()>();
            let attempt = tokio::spawn(async move { connecting.show(SERVER, over).await });
            let since = shown.wait_for(|shown| !shown.is_empty()).await.map(|shown| shown[&SERVER]);
            assert!(since.is_ok_and(|since| since <= wall()), "since it began");
            if given_up {
                attempt.abort();
            } else {
                done.send(()).expect("it is waited for");
            }
            shown.wait_for(BTreeMap::is_empty).await.expect("given up or not, it is over");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_over_soon_is_not_shown() {
        let connecting = Connecting::default();
        let shown = connecting.shown();
        connecting.show(SERVER, tokio::time::sleep_until(tokio::time::Instant::now() + SOON / 2)).await;
        assert!(!shown.has_changed().expect("it is there"), "that would flicker");
    }

    #[tokio::test(start_paused = true)]
    async fn an_attempt_that_is_over_takes_no_later_one_away() {
        let connecting = Connecting::default();
        let shown = connecting.shown();
        let (done, over) = oneshot::channel::<()>();
        let earlier = Shown { of: &connecting, server: SERVER, since: Timestamp(1) };
        let (mut later, mut seen) = (Box::pin(connecting.show(SERVER, over)), shown.clone());
        tokio::select! {
            _ = &mut later => panic!("it is under way"),
            found = seen.wait_for(|shown| shown.contains_key(&SERVER)) => drop(found),
        }
        drop(earlier);
        assert!(shown.borrow().contains_key(&SERVER), "the later one is under way still");
        done.send(()).expect("it is waited for");
        later.await.expect("it is over");
        assert!(shown.borrow().is_empty());
    }
}
