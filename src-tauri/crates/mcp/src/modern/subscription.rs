//! `subscriptions/listen`: tasks that the server pushes.

use std::{collections::HashSet, fmt};

use signalbox_model::{Breach, Json};
use tokio::time::timeout;

use crate::{
    client::{Client, Transport},
    error::Error,
    flight::Permit,
    http::{Events, answer},
    queue::{self, Bounds, Drain, Next},
    rpc::{Message, Unasked, own_answer},
    stdio::{Asked, GivenUp},
    view::{Fields, elements, text},
};

/// What a subscription tells of.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct SubscriptionFilter {
    /// Changes of these tasks (sensitive).
    pub task_ids: Vec<String>,
    /// Changes of the list of tools.
    pub tools_list_changed: bool,
}

impl fmt::Debug for SubscriptionFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SubscriptionFilter({} tasks, tools: {})", self.task_ids.len(), self.tools_list_changed)
    }
}

/// One subscription, acknowledged. Dropping it ends it at the server. For other tasks open the new one before this one
/// is dropped. It does not outlive its connection: after [`Pushed::Cut`] the caller opens another.
pub struct Subscription {
    id: u64,
    granted: SubscriptionFilter,
    /// None once it has ended.
    stream: Option<Stream>,
}

enum Stream {
    /// A response of its own, which is not read faster than asked for.
    Http(Box<Events>),
    /// A part of what a child sends.
    Stdio { news: Drain<Unasked>, asked: Asked },
}

/// One thing that came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pushed {
    /// A task, whole: `notifications/tasks`.
    Task {
        /// Its id (sensitive): one that was granted.
        task_id: String,
        /// The `params` as received: read it with [`crate::TaskView::read`]. What `tasks/get` gives differs in `_meta`.
        raw: Json,
    },
    /// The server's tools have changed: `notifications/tools/list_changed`.
    ToolsListChanged,
    /// So many notifications were dropped here, since nobody read them: look at the tasks.
    Missed(u64),
    /// The server ended it in order: no push here until it is tried again much later. Nothing follows.
    Ended,
    /// The connection was cut, or the server ended it with an error. Nothing follows.
    Cut(Error),
}

/// A message of the stream.
enum Came {
    News(Unasked),
    Missed(u64),
    End(Result<Json, Error>),
}

impl Client {
    /// Opens a subscription, and waits for the acknowledgement. What of the wish is granted says
    /// [`Subscription::granted`]: it may be nothing, and then nothing comes.
    ///
    /// # Errors
    /// Any but [`Error::LegacyOnly`]. -32601 says that the server has no such thing.
    pub async fn listen(&self, wanted: &SubscriptionFilter) -> Result<Subscription, Error> {
        self.usable()?;
        let mut filter = serde_json::Map::new();
        if !wanted.task_ids.is_empty() {
            filter.insert("taskIds".into(), wanted.task_ids.clone().into());
        }
        if wanted.tools_list_changed {
            filter.insert("toolsListChanged".into(), true.into());
        }
        let filter = Json::of(&filter);
        let request =
            self.request("subscriptions/listen", None, |params| params.json("notifications", &filter));
        let (id, limit) = (request.id, self.options().request_timeout);
        let acknowledged = async {
            let stream = match self.transport() {
                Transport::Http(http) => {
                    let response = http.open(request).await?;
                    answer::refused(&response)?;
                    if !Events::are_in(&response) {
                        return Err(not_a_stream(
                            answer::read(response, id, http.taking(http.limit())).await,
                        ));
                    }
                    Stream::Http(Box::new(Events::new(response, http.taking(http.limit()))))
                }
                Transport::Stdio(stdio) => {
                    let (feed, news) = queue::bounded(Bounds {
                        entries: self.options().event_limit,
                        bytes: self.options().message_limit,
                        patience: self.options().event_patience,
                    });
                    let line = stdio.lasting_line().await?;
                    let asked = line.ask(id, request.body, GivenUp::Told, Some(feed)).await?;
                    Stream::Stdio { news, asked }
                }
            };
            let mut subscription =
                Subscription { id, granted: SubscriptionFilter::default(), stream: Some(stream) };
            subscription.acknowledge(wanted).await?;
            Ok(subscription)
        };
        timeout(limit, acknowledged).await.unwrap_or_else(|_| Err(Error::timeout(limit)))
    }
}

/// An answer at once, instead of a stream.
fn not_a_stream(answer: Result<Json, Error>) -> Error {
    match answer {
        Ok(result) => Error::protocol(Breach::SubscriptionEnded, Some(result)),
        Err(error) => error,
    }
}

impl Subscription {
    /// What the server agreed to, of what was wanted.
    #[must_use]
    pub fn granted(&self) -> &SubscriptionFilter {
        &self.granted
    }

    /// What comes next; none after its end. Dropping the future loses nothing.
    pub async fn next(&mut self) -> Option<Pushed> {
        loop {
            let pushed = match self.came().await? {
                Came::News(message) => match self.read(&message) {
                    Some(pushed) => {
                        Permit::hand_over(message.permit);
                        pushed
                    }
                    None => continue,
                },
                Came::Missed(count) => Pushed::Missed(count),
                Came::End(Ok(_)) => Pushed::Ended,
                Came::End(Err(error)) => Pushed::Cut(error),
            };
            if matches!(pushed, Pushed::Ended | Pushed::Cut(_)) {
                self.stream = None;
            }
            return Some(pushed);
        }
    }

    /// Waits for the acknowledgement. An end in order before it grants nothing.
    async fn acknowledge(&mut self, wanted: &SubscriptionFilter) -> Result<(), Error> {
        loop {
            match self.came().await {
                Some(Came::News(message)) if message.method == "notifications/subscriptions/acknowledged" => {
                    let params = Fields::lenient(message.raw.raw()).object("params");
                    let granted = params.object("notifications");
                    let ids = granted.some("taskIds").and_then(elements).unwrap_or_default();
                    let ids: HashSet<String> = ids.into_iter().filter_map(text).collect();
                    let tools = granted.some("toolsListChanged").is_some_and(|raw| raw.get() == "true");
                    self.granted = SubscriptionFilter {
                        // A server cannot grant what was not asked for.
                        task_ids: wanted.task_ids.iter().filter(|id| ids.contains(*id)).cloned().collect(),
                        tools_list_changed: wanted.tools_list_changed && tools,
                    };
                    return Ok(());
                }
                // Nothing may come before it.
                Some(Came::News(_) | Came::Missed(_)) => {}
                Some(Came::End(Ok(_))) | None => {
                    return Err(Error::protocol(Breach::SubscriptionEnded, None));
                }
                Some(Came::End(Err(error))) => return Err(error),
            }
        }
    }

    /// What a message pushes, if it is one that we wait for.
    fn read(&self, message: &Unasked) -> Option<Pushed> {
        if message.id.is_some() {
            tracing::debug!(message.method, "a request on a subscription");
            return None;
        }
        match message.method.as_str() {
            "notifications/tasks" => {
                let raw = Fields::lenient(message.raw.raw()).json("params")?;
                let task_id = Fields::lenient(raw.raw()).text("taskId")?;
                self.granted.task_ids.contains(&task_id).then_some(Pushed::Task { task_id, raw })
            }
            "notifications/tools/list_changed" if self.granted.tools_list_changed => {
                Some(Pushed::ToolsListChanged)
            }
            _ => None,
        }
    }

    async fn came(&mut self) -> Option<Came> {
        let id = self.id;
        match self.stream.as_mut()? {
            Stream::Stdio { news, asked } => Some(tokio::select! {
                // What came before the answer is read before it.
                biased;
                Some(next) = news.next() => match next {
                    Next::Entry(message) => Came::News(message),
                    Next::Missed(count) => Came::Missed(count),
                },
                answer = asked.answer() => Came::End(answer),
            }),
            Stream::Http(events) => loop {
                let event = match events.next().await {
                    Ok(Some(event)) => event,
                    Ok(None) => return Some(Came::End(Err(answer::no_answer(false)))),
                    Err(error) => return Some(Came::End(Err(error))),
                };
                let (permit, flight) = (event.message.permit(), event.message.flight());
                match event.message.turn().await.read(Message::read) {
                    // On a stream of its own a message may leave out whose it is.
                    Ok(Message::Unasked(message))
                        if message.subscription().is_none_or(|other| other == id) =>
                    {
                        flight.unasked(message.raw.text().len());
                        return Some(Came::News(Unasked { permit: Some(permit), ..message }));
                    }
                    Ok(message) => {
                        if let Some(own) = own_answer(message, id) {
                            return Some(Came::End(own.outcome));
                        }
                    }
                    Err(_) => tracing::debug!("an illegible event on a subscription"),
                }
            },
        }
    }
}
