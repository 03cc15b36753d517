//! The people of a round: they use the owner's desk through its socket, and remember what they were told.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::json;
use signalbox_api::{
    ApiError, Code, Command, Desk as _, Home, InboxTab, ListQuery, NewTransport, Remote, Reply, RequestRow,
    Retry, TaskRow, View, ViewData, command,
};
use signalbox_model::{Action, CallId, Json, RequestId, RequestState, Timestamp, Word};
use tokio::task::JoinSet;

use crate::counts::Counts;
use crate::elsewhere;
use crate::evidence::{Said, What, Wish};
use crate::form::{content, form};
use crate::guest::{self, Guests};
use crate::moment::sleep;
use crate::plan::{How, Rival, Wanted, Wire};
use crate::proxy::Account;

/// The names of what people do, for the count.
pub(crate) const ACTS: [&str; 11] = [
    "calls",
    "several at once",
    "accepted",
    "declined",
    "dismissed",
    "held back for an undo",
    "undone",
    "cancels",
    "looks",
    "adopted",
    "forgotten",
];

/// The pause before another try to find an owner: nobody is told when one has begun.
const PAUSE: Duration = Duration::from_millis(20);

/// What people remember.
#[derive(Debug, Clone, Default)]
pub(crate) struct Memory {
    pub(crate) wishes: Vec<Wish>,
    pub(crate) shown: Vec<(usize, u32)>,
    /// Questions that somebody read, and the calls they are of.
    pub(crate) asked: Vec<(u32, u32)>,
    /// What was put into the arguments of tasks that somebody else made.
    pub(crate) elsewhere: Vec<String>,
}

pub(crate) struct Persons {
    home: Home,
    pub(crate) guests: Guests,
    account: Account,
    remote: tokio::sync::Mutex<Option<Arc<Remote>>>,
    memory: Mutex<Memory>,
    acts: Counts,
    count: AtomicUsize,
    servers: Vec<String>,
    /// Where others reach the servers over HTTP.
    others: [(SocketAddr, Wire); 2],
}

impl Persons {
    pub(crate) fn new(
        home: Home,
        guests: Guests,
        account: Account,
        acts: Counts,
        servers: Vec<String>,
        others: [(SocketAddr, Wire); 2],
    ) -> Self {
        let (remote, memory, count) =
            (tokio::sync::Mutex::default(), Mutex::default(), AtomicUsize::default());
        Self { home, guests, account, remote, memory, acts, count, servers, others }
    }

    pub(crate) fn memory(&self) -> Memory {
        self.remembered().clone()
    }

    fn remembered(&self) -> MutexGuard<'_, Memory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The desk of the owner that lives now, however long it takes to begin: the round has a limit of its own.
    async fn desk(&self) -> Arc<Remote> {
        let mut remote = self.remote.lock().await;
        loop {
            if let Some(remote) = &*remote {
                return Arc::clone(remote);
            }
            match Remote::connect(&self.home).await {
                Ok(connected) => *remote = Some(Arc::new(connected)),
                Err(_) => sleep(PAUSE).await,
            }
        }
    }

    async fn left(&self, desk: &Arc<Remote>) {
        let mut remote = self.remote.lock().await;
        if remote.as_ref().is_some_and(|known| Arc::ptr_eq(known, desk)) {
            *remote = None;
        }
        drop(remote);
        sleep(PAUSE).await;
    }

    /// Asks whoever is the owner; again only when it was certainly not begun.
    pub(crate) async fn call(&self, act: impl Into<Command>) -> Result<Reply, ApiError> {
        let command = act.into();
        loop {
            let desk = self.desk().await;
            match desk.call(command.clone()).await {
                Err(error) if error.code == Code::OwnerGone => {
                    self.left(&desk).await;
                    if error.retry == Retry::Never {
                        return Err(error);
                    }
                }
                other => return other,
            }
        }
    }

    async fn look(&self, view: View) -> Result<ViewData, ApiError> {
        loop {
            let desk = self.desk().await;
            match desk.changes(view.clone(), None, Duration::ZERO).await {
                Ok(changes) => {
                    let nothing = || ApiError::new(Code::Internal, "a whole view came without data");
                    return changes.data.ok_or_else(nothing);
                }
                Err(error) if error.code == Code::OwnerGone => self.left(&desk).await,
                Err(error) => return Err(error),
            }
        }
    }

    /// Waits until something may have changed.
    pub(crate) async fn news(&self, wait: Duration) {
        let desk = self.desk().await;
        let cursor = desk.changes(View::Overview, None, Duration::ZERO).await.map(|changes| changes.cursor);
        if let Ok(cursor) = cursor {
            let _ = desk.changes(View::Overview, Some(cursor), wait).await;
        } else {
            self.left(&desk).await;
        }
    }

    pub(crate) async fn add_server(&self, name: &str, transport: NewTransport) -> Result<(), ApiError> {
        self.call(command::AddServer { name: name.to_owned(), transport, untrusted: false }).await.map(drop)
    }

    /// Connects to a server; whatever comes of it shows at the server.
    pub(crate) async fn check(&self, server: String) {
        let _ = self.call(command::CheckServer { server }).await;
    }

    /// The calls that have not ended.
    pub(crate) async fn live(&self) -> Result<Vec<TaskRow>, ApiError> {
        let view = View::Tasks { query: ListQuery::default(), offset: 0, limit: 500 };
        let ViewData::Tasks { page } = self.look(view).await? else { return Ok(Vec::new()) };
        let life = self.account.life();
        let mut memory = self.remembered();
        memory.shown.extend(page.rows.iter().filter(|row| row.has_task).map(|row| (life, row.id.0)));
        Ok(page.rows.into_iter().filter(|row| row.outcome.is_none()).collect())
    }

    /// Questions that wait for a person, or whose answer is on its way.
    pub(crate) async fn inbox(&self) -> Result<Vec<RequestRow>, ApiError> {
        let view = View::Inbox {
            tab: InboxTab::NeedsYou,
            filter: String::new(),
            within: String::new(),
            offset: 0,
            limit: 500,
        };
        let ViewData::Inbox { page } = self.look(view).await? else { return Ok(Vec::new()) };
        Ok(page.rows.into_iter().filter(|row| !row.stranded).collect())
    }

    pub(crate) async fn overview(&self) -> Result<signalbox_api::Overview, ApiError> {
        match self.look(View::Overview).await? {
            ViewData::Overview { change } => change
                .after(None)
                .ok_or_else(|| ApiError::new(Code::Internal, "an overview that is not whole")),
            _ => Err(ApiError::new(Code::Internal, "another view than was asked for")),
        }
    }

    /// Does what is wanted, if there is anything to do it to. What went wrong is remembered, not returned: people carry on.
    pub(crate) async fn act(&self, wanted: Wanted) {
        let _ = match wanted {
            Wanted::Start { server, tool } => {
                self.start(server, tool).await;
                Ok(())
            }
            Wanted::Answer { nth, how, hold_ms } => self.answer_nth(nth, how, hold_ms).await,
            Wanted::Undo { nth } => self.undo_nth(nth).await,
            Wanted::Cancel { nth } => self.cancel_nth(nth).await,
            Wanted::Refresh { nth } => self.refresh_nth(nth).await,
            Wanted::Track { server, tool } => {
                self.track(server, tool).await;
                Ok(())
            }
            Wanted::Forget { nth } => self.forget_nth(nth).await,
            Wanted::Rivals { nth, rivals } => self.rivals(nth, &rivals).await,
        };
    }

    async fn start(&self, server: usize, tool: &str) {
        let nonce = format!("c{}", self.count.fetch_add(1, Ordering::Relaxed));
        let arguments = match tool {
            "deploy" => json!({ "nonce": nonce, "service": "web" }),
            // As told: 400 ms as it runs.
            "slow_plain" => json!({ "nonce": nonce, "ms": 20_000 }),
            // So long that its arguments and its result are kept as files.
            "echo" => json!({ "nonce": nonce, "text": "x".repeat(300_000) }),
            _ => json!({ "nonce": nonce }),
        };
        self.acts.count("calls");
        let start = command::Start {
            server: self.servers[server].clone(),
            tool: tool.to_owned(),
            arguments: Json::of(&arguments),
            ttl_ms: None,
        };
        let reply = self.call(start).await;
        self.remember(What::Start { server, nonce }, reply);
    }

    /// Adopts what somebody else has just started.
    async fn track(&self, server: usize, tool: &str) {
        let nonce = format!("e{}", self.count.fetch_add(1, Ordering::Relaxed));
        self.remembered().elsewhere.push(nonce.clone());
        let Some(task) = elsewhere::make(self.others[server], tool, &nonce).await else { return };
        self.acts.count("adopted");
        self.account.adopts(server, &task);
        let track = command::Track { server: self.servers[server].clone(), task_id: task.clone() };
        let reply = self.call(track).await;
        self.remember(What::Track { task }, reply);
    }

    async fn forget_nth(&self, nth: usize) -> Result<(), ApiError> {
        let rows = self.live().await?;
        let Some(row) = rows.get(nth % rows.len().max(1)) else { return Ok(()) };
        self.acts.count("forgotten");
        let reply = self.call(command::Forget { call: row.id }).await;
        self.remember(What::Forget { call: row.id.0 }, reply);
        Ok(())
    }

    async fn answer_nth(&self, nth: usize, how: How, hold_ms: u32) -> Result<(), ApiError> {
        let rows: Vec<_> = self.inbox().await?.into_iter().filter(answerable).collect();
        let Some(row) = rows.get(nth % rows.len().max(1)) else { return Ok(()) };
        self.answer(row.id, how, hold_ms).await
    }

    pub(crate) async fn answer(&self, id: RequestId, how: How, hold_ms: u32) -> Result<(), ApiError> {
        let ViewData::Request { request: Some(detail) } = self.look(View::Request { request: id }).await?
        else {
            return Ok(());
        };
        if let Some(call) = detail.row.call {
            self.remembered().asked.push((id.0, call.0));
        }
        let n = self.count.fetch_add(1, Ordering::Relaxed);
        let how = match how {
            How::Dismiss if detail.ways.dismiss.is_none() => How::Decline,
            how => how,
        };
        let (action, content) = match how {
            How::Accept => (Action::Accept, content(form(&detail), n)),
            How::Decline => (Action::Decline, None),
            How::Dismiss => (Action::Cancel, None),
        };
        self.acts.count(match how {
            How::Accept => "accepted",
            How::Decline => "declined",
            How::Dismiss => "dismissed",
        });
        if hold_ms > 0 {
            self.acts.count("held back for an undo");
        }
        let mut response = json!({ "action": action.word() });
        if let Some(content) = &content {
            response["content"] = content.clone();
        }
        let content = content.map(|content| Json::of(&content));
        let seen = detail.row.answer.as_ref().map(|answer| answer.decided_at);
        let asks = Some(detail.asks.clone());
        let reply = self
            .call(command::Answer { request: id, action, content, hold_ms, seen, remark: None, asks })
            .await;
        self.remember(What::Answer { request: id.0, response, held: hold_ms > 0 }, reply);
        Ok(())
    }

    /// Several people turn to one question at once, each with a command of their own.
    async fn rivals(&self, nth: usize, rivals: &[Rival]) -> Result<(), ApiError> {
        let rows: Vec<_> = self.inbox().await?.into_iter().filter(answerable).collect();
        let Some(row) = rows.get(nth % rows.len().max(1)) else { return Ok(()) };
        let ViewData::Request { request: Some(detail) } =
            self.look(View::Request { request: row.id }).await?
        else {
            return Ok(());
        };
        if let Some(call) = row.call {
            self.remembered().asked.push((row.id.0, call.0));
        }
        self.acts.count("several at once");
        let mut at_work = JoinSet::new();
        for rival in rivals {
            let (request, call) = (row.id, row.call);
            let (what, args) = match (*rival, call) {
                (Rival::Answer(how), _) => {
                    let n = self.count.fetch_add(1, Ordering::Relaxed);
                    let content = (how == How::Accept).then(|| content(form(&detail), n)).flatten();
                    guest::answer(request, how, content)
                }
                (Rival::Undo, _) => guest::undo(request),
                (Rival::Cancel, Some(call)) => guest::cancel(call),
                (Rival::Forget, Some(call)) => guest::forget(call),
                (Rival::Cancel | Rival::Forget, None) => continue,
            };
            let ended = self.guests.run(&args)?;
            at_work.spawn(async move { (what, ended.await) });
        }
        while let Some(Ok((what, reply))) = at_work.join_next().await {
            self.remember(what, reply);
        }
        Ok(())
    }

    async fn undo_nth(&self, nth: usize) -> Result<(), ApiError> {
        let rows = self.inbox().await?;
        let held: Vec<_> = rows.iter().filter(|row| row.state == RequestState::Held).collect();
        let Some(row) = held.get(nth % held.len().max(1)) else { return Ok(()) };
        self.acts.count("undone");
        let Some(decided_at) = row.answer.as_ref().map(|answer| answer.decided_at) else { return Ok(()) };
        let reply = self.call(command::Undo { request: row.id, decided_at }).await;
        self.remember(What::Undo { request: row.id.0 }, reply);
        Ok(())
    }

    async fn cancel_nth(&self, nth: usize) -> Result<(), ApiError> {
        let rows = self.live().await?;
        let Some(row) = rows.get(nth % rows.len().max(1)) else { return Ok(()) };
        self.cancel(row.id, row.cancel.as_ref().map(|wish| wish.requested_at)).await;
        Ok(())
    }

    /// `seen`: when the wish was made that the person saw.
    pub(crate) async fn cancel(&self, call: CallId, seen: Option<Timestamp>) {
        self.acts.count("cancels");
        let reply = self.call(command::Cancel { call, seen }).await;
        self.remember(What::Cancel { call: call.0 }, reply);
    }

    /// Whether somebody was promised that this call is cancelled.
    pub(crate) fn promised_cancel(&self, id: CallId) -> bool {
        self.remembered()
            .wishes
            .iter()
            .any(|wish| wish.what == What::Cancel { call: id.0 } && wish.said.promised())
    }

    async fn refresh_nth(&self, nth: usize) -> Result<(), ApiError> {
        let rows = self.live().await?;
        let Some(row) = rows.get(nth % rows.len().max(1)) else { return Ok(()) };
        self.acts.count("looks");
        self.call(command::Refresh { call: row.id }).await.map(drop)
    }

    fn remember(&self, what: What, reply: Result<Reply, ApiError>) {
        let said = match reply {
            Ok(Reply::Started { call }) => Said::Done(Some(call.0)),
            Ok(_) => Said::Done(None),
            Err(error) if error.retry == Retry::Queued => Said::Queued,
            Err(error) => match error.code {
                Code::OwnerGone | Code::TimedOut | Code::Lost => Said::Unsure,
                Code::AnsweredMeanwhile => Said::Meanwhile(error.message),
                Code::StorageFull | Code::StorageDamaged | Code::StorageDenied => Said::NoRoom,
                code => Said::Refused(format!("{}: {}", code.as_str(), error.message)),
            },
        };
        let wish = Wish { what, said, life: self.account.life() };
        self.remembered().wishes.push(wish);
    }
}

pub(crate) fn answerable(row: &RequestRow) -> bool {
    let waits = matches!(
        row.state,
        RequestState::Open | RequestState::NotTaken | RequestState::Refused | RequestState::Unknown
    );
    waits && !row.stranded
}
