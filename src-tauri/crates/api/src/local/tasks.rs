//! Commands about calls and tasks.

use std::time::Duration;

use signalbox_engine::{Granted, Intent, Refusal};
use signalbox_model::{CallId, Health, Json, Origin, Outcome};
use tokio::sync::watch;

use super::Local;
use crate::{ApiError, Code, Detail, Reply, Retry, error::commit_code};

/// How long a command waits for one look at a task.
const LOOK: Duration = Duration::from_secs(10);
/// How long a command waits for a server's acknowledgement.
pub(super) const ACKNOWLEDGEMENT: Duration = Duration::from_secs(30);
/// What a wish to cancel is called.
const WISH: &str = "The wish to cancel";

impl Local {
    pub(super) async fn start(
        &self,
        named: &str,
        tool: String,
        arguments: Json,
        ttl_ms: Option<u32>,
    ) -> Result<Reply, ApiError> {
        if !arguments.text().trim_start().starts_with('{') {
            return Err(ApiError::new(Code::InvalidContent, "The arguments must be one JSON object"));
        }
        let server = self.server(named).await?;
        self.check_call(&server, &tool, &arguments).await?;
        self.started(Intent::Start { server: server.id, tool, arguments, ttl_ms }).await
    }

    /// Adopts a handle, and says at once when the server does not know it: nothing is kept of it then.
    pub(super) async fn track(&self, named: &str, task_id: String) -> Result<Reply, ApiError> {
        let task_id = task_id.trim().to_owned();
        if task_id.is_empty() {
            return Err(ApiError::new(Code::Usage, "The task id is empty"));
        }
        let server = self.server(named).await?.id;
        let reply = self.started(Intent::Track { server, task_id }).await?;
        let Reply::Started { call } = reply else { return Ok(reply) };
        if let Err(error) = self.look_once(call).await
            && error.code == Code::OwnerGone
        {
            return Err(error);
        }
        let Some((tracked, _)) = self.read(move |reads| reads.call(call)).await? else { return Ok(reply) };
        if tracked.origin == Origin::Adopted
            && matches!(tracked.outcome, Some(Outcome::Lost | Outcome::Expired))
        {
            self.intent(Intent::Forget { call, server }).await?;
            let message = "The server does not know this task, or it has expired. Nothing was kept";
            return Err(ApiError::new(Code::UnknownItem, message));
        }
        Ok(reply)
    }

    async fn started(&self, intent: Intent) -> Result<Reply, ApiError> {
        match self.engine.intent(intent).await {
            Ok(Granted::Call(call)) | Err(Refusal::Followed(call)) => Ok(Reply::Started { call }),
            Ok(_) => Err(ApiError::new(Code::Internal, "Starting gave no call")),
            Err(refusal) => Err(refusal.into()),
        }
    }

    pub(super) async fn refresh(&self, call: CallId) -> Result<Reply, ApiError> {
        if self.read(move |reads| reads.call(call)).await?.is_none() {
            return Err(unknown(call));
        }
        self.look_once(call).await?;
        Ok(Reply::Done)
    }

    /// One look as soon as manners allow, or none within the bound. An error while nothing that it brings can be kept.
    pub(super) async fn look_once(&self, call: CallId) -> Result<(), ApiError> {
        let seq = self.engine.seq();
        let look = async {
            match self.engine.intent(Intent::Refresh(call)).await {
                Ok(_) => Ok(()),
                Err(Refusal::Closed) => self.until_ended(call, seq).await,
                Err(refusal) => Err(refusal.into()),
            }
        };
        // No look in time is no error: what is kept is shown as it is.
        tokio::time::timeout(LOOK, look).await.unwrap_or(Ok(()))
    }

    /// A refusal waits for no commit: the end that it tells of may not be there to read yet.
    async fn until_ended(&self, call: CallId, mut seq: watch::Receiver<u64>) -> Result<(), ApiError> {
        loop {
            seq.borrow_and_update();
            let found = self.read(move |reads| reads.call(call)).await?;
            if found.is_none_or(|(call, _)| call.ended()) {
                return Ok(());
            }
            self.engine.committed(&mut seq).await?;
        }
    }

    pub(super) async fn cancel(&self, call: CallId) -> Result<Reply, ApiError> {
        let Some((before, _)) = self.read(move |reads| reads.call(call)).await? else {
            return Err(unknown(call));
        };
        if before.ended() {
            return Err(ApiError::new(Code::AlreadyClosed, format!("{call} has ended already")));
        }
        let seq = self.engine.seq();
        self.intent(Intent::Cancel(call)).await?;
        self.acknowledged(call, seq).await
    }

    /// Waits until the server has acknowledged a wish to cancel, or it is clear that it does not for now.
    pub(super) async fn acknowledged(
        &self,
        call: CallId,
        seq: watch::Receiver<u64>,
    ) -> Result<Reply, ApiError> {
        match tokio::time::timeout(ACKNOWLEDGEMENT, self.until_cancelled(call, seq)).await {
            Ok(cancelled) => cancelled,
            Err(_) => match self.read(move |reads| reads.call(call)).await? {
                Some((call, _)) if call.task.is_none() => {
                    let message = "The server has not answered the call yet, so there is nothing to cancel there. The \
                                   wish is kept; cancel again to stop waiting for the answer";
                    Err(ApiError::new(Code::TimedOut, message))
                }
                _ => Err(queued(WISH)),
            },
        }
    }

    async fn until_cancelled(&self, call: CallId, mut seq: watch::Receiver<u64>) -> Result<Reply, ApiError> {
        loop {
            seq.borrow_and_update();
            let Some((now, _)) = self.read(move |reads| reads.call(call)).await? else {
                return Ok(Reply::Done);
            };
            match &now.cancel {
                _ if now.ended() => return Ok(Reply::Done),
                None => {
                    let why = now.note.map(|note| note.message).unwrap_or_default();
                    return Err(ApiError::new(
                        Code::ServerError,
                        format!("The server refused to cancel. {why}"),
                    ));
                }
                Some(cancel) if cancel.acknowledged_at.is_some() => return Ok(Reply::Done),
                Some(_) => self.still_reachable(now.server, WISH).await?,
            }
            self.acknowledgement(&mut seq, WISH).await?;
        }
    }

    /// Waits for the next commit, which may hold the acknowledgement of something queued.
    pub(super) async fn acknowledgement(
        &self,
        seq: &mut watch::Receiver<u64>,
        what: &str,
    ) -> Result<(), ApiError> {
        self.engine.committed(seq).await.map_err(|refusal| match refusal {
            Refusal::Storage(error) => ApiError {
                retry: Retry::Queued,
                ..ApiError::new(
                    commit_code(&error),
                    format!(
                        "{what} is kept and goes its way: do not repeat it. What the server says to it cannot be kept now: \
                         {error}"
                    ),
                )
            },
            refusal => refusal.into(),
        })
    }

    /// An error when the server of something queued cannot be reached now.
    pub(super) async fn still_reachable(
        &self,
        server: signalbox_model::ServerId,
        what: &str,
    ) -> Result<(), ApiError> {
        let servers = self.read(signalbox_store::Reads::servers).await?;
        let health = servers.into_iter().find(|(known, _)| known.id == server).map(|(known, _)| known.health);
        match health {
            Some(Health::Unreachable { message, .. } | Health::Unusable { message, .. }) => {
                let mut error = queued(what);
                error.message = format!("{message}. {}", error.message);
                Err(error)
            }
            Some(Health::SignInNeeded { .. }) => {
                let message = format!("The server wants a sign-in. {what} is kept and sent afterwards");
                Err(ApiError { retry: Retry::Queued, ..ApiError::new(Code::SignInNeeded, message) })
            }
            Some(Health::Ok { .. } | Health::Unknown { .. }) | None => Ok(()),
        }
    }

    pub(super) async fn forget(&self, call: CallId) -> Result<Reply, ApiError> {
        let Some((row, _)) = self.read(move |reads| reads.call(call)).await? else {
            return Err(unknown(call));
        };
        self.done(Intent::Forget { call, server: row.server }).await
    }
}

/// It is kept, and delivered once the server can be reached.
pub(super) fn queued(what: &str) -> ApiError {
    let message =
        format!("{what} is kept and delivered as soon as the server can be reached: do not repeat it");
    ApiError { retry: Retry::Queued, ..ApiError::new(Code::Unreachable, message) }
}

fn unknown(call: CallId) -> ApiError {
    ApiError::new(Code::UnknownItem, format!("There is no task {call}. `signalbox tasks` shows them"))
        .with(Detail::Tasks(vec![call]))
}
