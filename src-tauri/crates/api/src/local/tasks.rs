//! Commands about calls and tasks.

use std::time::Duration;

use signalbox_engine::{Fate, Granted, Intent, Refusal};
use signalbox_model::{Call, CallId, Health, Json, Origin, Outcome};
use signalbox_store::CommitError;

use super::Local;
use crate::{
    ApiError, Code, Detail, Retry,
    command::{Cancel, CarryOut, Find, Forget, Payload, Refresh, Start, Track},
    error::commit_code,
    words,
};

/// How long a command waits for one poll of a task.
const POLL: Duration = Duration::from_secs(10);
/// The longest arguments of a call, in bytes: the log of decisions keeps them for ever.
const LONGEST_ARGUMENTS: usize = 16 * 1024 * 1024;
/// What a wish to cancel is called.
const WISH: &str = "The wish to cancel";

impl CarryOut<Start> for Local {
    async fn carry_out(&self, Start { server, tool, arguments, ttl_ms }: Start) -> Result<CallId, ApiError> {
        if !arguments.text().trim_start().starts_with('{') {
            return Err(ApiError::new(Code::InvalidContent, "The arguments must be one JSON object"));
        }
        if arguments.text().len() > LONGEST_ARGUMENTS {
            let message = "The arguments are longer than 16 MiB: nothing was sent. Put what is long where the server can \
                           fetch it, and name that place";
            return Err(ApiError::new(Code::InvalidContent, message));
        }
        let server = self.server(&server).await?;
        self.check_call(&server, &tool, &arguments).await?;
        self.started(Intent::Start { server: server.id, tool, arguments, ttl_ms }).await
    }
}

impl CarryOut<Track> for Local {
    /// Adopts a handle, and says at once when the server does not know it: nothing is kept of it then.
    async fn carry_out(&self, Track { server, task_id }: Track) -> Result<CallId, ApiError> {
        let task_id = task_id.trim().to_owned();
        if task_id.is_empty() {
            return Err(ApiError::new(Code::Usage, "The task id is empty"));
        }
        let server = self.server(&server).await?.id;
        let call = self.started(Intent::Track { server, task_id }).await?;
        if let Err(error) = self.poll_once(call).await
            && error.code == Code::OwnerGone
        {
            return Err(error);
        }
        let Some((tracked, _)) = self.read(move |reads| reads.call(call)).await? else { return Ok(call) };
        if tracked.origin == Origin::Adopted
            && matches!(tracked.outcome, Some(Outcome::Lost | Outcome::Expired))
        {
            self.intent(Intent::Forget { call, server }).await?;
            let message = "The server does not know this task, or it has expired. Nothing was kept";
            return Err(ApiError::new(Code::UnknownItem, message));
        }
        Ok(call)
    }
}

impl CarryOut<Refresh> for Local {
    async fn carry_out(&self, Refresh { call }: Refresh) -> Result<(), ApiError> {
        if self.read(move |reads| reads.call(call)).await?.is_none() {
            return Err(unknown(call));
        }
        self.poll_once(call).await
    }
}

impl CarryOut<Cancel> for Local {
    async fn carry_out(&self, Cancel { call, seen }: Cancel) -> Result<(), ApiError> {
        let row = async || self.read(move |reads| reads.call(call)).await?.ok_or_else(|| unknown(call));
        let (before, _) = row().await?;
        if before.ended() {
            return Err(ended(&before));
        }
        match self.engine.intent(Intent::Cancel { call, seen }).await {
            Ok(_) => self.acknowledged(call).await,
            // What is over is not in its memory any more.
            Err(Refusal::Closed | Refusal::UnknownCall) => Err(ended(&row().await?.0)),
            Err(Refusal::CancelledMeanwhile) => Err(cancelled_meanwhile(&row().await?.0)),
            Err(refusal) => Err(refusal.into()),
        }
    }
}

impl CarryOut<Forget> for Local {
    async fn carry_out(&self, Forget { call }: Forget) -> Result<(), ApiError> {
        let Some((row, _)) = self.read(move |reads| reads.call(call)).await? else {
            return Err(unknown(call));
        };
        self.intent(Intent::Forget { call, server: row.server }).await.map(drop)
    }
}

impl Local {
    async fn started(&self, intent: Intent) -> Result<CallId, ApiError> {
        match self.engine.intent(intent).await {
            Ok(Granted::Call(call)) | Err(Refusal::Followed(call)) => Ok(call),
            Ok(_) => Err(ApiError::new(Code::Internal, "Starting gave no call")),
            Err(refusal) => Err(refusal.into()),
        }
    }

    /// One poll as soon as manners allow, or none within the bound. An error while nothing that it brings can be kept.
    pub(super) async fn poll_once(&self, call: CallId) -> Result<(), ApiError> {
        match tokio::time::timeout(POLL, self.engine.intent(Intent::Refresh(call))).await {
            Ok(Err(refusal)) => Err(refusal.into()),
            // No poll in time is no error: what is kept is shown as it is.
            Ok(Ok(_)) | Err(_) => Ok(()),
        }
    }

    /// What became of a wish to cancel that is on its way.
    pub(super) async fn acknowledged(&self, id: CallId) -> Result<(), ApiError> {
        let trouble = match self.engine.intent(Intent::AwaitCancel(id)).await {
            Ok(Granted::Wish { call, fate: Fate::Known | Fate::Kept | Fate::Out }) => return wished(*call),
            Ok(Granted::Wish { call, fate: Fate::Forgotten }) => {
                return Err(forgotten(&id.to_string(), WISH, call.task.is_none()));
            }
            Ok(Granted::Wish { fate: Fate::Waits(health), .. }) => return Err(waits(&health, WISH)),
            Ok(Granted::Wish { call, fate: Fate::Late }) if call.task.is_none() => {
                let message = "The server has not answered the call yet, so there is nothing to cancel there. The wish is kept";
                return Err(ApiError::new(Code::TimedOut, message));
            }
            Ok(Granted::Wish { fate: Fate::Late, .. }) => return Err(queued(WISH)),
            Ok(_) => None,
            Err(Refusal::Storage(error)) => Some(not_kept(&error, WISH)),
            Err(refusal) => return Err(refusal.into()),
        };
        let Some((call, _)) = self.read(move |reads| reads.call(id)).await? else {
            return Err(forgotten(&id.to_string(), WISH, false));
        };
        let is_under_way = !call.ended() && call.wants_cancel();
        match trouble.filter(|_| is_under_way) {
            Some(trouble) => Err(trouble),
            None => wished(call),
        }
    }
}

impl CarryOut<Find> for Local {
    async fn carry_out(&self, Find { text }: Find) -> Result<Vec<CallId>, ApiError> {
        self.read(move |reads| reads.find_calls(&text)).await
    }
}

impl CarryOut<Payload> for Local {
    async fn carry_out(&self, Payload { call, kind }: Payload) -> Result<Option<Json>, ApiError> {
        self.read(move |reads| reads.payload(call, kind)).await
    }
}

/// The answer or wish is kept, and is delivered once the server can be reached.
pub(super) fn queued(what: &str) -> ApiError {
    let message =
        format!("{what} is kept and delivered as soon as the server can be reached: do not repeat it");
    ApiError { retry: Retry::Queued, ..ApiError::new(Code::Unreachable, message) }
}

/// What a call's row says of a wish to cancel it. Done means that the server took note of it, or that the call was given up.
fn wished(call: Call) -> Result<(), ApiError> {
    let is_noted = call.cancel.as_ref().is_some_and(|cancel| cancel.acknowledged_at.is_some());
    if is_noted || call.outcome == Some(Outcome::Cancelled) {
        return Ok(());
    }
    if call.ended() {
        let message = format!("{} has ended before its server took note of the wish to cancel", call.id);
        return Err(ApiError::new(Code::AlreadyClosed, message));
    }
    if call.cancel.is_some() {
        return Err(queued(WISH));
    }
    let why = call.note.as_ref().map(words::note).unwrap_or_default();
    Err(ApiError::new(Code::ServerError, format!("The server refused to cancel. {why}")))
}

/// The answer or wish is on its way, and what comes of it cannot be kept for now.
pub(super) fn not_kept(error: &CommitError, what: &str) -> ApiError {
    let message = format!(
        "{what} is kept and goes its way: do not repeat it. What the server says to it cannot be kept now: {error}"
    );
    ApiError { retry: Retry::Queued, ..ApiError::new(commit_code(error), message) }
}

/// The answer or wish is kept, and nothing goes to its server for now.
pub(super) fn waits(health: &Health, what: &str) -> ApiError {
    match health {
        Health::Unreachable { note, .. } | Health::Unusable { note, .. } => {
            let queued = queued(what);
            ApiError { message: words::note_before(note, &queued.message), ..queued }
        }
        Health::SignInNeeded { .. } => {
            let message = format!("The server requires a sign-in. {what} is kept and sent afterwards");
            ApiError { retry: Retry::Queued, ..ApiError::new(Code::SignInNeeded, message) }
        }
        Health::Ok { .. } | Health::Unknown { .. } => queued(what),
    }
}

fn ended(call: &Call) -> ApiError {
    ApiError::new(Code::AlreadyClosed, format!("{} has ended already", call.id))
}

/// Somebody else was first.
fn cancelled_meanwhile(call: &Call) -> ApiError {
    let id = call.id;
    let what = match &call.cancel {
        None => format!("The server refused the wish to cancel {id} since it was looked at"),
        Some(wish) => {
            let how = if wish.acknowledged_at.is_some() {
                "its server took note of that"
            } else {
                "that is on its way"
            };
            format!("Somebody asked to cancel {id} since it was looked at, and {how}")
        }
    };
    let message = format!("{what}. Nothing was done for this wish: look at the task as it stands now");
    ApiError::new(Code::CancelledMeanwhile, message)
}

/// The task was forgotten while something was on its way to its server. `task` names the task; nothing had
/// left where it `is_unsent`.
pub(super) fn forgotten(task: &str, what: &str, is_unsent: bool) -> ApiError {
    let how = if is_unsent { "had not left, and never will" } else { "may have arrived: that is not known" };
    ApiError::new(Code::UnknownItem, format!("{task} was forgotten meanwhile. {what} {how}"))
}

pub(super) fn unknown(call: CallId) -> ApiError {
    ApiError::new(Code::UnknownItem, format!("There is no task {call}")).with(Detail::Tasks(vec![call]))
}
