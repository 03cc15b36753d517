//! How fast a server's requests are taken. Each costs an answer, also where it is refused at once, so that a server that
//! asks without end would have all that we can do. It is slowed down instead: its channel is read no faster.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use tokio::time::{Instant, sleep_until};

/// Requests that are taken as fast as they come.
const BURST: u32 = 1_024;
/// From then on one is taken in this time.
const EVERY: Duration = Duration::from_millis(2);

/// The pace of one session.
pub(super) struct Pace {
    /// When all that were taken would have been taken without a burst.
    paid: Mutex<Instant>,
}

impl Pace {
    pub(super) fn new() -> Self {
        Self { paid: Mutex::new(Instant::now()) }
    }

    /// Returns when a request that has come may be taken.
    pub(super) async fn turn(&self) {
        let now = Instant::now();
        let paid = {
            let mut paid = self.paid.lock().unwrap_or_else(PoisonError::into_inner);
            *paid = (*paid).max(now) + EVERY;
            *paid
        };
        let ahead = paid - now;
        if ahead > BURST * EVERY {
            sleep_until(paid - BURST * EVERY).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Options,
        legacy::{event::Channel, inbound::Inbound},
        rpc::{Message, Unasked},
    };

    fn asked(id: u32, method: &str) -> Unasked {
        let message = format!(r#"{{"id":{id},"method":"{method}"}}"#);
        match Message::read(message.as_bytes()).unwrap() {
            Message::Unasked(message) => message,
            Message::Answer { .. } => panic!("no answer"),
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_flood_of_questions_is_answered_at_our_pace() {
        let (inbound, events) = Inbound::new(&Options { event_limit: 8, ..Options::default() });
        // Nobody reads: most are refused for want of room.
        for method in ["ping", "elicitation/create", "no/such"] {
            let begun = Instant::now();
            for id in 0..BURST {
                let _ = inbound.take(asked(id, method), Channel::Shared).await;
            }
            let rest = Options::default().event_patience * 2;
            assert!(begun.elapsed() <= rest, "{method}: a burst is taken as it comes: {:?}", begun.elapsed());
            let flooded = Instant::now();
            for id in 0..500 {
                let _ = inbound.take(asked(id, method), Channel::Shared).await;
            }
            let took = flooded.elapsed();
            assert!(took >= EVERY * 480, "{method}: 500 more take a second, not {took:?}");
            tokio::time::sleep(EVERY * BURST).await;
        }
        drop(events);
    }
}
