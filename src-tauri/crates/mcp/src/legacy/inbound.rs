//! All that a server sends of its own accord within one session: one ordered, bounded stream of events, and what is open
//! of its requests.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use futures_util::future::{BoxFuture, FutureExt as _};
use signalbox_model::Json;

use super::{
    event::{Channel, PushStream, ServerAsk, ServerNews, ServerNotification, ServerRequest, SessionEvent},
    reading,
};
use crate::{
    endpoint::{Declared, Options},
    error::Error,
    flight::Permit,
    pace::Pace,
    queue::{self, Bounds, Drain, Feed, Next},
    rpc::{self, INTERNAL_ERROR, INVALID_REQUEST, Unasked},
    sink::Sink,
};

/// Requests that are taken as fast as they come.
const BURST: u32 = 1_024;
/// From then on one is taken in this time.
const EVERY: Duration = Duration::from_millis(2);
/// Ids of requests that are longer than this are nobody's honest counter or UUID.
const LONGEST_ID: usize = 512;

/// What the server sends within one session, in the order of arrival on each of its channels. Read it always: what
/// nobody reads slows the server down and is dropped in the end, and its requests are refused.
pub struct SessionEvents(Drain<Event>);

/// An event, and its room in memory.
type Event = (SessionEvent, Option<Permit>);

impl SessionEvents {
    /// The next event; none after [`SessionEvent::Ended`]. Dropping the future loses nothing.
    pub async fn next(&mut self) -> Option<SessionEvent> {
        Some(match self.0.next().await? {
            Next::Entry((event, permit)) => {
                Permit::hand_over(permit);
                event
            }
            Next::Missed(count) => SessionEvent::Missed(count),
        })
    }
}

/// The side on which the server's messages come in.
pub(crate) struct Inbound {
    feed: Feed<Event>,
    declared: Declared,
    /// How fast the server may send requests: each costs an answer, even one that is refused at once.
    pace: Pace,
    /// Requests that can be open at the same time.
    most: usize,
    open: Mutex<HashMap<String, Open>>,
}

/// A request that waits for our answer.
#[derive(Clone)]
pub(super) struct Open {
    /// The task that the answer must name.
    pub(super) names_task: Option<String>,
}

impl Inbound {
    pub(crate) fn new(options: &Options) -> (Arc<Self>, SessionEvents) {
        let bounds = Bounds {
            entries: options.event_limit,
            bytes: options.message_limit,
            patience: options.event_patience,
        };
        let (feed, drain) = queue::bounded(bounds);
        let (declared, most) = (options.declared, options.event_limit);
        let inbound = Self { feed, declared, pace: Pace::new(EVERY * BURST), most, open: Mutex::default() };
        (Arc::new(inbound), SessionEvents(drain))
    }

    /// Takes one message. What comes back is to be sent to the server.
    pub(crate) async fn take(&self, message: Unasked, channel: Channel) -> Option<Vec<u8>> {
        match message.id.clone() {
            Some(id) => {
                self.pace.charge(EVERY);
                self.pace.ready().await;
                self.asked(id, message, channel).await
            }
            None => {
                self.told(message, channel).await;
                None
            }
        }
    }

    /// The GET stream changed.
    pub(crate) async fn push(&self, push: PushStream) {
        self.feed.put((SessionEvent::Push(push), None), 0).await;
    }

    /// The session is over.
    pub(crate) fn end(&self, error: &Error) {
        self.open().clear();
        self.feed.finish((SessionEvent::Ended(error.clone()), None));
    }

    /// Takes a request out of those that are open, so that it is answered once.
    pub(super) fn close(&self, id: &str) -> Option<Open> {
        self.open().remove(id)
    }

    /// Puts a request back whose answer certainly did not leave.
    pub(super) fn reopen(&self, id: &str, open: Open) {
        self.open().entry(id.to_owned()).or_insert(open);
    }

    /// A request of a former run within the same session is open again.
    pub(super) fn remember(&self, raw: &Json) -> Option<String> {
        let Ok(rpc::Message::Unasked(message)) = rpc::Message::read(raw.text().as_bytes()) else {
            return None;
        };
        let (id, ask) = (message.id.clone()?, reading::ask(&message, self.declared).ok()?);
        self.open().insert(id.clone(), Open::of(&ask, &message.raw));
        Some(id)
    }

    async fn asked(&self, id: String, message: Unasked, channel: Channel) -> Option<Vec<u8>> {
        if message.method == "ping" {
            return Some(rpc::response(&id, &Json::of(&serde_json::json!({}))));
        }
        if !id.starts_with(['"', '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9'])
            || id.len() > LONGEST_ID
        {
            return Some(rpc::refusal("null", INVALID_REQUEST, "The id must be a short string or a number"));
        }
        let ask = match reading::ask(&message, self.declared) {
            Ok(ask) => ask,
            Err(refused) => {
                tracing::debug!(message.method, refused.code, "refused a request of the server");
                let news = ServerNews::Refused { method: message.method };
                self.tell(news, (message.raw, message.permit), channel).await;
                return Some(rpc::refusal(&id, refused.code, refused.message));
            }
        };
        let of_question = matches!(ask, ServerAsk::Elicitation(_) | ServerAsk::Sampling);
        let as_task = reading::task_wish(&message.raw).filter(|_| of_question && self.declared.host_tasks);
        {
            let mut open = self.open();
            if open.len() >= self.most && !open.contains_key(&id) {
                return Some(rpc::refusal(&id, INTERNAL_ERROR, "Too many requests wait for an answer"));
            }
            // Open before anybody hears of it, so that no answer can come too early.
            open.insert(id.clone(), Open::of(&ask, &message.raw));
        }
        let bytes = message.raw.text().len();
        let related_task = reading::related_task(&message.raw);
        let request = ServerRequest { id: id.clone(), ask, related_task, as_task, channel, raw: message.raw };
        if self.feed.put((SessionEvent::Request(Box::new(request)), message.permit), bytes).await {
            return None;
        }
        self.close(&id);
        Some(rpc::refusal(&id, INTERNAL_ERROR, "Too many messages at once"))
    }

    async fn told(&self, message: Unasked, channel: Channel) {
        let news = if message.method == "notifications/cancelled" {
            match reading::cancellation(&message.raw) {
                Some((id, reason)) if self.close(&id).is_some() => ServerNews::Cancelled { id, reason },
                _ => return tracing::debug!("a cancellation of what is not open"),
            }
        } else {
            reading::news(&message)
        };
        self.tell(news, (message.raw, message.permit), channel).await;
    }

    async fn tell(&self, news: ServerNews, (raw, permit): (Json, Option<Permit>), channel: Channel) {
        let (bytes, related_task) = (raw.text().len(), reading::related_task(&raw));
        let notification = ServerNotification { news, related_task, channel, raw };
        self.feed.put((SessionEvent::Notification(Box::new(notification)), permit), bytes).await;
    }

    fn open(&self) -> MutexGuard<'_, HashMap<String, Open>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Open {
    /// The answer to `tasks/result` names our task; other answers about our tasks name none.
    fn of(ask: &ServerAsk, raw: &Json) -> Self {
        let names_task = match ask {
            ServerAsk::TaskResult { task_id } => Some(task_id.clone()),
            ServerAsk::GetTask { .. } | ServerAsk::ListTasks { .. } | ServerAsk::CancelTask { .. } => None,
            ServerAsk::Elicitation(_) | ServerAsk::Sampling | ServerAsk::Roots => reading::related_task(raw),
        };
        Self { names_task }
    }
}

impl Sink for Inbound {
    fn take(&self, message: Unasked) -> BoxFuture<'_, Option<Vec<u8>>> {
        self.take(message, Channel::Shared).boxed()
    }

    fn end(&self, error: &Error) {
        self.end(error);
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::Instant;

    use super::*;
    use crate::rpc::Message;

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
            tokio::time::advance(EVERY * BURST).await;
        }
        drop(events);
    }
}
